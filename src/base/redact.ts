import { cached } from "./collections.ts";

/**
 * Text without any of the secrets, however they stand in it: in either case, percent-encoded, escaped as JSON or HTML
 * writes it, split by characters that nobody sees, in hexadecimal digits, or within base64. Of secrets that overlap, all
 * is hidden; short words and numbers are none. The time it takes grows with the text, not with the number of secrets.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const found = findSecrets(text, secrets);
  if (found.length === 0) return text;
  let [shown, end] = ["", 0];
  for (const [from, to] of found) {
    shown += `${text.slice(end, from)}<redacted>`;
    end = to;
  }
  return shown + text.slice(end);
}

/** Whether any of the secrets stands in a text, in one of the ways that `hideSecrets` knows. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return findSecrets(text, secrets).length > 0;
}

type Span = readonly [from: number, to: number];

/** One way in which a secret may be written, after folding. */
type Form = {
  readonly codes: Uint16Array;
  /** A short one counts where it stands alone only: it occurs in other words by chance. */
  readonly isAlone: boolean;
  /** In base64 the secret may be the middle of something longer, whose ends would give a part of it away. */
  readonly isWithin: boolean;
};

type Forms = { readonly root: Node; readonly pairs: Uint8Array };

type Node = { readonly next: Map<number, Node>; form: Form | null };

/** Lists are made once a run, so that what is looked for in it is worked out once. */
const known = new WeakMap<readonly string[], Forms>();

function findSecrets(text: string, secrets: readonly string[]): Span[] {
  if (secrets.length === 0 || text === "") return [];
  const forms = cached(known, secrets, () => buildTree(secrets.flatMap(formsOf)));
  if (!mayHold(text, forms)) return [];
  const found = findForms(fold(text, ESCAPE), forms);
  // What colours a terminal is several characters, the last of which may as well be the first of a secret.
  if (!text.includes("\u001b") && !text.includes("\u009b")) return found;
  return join([...found, ...findForms(fold(text, ESCAPE_OR_STYLE), forms)]);
}

/** A word, a number or a sign that nobody takes for a key, and that answers and URLs hold anyway: `base`, `8453`, `1`. */
const ORDINARY = /^(?:[a-z]{1,5}|[0-9]{1,10})$/i;
const SHORTEST = 3;

/** Fewer characters than these occur in other words by chance. */
const SHORT = 4;

/** Less of a code than this does so too. */
const SHORTEST_CODE = 5;

function formsOf(secret: string): Form[] {
  const isAlone = secret.length < SHORT;
  const plain: Form = { codes: codesOf(secret), isAlone, isWithin: false };
  if (plain.codes.length < SHORTEST || ORDINARY.test(secret)) return [];
  if (isAlone) return [plain];
  const bytes = Buffer.from(secret, "utf8");
  const forms = [plain, { codes: codesOf(bytes.toString("hex")), isAlone, isWithin: false }];
  // Three bytes are four characters, so it matters how many bytes stand before; only what no neighbour changes counts.
  for (const before of [0, 1, 2]) {
    const code = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const whole = code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (whole.length >= SHORTEST_CODE) forms.push({ codes: codesOf(whole), isAlone, isWithin: true });
  }
  return forms;
}

function codesOf(text: string): Uint16Array {
  const { codes, length } = fold(text, ESCAPE);
  return codes.slice(0, length);
}

function buildTree(forms: readonly Form[]): Forms {
  const root: Node = { next: new Map(), form: null };
  for (const form of forms) {
    let node = root;
    for (const code of form.codes) {
      node = cached(node.next, code, (): Node => ({ next: new Map(), form: null }));
    }
    node.form = form;
  }
  return { root, pairs: pairsOf(forms) };
}

