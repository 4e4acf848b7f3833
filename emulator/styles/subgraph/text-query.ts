import { messages, refuse } from "./messages.ts";

/** A parsed fulltext query. */
export type TextQuery =
  | TextWord
  | { readonly kind: "not"; readonly of: TextQuery }
  | { readonly kind: "and"; readonly left: TextQuery; readonly right: TextQuery }
  | { readonly kind: "or"; readonly left: TextQuery; readonly right: TextQuery }
  /** Both, with the right one this many positions after the left one. */
  | { readonly kind: "next"; readonly left: TextQuery; readonly right: TextQuery; readonly distance: number };

/** A word to find. */
export type TextWord = {
  readonly kind: "word";
  readonly word: string;
  /** Matches all words with this prefix. */
  readonly prefix: boolean;
  /** Has a weight that no text uses, so it counts as a word but never matches. */
  readonly missing: boolean;
};

/** A part without its stop words, and the positions that they took before and after it. */
type Part = { readonly query: TextQuery | null; readonly before: number; readonly after: number };

/**
 * Parses a query as PostgreSQL's `to_tsquery` does, in English whatever the language of the rows is: words,
 * `'several words'` next to each other, `word:*` for what begins with it, and by rising strength `|`, `&`, `<->` (or
 * `<2>` for two places on), `!` and brackets.
 *
 * @returns null if the query has only stop words, which match no row.
 * @throws QueryError on anything else, two words without an operator between them above all.
 */
export function parseTextQuery(text: string): TextQuery | null {
  let at = 0;
  let size = 0;
  const fail = () => refuse(messages.fulltextSyntax(text));
  const failInside = (problem: string) => refuse(messages.store(problem));
  const take = (pattern: RegExp): RegExpExecArray | null => {
    while (/[ \t-\r]/.test(text.charAt(at))) at++;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };

  function parse(strength: number): Part {
    const operator = OPERATORS[strength];
    if (operator === undefined) return single(0);
    if (++size > MOST) return failInside("stack depth limit exceeded");
    let left = parse(strength + 1);
    for (let match = take(operator.sign); match !== null; match = take(operator.sign)) {
      const distance = match[1] === undefined || match[1] === "-" ? 1 : Number(match[1]);
      if (distance > MOST_APART) return failInside(TOO_FAR);
      left = join({ kind: operator.kind, distance }, left, parse(strength + 1));
    }
    return left;
  }

  function single(nots: number): Part {
    if (take(NOT) !== null) {
      if (nots === MOST_NOTS) return failInside("tsquery stack too small");
      const part = single(nots + 1);
      return part.query === null ? part : { ...part, query: { kind: "not", of: part.query } };
    }
    if (take(OPEN) === null) return operand();
    const part = parse(0);
    return take(CLOSE) === null ? fail() : part;
  }

  function operand(): Part {
    if (take(END) !== null) return failInside(`no operand in tsquery: "${text}"`);
    const [, quoted, plain, open, flags = ""] = take(OPERAND) ?? [];
    if (open !== undefined) return failInside(`there is no escaped character: "${text}"`);
    const written = quoted?.replaceAll("''", "'") ?? (plain || fail());
    const prefix = flags.includes("*");
    const missing = /[a-c]/i.test(flags) && !/d/i.test(flags);
    let query: TextQuery | null = null;
    let last = 0;
    for (const [word, place] of splitWords(written.replaceAll(/\\(.)/gs, "$1"), true)) {
      const right: TextWord = { kind: "word", word, prefix, missing };
      query = query === null ? right : { kind: "next", left: query, right, distance: place - last };
      last = place;
    }
    return { query, before: 0, after: 0 };
  }

  if (take(END) !== null) return null;
  const { query } = parse(0);
  return take(END) === null ? fail() : query;
}

const NOT = /!/y;
const OPEN = /\(/y;
const CLOSE = /\)/y;
const END = /$/y;
/** Quoted, plain, or a backslash at the very end; then the suffix after a colon. */
const OPERAND = /(?:'((?:''|\\.|[^'\\])+)'|((?!')(?:\\.|[^ \t-\r!&|()<:\\])*)(\\$)?)(?::([*a-d]*))?/isy;
const OPERATORS = [
  { kind: "or", sign: /\|/y },
  { kind: "and", sign: /&/y },
  { kind: "next", sign: /<(-|\d+)>/y },
] as const;

const MOST_APART = 16_384;
const TOO_FAR = `distance in phrase operator must be an integer value between zero and ${MOST_APART} inclusive`;
/** The database's limit of operators waiting for their operand. */
const MOST_NOTS = 32;
/** A nesting limit beyond any real query. */
const MOST = 3000;

type Joint = { readonly kind: "or" | "and" | "next"; readonly distance: number };

