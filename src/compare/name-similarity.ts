/** Returns the similarity of two names from 0 to 1: 1 for the same words, 0 for opposites or only small words in common. */
export function nameSimilarity(a: string, b: string): number {
  return wordSimilarity(wordsOf(a), wordsOf(b));
}

/** Returns the similarity of two names that are split into words. */
export function wordSimilarity(left: readonly string[], right: readonly string[]): number {
  if (left.join("") === right.join("") || hasSameWords(left, right)) return 1;
  if (isOtherQuantity(left, right)) return 0;
  const ownLeft = left.filter((word) => !right.some((other) => isSameWord(word, other)));
  const ownRight = right.filter((word) => !left.some((other) => isSameWord(word, other)));
  if (ownLeft.some((word) => ownRight.some((other) => isOpposite(word, other)))) return 0;
  const shared = left.filter((word) => !ownLeft.includes(word));
  if (shared.every((word) => SMALL_WORDS.has(word))) return 0;
  // Less than 1, because forms of one word do not prove a rename.
  return shared.length / (left.length + ownRight.length + 0.5);
}

/** Returns whether the words are the same in any order, or a corrected spelling. */
function hasSameWords(left: readonly string[], right: readonly string[]): boolean {
  const rest = [...right];
  for (const word of left) {
    const at = rest.findIndex((other) => other === word || isMisspelt(word, other));
    if (at < 0) return false;
    rest.splice(at, 1);
  }
  return rest.length === 0;
}

/** Returns whether one name corrects the spelling of the other. */
export function isCorrected(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  return (
    left.length === right.length &&
    left.every((word, index) => word === right[index] || isMisspelt(word, right[index] ?? ""))
  );
}

/** Returns whether two long words differ by two swapped neighbouring letters, or by a doubled letter. */
function isMisspelt(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < SHORTEST_MISSPELT || /\d/.test(long)) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  const [left, right] = [short.slice(start), long.slice(start)];
  if (short.length === long.length) {
    return left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  }
  return right.slice(1) === left && right[0] === long[start - 1];
}

const SHORTEST_MISSPELT = 6;

/** Returns whether one name has a unit or quantity that the other lacks: they count different things. */
export function isOtherQuantity(left: readonly string[], right: readonly string[]): boolean {
  if (left.join("") === right.join("")) return false;
  const lacks = (word: string, others: readonly string[]) =>
    (QUANTITIES.has(singular(word)) || word === "assets") &&
    !others.some((other) => singular(other) === singular(word));
  return left.some((word) => lacks(word, right)) || right.some((word) => lacks(word, left));
}

/** Removes the final `s` of a word. */
export function singular(word: string): string {
  return word.replace(/s$/, "");
}

/** Units and quantities in the singular. "Assets" is a quantity only in the plural, as in the shares and assets of a vault. */
const QUANTITIES: ReadonlySet<string> = new Set(
  [
    "usd eur btc eth weth wei gwei usdc usdt dai bpt glp lp ray wad percent bp apy apr",
    "rate price count volume revenue fee share delta index ratio liquidity tvl supply balance reward interest",
    "second minute hour hourly day daily week weekly month monthly year yearly decimal precision",
  ].flatMap((line) => line.split(" ").map(singular)),
);

/** Splits a name into words: `depositAmount` into `deposit` and `amount`, `amount0` into `amount` and `0`. */
export function wordsOf(name: string): string[] {
  return name
    .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\D)(?=\d)/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "");
}

/** Returns whether two words are forms of one word: `token` and `tokens`, `canceled` and `cancelled`. */
function isSameWord(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short === long || (short.length >= SHORTEST_STEM && long.startsWith(short))) return true;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return shared >= LONG_STEM && shared * 2 >= long.length;
}

const SHORTEST_STEM = 4;
/** The shortest shared start of two words with different endings. */
const LONG_STEM = 6;

/** Words that many unrelated fields share. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  "a an and at by for from has id ids in is num of on or the to was with".split(" "),
);

/** Returns whether two names are opposites: `amountIn` and `amountOut`, `token0PerToken1` and `token1PerToken0`. */
export function isOpposed(a: string, b: string): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const [digits, others] = [left, right].map((words) => words.join(" ").match(/\d+/g)?.join(" "));
  if (digits !== undefined && others !== undefined && digits !== others) return true;
  return left.some(
    (word) => !right.includes(word) && right.some((to) => !left.includes(to) && isOpposite(word, to)),
  );
}

function isOpposite(a: string, b: string): boolean {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return true;
  return OPPOSITES.some(([stem, opposite]) => {
    return (stem?.test(a) && opposite?.test(b)) || (stem?.test(b) && opposite?.test(a));
  });
}

/** Pairs of stems. They match with usual endings only, because `lock` is not the opposite of anything in `lockup`. */
const OPPOSITES = [
  "after before, base quote, block time|timestamp, borrow repa(y|id), burn|burnt mint, buy|bought sell|sold",
  "bond unbond, clos open, creat updat, credit debit, delegat undelegat, deposit withdr(a|e)w, end start, first last",
  "from to, high low, in out, lock unlock, long short, max min, new old, next prev|previous, paus unpaus",
  "recipient sender, stak unstak, wrap unwrap",
].flatMap((line) =>
  line
    .split(", ")
    .map((pair) =>
      pair
        .split(" ")
        .map(
          (stem) => new RegExp(`^(${stem})(s|e|es|ed|er|ers|est|ing|ings|or|ors|ion|ions|al|als|n|imum)?$`),
        ),
    ),
);