/** Marks of the first two characters of all forms: most places of a text can be passed over by a look at two. */
function pairsOf(forms: readonly Form[]): Uint8Array {
  const pairs = new Uint8Array(PAIRS);
  for (const { codes } of forms) {
    const [first = 0, second] = codes;
    if (second !== undefined) pairs[pairOf(first, second)] = 1;
    else pairs.fill(1, pairOf(first, 0), pairOf(first, 0x7f) + 1);
  }
  return pairs;
}

const PAIRS = 2 ** 14;

/** Two characters may have the mark of two others; then the tree tells them apart. */
function pairOf(first: number, second: number): number {
  return ((first & 0x7f) << 7) | (second & 0x7f);
}

/** A look that keeps nothing: nearly every text holds no secret, and a large one takes long to fold. */
function mayHold(text: string, { root, pairs }: Forms): boolean {
  // Of what colours a terminal there are two readings.
  if (text.includes("\u001b") || text.includes("\u009b")) return true;
  const character: Character = { code: 0, end: 0 };
  let last = 0;
  for (let at = 0; at < text.length; at = character.end) {
    readCharacter(text, at, ESCAPE, character);
    const { code, end } = character;
    if (code === UNSEEN) continue;
    if (pairs[pairOf(last, code)] === 1 && mayGoOn(text, end, root.next.get(last)?.next.get(code)))
      return true;
    last = code;
  }
  return false;
}

/** Whether a form may go on as a text does, as far as that is plain: beyond, it may. */
function mayGoOn(text: string, start: number, begun: Node | undefined): boolean {
  let node = begun;
  for (let at = start; node !== undefined && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (node.form !== null || !(code < PLAIN.length && PLAIN[code] === 1)) return true;
    node = node.next.get(FOLDED[code] ?? code);
  }
  return node !== undefined && node.form !== null;
}

/** A text as it is compared, and where each character of that comes from. */
type Folded = {
  readonly codes: Uint16Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly length: number;
};

function findForms(text: Folded, { root, pairs }: Forms): Span[] {
  const { codes, from, to, length } = text;
  const spans: Span[] = [];
  /** The end of what was found last, in the folded text. */
  let last = 0;
  for (let start = 0; start < length; start++) {
    if (pairs[pairOf(codes[start] ?? 0, codes[start + 1] ?? 0)] === 0) continue;
    let node = root.next.get(codes[start] ?? 0);
    let end = 0;
    let isWithin = false;
    for (let at = start + 1; node !== undefined; at++) {
      const form: Form | null = node.form;
      if (form !== null && !(form.isAlone && (isJoined(text, start) || isJoined(text, at)))) {
        end = at;
        isWithin = form.isWithin;
      }
      node = at < length ? node.next.get(codes[at] ?? 0) : undefined;
    }
    if (end <= last) continue;
    let begin = start;
    if (isWithin) {
      while (begin > last && isCode(codes[begin - 1] ?? 0)) begin--;
      while (end < length && isCode(codes[end] ?? 0)) end++;
    }
    spans.push([from[begin] ?? 0, to[end - 1] ?? 0]);
    last = end;
  }
  return join(spans);
}

/** Whether the characters on both sides of an index are of one word, with nothing between them. */
function isJoined({ codes, from, to, length }: Folded, at: number): boolean {
  if (at <= 0 || at >= length || from[at] !== to[at - 1]) return false;
  return isLetterOrDigit(codes[at - 1] ?? 0) && isLetterOrDigit(codes[at] ?? 0);
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** Characters of base64, after folding. */
function isCode(code: number): boolean {
  return isLetterOrDigit(code) || code === 0x2b || code === 0x2f || code === 0x3d;
}

function join(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], to)];
    else joined.push([from, to]);
  }
  return joined;
}

/** Folds a text: in lower case, without escapes and what nobody sees, and with one alphabet of base64. */
function fold(text: string, pattern: RegExp): Folded {
  const codes = new Uint16Array(text.length);
  const from = new Uint32Array(text.length);
  const to = new Uint32Array(text.length);
  const character: Character = { code: 0, end: 0 };
  let length = 0;
  for (let at = 0; at < text.length; at = character.end) {
    readCharacter(text, at, pattern, character);
    if (character.code === UNSEEN) continue;
    codes[length] = character.code;
    from[length] = at;
    to[length] = character.end;
    length++;
  }
  return { codes, from, to, length };
}

