import { isOtherQuantity, singular, wordsOf } from "./name-similarity.ts";

/** How one name became another. The same change of many names is one decision of the authors. */
export type WordChange = {
  /** The same text for the same change of another name. Spelling and order change each name by itself. */
  readonly key: string;
  readonly kind: "spelling" | "order" | "plural" | "end" | "word";
  /** Whether a changed word usually names other rows: snapshots, holders, another quantity or version. */
  readonly isOtherRows: boolean;
};

/** Returns the change of words from one name to another; null for more than one change. */
export function changeOfWords(from: string, to: string): WordChange | null {
  const [left, right] = [wordsOf(from), wordsOf(to)];
  const build = (kind: WordChange["kind"], key: string, words: readonly string[] = []): WordChange => ({
    key,
    kind,
    isOtherRows: words.some(isOfOtherRows),
  });
  if (left.join("") === right.join("")) return build("spelling", `${from} ${to}`);
  if (left.length === right.length) {
    if ([...left].sort().join(" ") === [...right].sort().join(" ")) {
      return left.some((word) => /\d/.test(word) || ORDERED.has(word))
        ? null
        : build("order", `${from} ${to}`);
    }
    const [at = 0, ...others] = left.flatMap((word, index) => (word === right[index] ? [] : [index]));
    const [was = "", is = ""] = [left[at], right[at]];
    if (others.length > 0) return null;
    const isPlural = toSingular(was) === toSingular(is);
    return isPlural ? build("plural", `${was} ${is}`) : build("word", `${was} ${is}`, [was, is]);
  }
  const [short, long, sign] = left.length < right.length ? [left, right, "+"] : [right, left, "-"];
  const rest = long.length - short.length;
  const isStart = short.every((word, index) => word === long[index + rest]);
  if (!isStart && !short.every((word, index) => word === long[index])) return null;
  const words = isStart ? long.slice(0, rest) : long.slice(short.length);
  return build("end", isStart ? `${sign}${words.join(" ")} …` : `… ${sign}${words.join(" ")}`, words);
}

/** Words that say what their neighbours are, so their order matters. */
const ORDERED: ReadonlySet<string> = new Set(
  "per to from in out by over into vs versus ratio rate price".split(" "),
);

function toSingular(word: string): string {
  return singular(word.replace(/ies$/, "y"));
}

function isOfOtherRows(word: string): boolean {
  return /\d/.test(word) || OTHER_ROWS.has(toSingular(word)) || isOtherQuantity([word], []);
}

const OTHER_ROWS: ReadonlySet<string> = new Set(
  "snapshot history historical change holder archive archived legacy deprecated old new".split(" "),
);
