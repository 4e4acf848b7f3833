/** How alike two names are: 1 for the same words, 0 for opposites or none of interest shared. */
export function nameLikeness(a: string, b: string): number {
  return wordLikeness(wordsOf(a), wordsOf(b));
}

/** The same by the words of the names. */
export function wordLikeness(left: readonly string[], right: readonly string[]): number {
  if (left.join("") === right.join("")) return 1;
  const ownLeft = left.filter((word) => !right.some((other) => isSameWord(word, other)));
  const ownRight = right.filter((word) => !left.some((other) => isSameWord(word, other)));
  if (ownLeft.some((word) => ownRight.some((other) => isOpposite(word, other)))) return 0;
  const shared = left.filter((word) => !ownLeft.includes(word));
  if (shared.every((word) => SMALL_WORDS.has(word))) return 0;
  // Less than 1: forms of a word are no proof.
  return shared.length / (left.length + ownRight.length + 0.5);
}

/** `depositAmount` is made of `deposit` and `amount`, `amount0` of `amount` and `0`. */
export function wordsOf(name: string): string[] {
  return name
    .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\D)(?=\d)/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "");
}

/** `token` and `tokens`, `deposit` and `deposited`, `canceled` and `cancelled` are forms of one word. */
function isSameWord(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short === long || (short.length >= SHORTEST_STEM && long.startsWith(short))) return true;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return shared >= LONG_STEM && shared * 2 >= long.length;
}

const SHORTEST_STEM = 4;
/** Of two words that both end differently. */
const LONG_STEM = 6;

/** Words that many fields have in common without being alike. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  "a an and at by for from has id ids in is num of on or the to was with".split(" "),
);

function isOpposite(a: string, b: string): boolean {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return true;
  return OPPOSITES.some(([one = "", other = ""]) => {
    return (begins(a, one) && begins(b, other)) || (begins(a, other) && begins(b, one));
  });
}

function begins(word: string, stem: string): boolean {
  return word === stem || (stem.length >= SHORTEST_STEM && word.startsWith(stem));
}

/** Words, and beginnings of words. */
const OPPOSITES = [
  "after before, base quote, buy sell, close open, credit debit, creat updat, deposit withdr, end start",
  "first last, from to, high low, in out, max min, new old, next prev, recipient sender",
].flatMap((line) => line.split(", ").map((pair) => pair.split(" ")));
