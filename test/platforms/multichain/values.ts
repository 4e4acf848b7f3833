import fc from "fast-check";
import { type Column, MOODS, type Type } from "./schema.ts";

/** A stored value in a row of the emulator. */
export type Value = string | number | boolean;

/** Characters that sort, fold or match in odd ways, and characters of patterns. */
const CHARACTERS = [
  ...["a", "b", "A", "B", "z", "0", "9", "_", "-", " ", "%", "\\", "'", '"', ".", "x"],
  ...[
    "é",
    "É",
    "e\u0301",
    "ß",
    "ẞ",
    "ſ",
    "s",
    "S",
    "K",
    "k",
    "İ",
    "ı",
    "i",
    "I",
    "Σ",
    "ς",
    "σ",
    "Ǆ",
    "ǅ",
    "ǆ",
  ],
  ...[
    "٣",
    "²",
    "Ⅷ",
    "中",
    "ﬀ",
    "😀",
    "𝒜",
    "𐐀",
    "𐐨",
    "\u00a0",
    "\u2028",
    "\u3000",
    "\u200b",
    "\n",
    "\t",
    "\u0301",
    "€",
    "«",
  ],
];

const PLAIN = CHARACTERS.slice(0, 16);

const texts = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("", "a", "A", "b", "ab", "AB", "aB", "a-b", "a_b", "ab1", "a b", "10", "9"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("0xAb", "0xab", "0xAB-1", "0xab_1", "ETH", "eth", "aUSDC", "USDC", "wETH"),
  },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...PLAIN), maxLength: 6 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 4 }) },
);

const DIGITS = "123456789012345678901234567890";

const whole = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 12 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "100",
      "99",
      DIGITS,
      `-${DIGITS}`,
      `${DIGITS}1`,
      "9007199254740993",
      "9007199254740992",
    ),
  },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String) },
);

const decimals = fc.oneof(
  whole,
  fc.constantFrom("1.5", "1.50", "0.1", "0.10", "-0.5", "10.0", "0.00000001", `${DIGITS}.5`, "0.000", "NaN"),
  fc
    .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 0, max: 12 }))
    .map(([units, scale]) => shifted(units, scale)),
);

const scaled = fc
  .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 0, max: 3 }))
  .map(([units, scale]) => shifted(units, scale));

function shifted(units: number, scale: number): string {
  const digits = String(Math.abs(units)).padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0 ? `-${text}` : text;
}

const floats = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 12 }).map((value) => value / 4) },
  { weight: 2, arbitrary: fc.double({ noDefaultInfinity: true, noNaN: true }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      0,
      -0,
      0.1,
      1e300,
      -1e-300,
      5e-324,
      1.7976931348623157e308,
      1e15,
      123456789012345680,
      1e21,
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);

/** Microseconds since 1970, as text in rows. */
const times = fc.oneof(
  fc.constantFrom(
    "0",
    "1",
    "-1",
    "-1000000",
    "1700000000000000",
    "1700000000000001",
    "1700000000100000",
    "4102444800000000",
  ),
  fc.bigInt({ min: -62_000_000_000_000_000n, max: 200_000_000_000_000_000n }).map(String),
);

const keys = fc.constantFrom("a", "b", "B", "aa", "é", "0", "-1", "");

/** Texts of JSON, whose numbers keep their digits. */
const json: fc.Arbitrary<string> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
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
      '"é"',
      '"a\\"b"',
      '"a b"',
    ),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .uniqueArray(fc.tuple(keys, tie("value")), { maxLength: 3, selector: ([key]) => key })
      .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ")}}`),
  ),
})).value as fc.Arbitrary<string>;

const VALUES: Readonly<Record<Type, fc.Arbitrary<Value>>> = {
  text: texts,
  integer: fc.oneof(fc.integer({ min: -3, max: 12 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31))),
  boolean: fc.boolean(),
  numeric: decimals,
  "numeric(20, 3)": scaled,
  "double precision": floats,
  timestamptz: times,
  jsonb: json,
  mood: fc.constantFrom(...MOODS),
};

/** Stored values of a column, or of the items of a list: few and odd ones, so that queries match and rows tie. */
export function valuesOf({ type, sdl }: Pick<Column, "type" | "sdl">): fc.Arbitrary<Value> {
  return /BigInt/.test(sdl) ? whole : VALUES[type];
}

/** Texts, also with characters of patterns. */
export const CHARACTER: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 2, arbitrary: fc.constantFrom(...CHARACTERS) },
);

/** A time as PostgreSQL writes it. */
export function formatTime(micros: string): string {
  const value = BigInt(micros);
  const part = ((value % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((value - part) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${part.toString().padStart(6, "0")}+00:00`;
}
