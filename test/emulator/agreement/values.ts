import type { Column } from "./facts.ts";
import type { Random } from "./random.ts";

/** A stored value, in the form of rows. */
export type Value = string | number | boolean;

/** The questions to write: those with one answer in both styles, or everything that the multichain style has. */
export type Scope = "both" | "multichain";

/**
 * Returns a value of a column, or of an item of a list: one of few, so that conditions match and rows tie, some with
 * unusual sorting, case folding or formatting.
 */
export function valueFor(
  random: Random,
  { kind, members, scale }: Pick<Column, "kind" | "members" | "scale">,
  scope: Scope,
): Value {
  const small = () => random.below(16) - 3;
  const isAny = scope === "multichain";
  switch (kind) {
    case "enum":
      return random.pick(members);
    case "ID":
      return random.chance(0.25) ? random.pick(ODD_IDS) : String(random.below(26));
    case "String":
      return textOf(random, scope);
    case "Bytes":
      return random.chance(0.2) ? hexOf(random.some(0, 3, () => random.below(256))) : random.pick(BYTES);
    case "Boolean":
      return random.chance(0.5);
    case "Int":
      return random.chance(0.3) ? random.pick([2 ** 31 - 1, -(2 ** 31)]) : small();
    case "Float":
      return random.weighted<number>(
        [3, () => small() / 4],
        [
          2,
          () => (random.below(2 ** 31) + random.below(2 ** 31) / 2 ** 31) * 10 ** (random.below(620) - 320),
        ],
        [1, () => random.pick(FLOATS)],
      );
    case "BigInt":
      return wholeOf(random);
    case "BigDecimal":
      if (scale !== undefined) return shifted(random.below(19_999) - 9999, random.below(scale + 1));
      return random.weighted(
        [1, () => wholeOf(random)],
        [1, () => random.pick(isAny ? [...DECIMALS, "NaN"] : DECIMALS)],
        [1, () => shifted(random.below(19_999) - 9999, random.below(isAny ? 13 : 5))],
      );
    case "Timestamp": {
      // Before 1970 only whole seconds: subgraphs accept no fractions there.
      if (!isAny || random.chance(0.5)) return random.pick(isAny ? [...TIMES, "-1"] : TIMES);
      const seconds = BigInt(random.below(2 ** 31)) * 120n - 62_000_000_000n;
      return String(seconds * 1_000_000n + BigInt(random.below(1_000_000)));
    }
    case "Json":
      return jsonOf(random, 2);
  }
}

const ODD_IDS = ["x-1", "X-1", "x-10", "x-2", "x_1", "é", "😀", "ﬀ"];
const WORDS = ["", "a", "A", "b", "ab", "AB", "aB", "abc", "b a", "a-b", "ab1", "10", "9"];
/** With a character above U+FFFF, which UTF-16 and UTF-8 sort differently, and with the wildcards of patterns. */
const ODD_TEXTS = ["ﬀ", "😀", "é", 'say "a"', "a_b", "a%b", "a\\b", "line\nbreak"];
const ADDRESSES = ["0xAb", "0xab", "0xAB-1", "0xab_1", "ETH", "eth", "aUSDC", "USDC", "wETH"];
const BYTES = ["0x", "0x00", "0xab", "0xabcd", "0xcd", "0x12ab", "0xff"];
const DIGITS = "123456789012345678901234567890";
const WHOLES = ["100", "99", DIGITS, `-${DIGITS}`, `${DIGITS}1`, "9007199254740993", "9007199254740992"];
const DECIMALS = ["1.5", "1.50", "0.1", "0.10", "-0.5", "10.0", "0.00000001", `${DIGITS}.5`, "0.000"];
const FLOATS = [
  ...[0, -0, 0.1, 1e300, -1e-300, 5e-324, 1.7976931348623157e308, 1e15, 123456789012345680, 1e21],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];
const TIMES = [
  ...["0", "1", "-1000000", "1700000000000000", "1700000000000001", "1700000000100000"],
  ...["1700000001000000", "999999999999999", "4102444800000000"],
];
const JSON_VALUES = [
  "null",
  "true",
  "false",
  "0",
  "1",
  "1.0",
  "1.10",
  "-2",
  "1e2",
  DIGITS,
  '""',
  '"a"',
  '"B"',
];
const JSON_KEYS = ["a", "b", "B", "aa", "é", "0", "-1", ""];

/** Characters of patterns. */
const PLAIN = [..."abABz09_- %\\'\".x"];
/** Characters that sort, fold or match in odd ways. */
const ODD = [..."éÉ\u0301eßẞſsSKkİıiIΣςσǄǅǆ٣²Ⅷ中ﬀ😀𝒜𐐀𐐨\u00a0\u2028\u3000\u200b\n\t€«"];

function textOf(random: Random, scope: Scope): string {
  const isAny = scope === "multichain";
  const from = (characters: readonly string[]) => random.some(0, 5, () => random.pick(characters)).join("");
  return random.weighted(
    [4, () => random.pick(WORDS)],
    [2, () => random.pick(isAny ? ADDRESSES : ODD_TEXTS)],
    [1, () => from(isAny ? PLAIN : [..."aBc_%😀"])],
    [isAny ? 2 : 0, () => from([...PLAIN, ...ODD])],
  );
}

/** A character of texts, often one of patterns. */
export function characterOf(random: Random): string {
  return random.pick(random.chance(0.6) ? PLAIN : [...PLAIN, ...ODD]);
}

function hexOf(bytes: readonly number[]): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

function wholeOf(random: Random): string {
  return random.weighted(
    [3, () => String(random.below(16) - 3)],
    [2, () => random.pick(WHOLES)],
    [1, () => String(BigInt(random.below(2 ** 31) - 2 ** 30) ** 3n)],
  );
}

/** A number of units of the last decimal. */
function shifted(units: number, scale: number): string {
  const digits = String(Math.abs(units)).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0 ? `-${text}` : text;
}

/** A text of JSON, whose numbers keep their digits. */
function jsonOf(random: Random, depth: number): string {
  const inner = () => jsonOf(random, depth - 1);
  const nested = depth > 0 ? 1 : 0;
  return random.weighted(
    [2, () => random.pick([...JSON_VALUES, '"é"', '"a\\"b"', '"a b"'])],
    [nested, () => `[${random.some(0, 3, inner).join(", ")}]`],
    [
      nested,
      () => {
        const members = random.distinct(JSON_KEYS, 0, 3).map((key) => `${JSON.stringify(key)}: ${inner()}`);
        return `{${members.join(", ")}}`;
      },
    ],
  );
}