/** Joins two parts; if one consists of stop words, the positions they took add to the distance. */
function join({ kind, distance }: Joint, left: Part, right: Part): Part {
  const gap = kind === "next" ? distance : 0;
  if (left.query !== null && right.query !== null) {
    if (kind !== "next")
      return { query: { kind, left: left.query, right: right.query }, before: 0, after: 0 };
    const apart = distance + left.after + right.before;
    const query = { kind, left: left.query, right: right.query, distance: apart } as const;
    return { query, before: left.before, after: right.after };
  }
  if (kind !== "next") {
    if (left.query ?? right.query) return left.query === null ? right : left;
    const most = Math.max(left.before, right.before);
    return { query: null, before: most, after: most };
  }
  if (right.query !== null) return { ...right, before: left.before + gap + right.before };
  const after = left.after + gap + right.after;
  return left.query === null ? { query: null, before: after, after } : { ...left, after };
}

/** The positions of a word. */
type PlacesOf = (word: TextWord) => Iterable<number>;

/** Whether a text matches a query. */
export function matchesText(query: TextQuery, placesOf: PlacesOf): boolean {
  switch (query.kind) {
    case "not":
      return !matchesText(query.of, placesOf);
    case "and":
      return matchesText(query.left, placesOf) && matchesText(query.right, placesOf);
    case "or":
      return matchesText(query.left, placesOf) || matchesText(query.right, placesOf);
    default:
      return isSomewhere(findPlaces(query, placesOf));
  }
}

/** The end positions of a phrase, or all other positions, and its length. */
type Places = { readonly at: ReadonlySet<number>; readonly elsewhere: boolean; readonly width: number };

const NOWHERE: Places = { at: new Set(), elsewhere: false, width: 0 };

function isSomewhere({ at, elsewhere }: Places): boolean {
  return elsewhere || at.size > 0;
}

function findPlaces(query: TextQuery, placesOf: PlacesOf): Places {
  if (query.kind === "word") return { at: new Set(placesOf(query)), elsewhere: false, width: 0 };
  if (query.kind === "not") return invert(findPlaces(query.of, placesOf));
  let left = findPlaces(query.left, placesOf);
  let right = findPlaces(query.right, placesOf);
  if (query.kind === "or") {
    if (!isSomewhere(left)) left = NOWHERE;
    if (!isSomewhere(right)) right = NOWHERE;
    return invert(meet(invert(left), invert(right)));
  }
  if (!isSomewhere(left) || !isSomewhere(right)) return NOWHERE;
  if (query.kind === "and") return meet(left, right);
  const width = query.distance + right.width;
  return { ...meet({ ...left, width: 0 }, { ...right, width }), width: width + left.width };
}

function invert(places: Places): Places {
  return { ...places, elsewhere: !places.elsewhere };
}

/** The positions in both, each moved to the end of the longer one. */
function meet(left: Places, right: Places): Places {
  const width = Math.max(left.width, right.width);
  const a = move(left, width);
  const b = move(right, width);
  if (left.elsewhere && right.elsewhere) return { at: new Set([...a, ...b]), elsewhere: true, width };
  const [from, other] = left.elsewhere ? [b, a] : [a, b];
  const isKept = left.elsewhere === right.elsewhere;
  return { at: new Set([...from].filter((place) => other.has(place) === isKept)), elsewhere: false, width };
}

function move({ at, width }: Places, to: number): ReadonlySet<number> {
  return width === to ? at : new Set([...at].map((place) => place + to - width));
}

/** The words of a text with their ascending positions. */
export type TextWords = ReadonlyMap<string, readonly number[]>;

/** Combines the words of several texts like PostgreSQL's `to_tsvector` and `||`. */
export function buildWords(texts: readonly string[], isEnglish: boolean): TextWords {
  const words = new Map<string, number[]>();
  let last = 0;
  for (const text of texts) {
    const before = last;
    for (const [word, place] of splitWords(text, isEnglish)) {
      last = Math.min(before + place, LAST_PLACE);
      const places = words.get(word) ?? [];
      if (places.length === 0) words.set(word, places);
      if (places.at(-1) !== last && places.length < MOST_PLACES) places.push(last);
    }
  }
  return words;
}

/** The limits of positions in the database. */
const LAST_PLACE = 16_383;
const MOST_PLACES = 255;

/** The words of a text with their positions. English stop words only take up positions. */
function* splitWords(text: string, isEnglish: boolean): Generator<readonly [word: string, place: number]> {
  let place = 0;
  for (const [written] of text.matchAll(WORD)) {
    place += 1;
    const word = written.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    if (!isEnglish) yield [word, place];
    else if (!STOP_WORDS.has(word)) yield [word, place];
  }
}

/** Split in the C locale: every non-ASCII character is a letter. */
const WORD = /[\da-zA-Z\u0080-\uffff]+/g;

const STOP_WORDS: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
  has had having do does did doing a an the and but if or because as until while of at by for with about against between
  into through during before after above below to from up down in out on off over under again further then once here there
  when where why how all any both each few more most other some such no nor not only own same so than too very s t can will
  just don should now`.split(/\s+/),
);