/** A character as it is compared, and where the next one starts. */
type Character = { code: number; end: number };

/** The code of what nobody sees. */
const UNSEEN = -1;

/** Reads the character at an index into one that is there already: a text has a million of them. */
function readCharacter(text: string, at: number, pattern: RegExp, character: Character): void {
  let code = text.charCodeAt(at);
  let end = at + 1;
  if (code >= PLAIN.length || PLAIN[code] === 0) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) {
      end = at + match[0].length;
      code = decode(match);
    }
  }
  character.code = code >= 0 && code < FOLDED.length ? (FOLDED[code] as number) : code;
  character.end = end;
}

/** What an escape stands for; `UNSEEN` for what nobody sees. */
function decode([, percent, json, braces, bytes, hex, decimal, entity]: RegExpExecArray): number {
  if (entity !== undefined) return ENTITIES.get(entity.toLowerCase()) ?? UNSEEN;
  const digits = percent ?? json ?? braces ?? bytes ?? hex;
  const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return code <= 0xffff && !HIDDEN.test(String.fromCharCode(code)) ? code : UNSEEN;
}

const ENTITIES: ReadonlyMap<string, number> = new Map([
  ["amp", 0x26],
  ["apos", 0x27],
  ["gt", 0x3e],
  ["lt", 0x3c],
  ["quot", 0x22],
]);

/** Control and format characters, marks over others, half characters, letters without a shape; and what escapes. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Cs}\u115f\u1160\u3164\uffa0\\]/u;

/** A character that somebody wrote in another way, or that nobody sees. */
const ESCAPES = [
  // Percent-encoded, once or more often.
  "%(?:25)*([0-9a-f]{2})",
  // As JSON, JavaScript and GraphQL write it, and such text within such text.
  String.raw`\\+u([0-9a-f]{4})`,
  String.raw`\\+u\{0*([0-9a-f]{1,6})\}`,
  String.raw`\\+x([0-9a-f]{2})`,
  String.raw`\\+[bfnrtv0]`,
  "&#x0*([0-9a-f]{1,6});?",
  "&#0*([0-9]{1,7});?",
  "&(amp|apos|gt|lt|quot);",
  HIDDEN.source,
];
const ESCAPE = new RegExp(ESCAPES.join("|"), "iuy");

/** Sequences that colour a terminal's text or move its cursor, each whole. */
const STYLE = String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`;
const ESCAPE_OR_STYLE = new RegExp([STYLE, ...ESCAPES].join("|"), "iuy");

/** Characters that begin no escape. */
const PLAIN = Uint8Array.from({ length: 0x7f }, (_, code) =>
  code >= 0x20 && !"%&\\".includes(String.fromCharCode(code)) ? 1 : 0,
);

/** What characters are compared as: letters in lower case, both alphabets of base64 as one. */
const FOLDED = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase().replace("-", "+").replace("_", "/");
  return character.charCodeAt(0);
});

/** A URL, or other text, for messages: without credentials, query, fragment, and parts of the path that may be keys. */
export function redactUrl(text: string): string {
  const withoutQuery = text.replace(/[?#].*$/s, "");
  const withoutCredentials = withoutQuery.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1<redacted>@");
  return withoutCredentials.replaceAll(/[0-9a-f]{32,}|(?<=\/)[A-Za-z0-9_-]{40,}(?=\/|$)/gi, "<redacted>");
}

/** Free text from elsewhere with every URL in it redacted, and every run of 32 or more hex digits. */
export function redactText(text: string): string {
  return text
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, redactUrl)
    .replaceAll(/(?<!0x[0-9a-f]*)\b[0-9a-f]{32,}\b/gi, "<redacted>");
}
