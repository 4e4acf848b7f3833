/** The words of a text, each with its places in rising order. */
export type TextWords = ReadonlyMap<string, readonly number[]>;

/** Puts the words of several texts together as PostgreSQL's `to_tsvector` and `||` do. */
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

/** What the database keeps of places. */
const LAST_PLACE = 16_383;
const MOST_PLACES = 255;

/** The words of a text with their places. In English those that mean nothing only take their place. */
export function* splitWords(
  text: string,
  isEnglish: boolean,
): Generator<readonly [word: string, place: number]> {
  let place = 0;
  for (const [written] of text.matchAll(WORD)) {
    place += 1;
    const word = written.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    if (!isEnglish) yield [word, place];
    else if (!STOP_WORDS.has(word)) yield [word, place];
  }
}

/** As the database splits it, which is in the locale C: all beyond ASCII is a letter. */
const WORD = /[\da-zA-Z\u0080-\uffff]+/g;

const STOP_WORDS: ReadonlySet<string> = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
  has had having do does did doing a an the and but if or because as until while of at by for with about against between
  into through during before after above below to from up down in out on off over under again further then once here there
  when where why how all any both each few more most other some such no nor not only own same so than too very s t can will
  just don should now`.split(/\s+/),
);
