import fc from "fast-check";
import type { Compared, Test } from "./question.ts";
import type { Column, Type } from "./schema.ts";
import { CHARACTER, formatTime, type Value, valuesOf } from "./values.ts";

type Operand = fc.Arbitrary<string>;

/** Operands of the scalars: values of columns, other spellings, and sometimes values that PostgreSQL rejects. */
const ODD: Readonly<Record<Type, Operand>> = {
  text: fc.constantFrom('"x"'),
  integer: fc.constantFrom(
    "2147483647",
    '" 7"',
    '"+3"',
    '"-0"',
    '"007"',
    '"1.0"',
    '"x"',
    '""',
    '"2147483648"',
    '"0x1F"',
    '"1_000"',
  ),
  boolean: fc.constantFrom('"t"', '"yes"', '" TRUE "', '"of"', '"0"', '"x"', '""', '"tr"', '"o"'),
  numeric: fc.constantFrom(
    "1e3",
    "1.50",
    "-0.0",
    "1e-3",
    '" 1.5 "',
    '"1e3"',
    '"NaN"',
    '"nan"',
    '"Infinity"',
    '"-inf"',
    '"1."',
    '".5"',
    '"."',
    '"x"',
    '""',
    '"1e"',
    '"0x1F"',
    '"1_000"',
    '"1__0"',
    '"+5"',
    '"+NaN"',
  ),
  "numeric(20, 3)": fc.constantFrom("0.0005", "1.2345", "1e3", '"1.50"', '"NaN"', '"x"'),
  "double precision": fc.constantFrom(
    "1e3",
    "-0.0",
    "0.1",
    '"1e3"',
    '" 0.1 "',
    '"NaN"',
    '"infinity"',
    '"-Inf"',
    '"1e400"',
    '"1e-400"',
    '"x"',
    '""',
    '"0x10"',
    '"1e"',
  ),
  timestamptz: fc.constantFrom(
    '"2024-01-15"',
    '"2024-01-15 12:34"',
    '"2024-01-15T12:34:56Z"',
    '"2024-01-15T12:34:56.5+02"',
    '"epoch"',
    '"infinity"',
    '"-infinity"',
    '"20240115"',
    '"2024-02-30"',
    '"x"',
    '""',
    '"2024-01-15 25:00"',
    '"Jan 15 2024"',
    '"2024-01-15 12:34:56.1234567"',
    '"2024-01-15 24:00:00"',
    '"1970-01-01 00:00:00 BC"',
    '"2024-1-5"',
    '"99999-01-01"',
    '"294277-01-01"',
    '"2024-01-15 12:34:60"',
    '"2024-01-15T12:34:56-03:30"',
  ),
  jsonb: fc.constantFrom(
    "{}",
    "[]",
    '"a"',
    "1",
    "1.0",
    '["a"]',
    '{"a": 1}',
    '{"a": {}}',
    "[1]",
    "[[]]",
    "true",
  ),
  mood: fc.constantFrom('"NOPE"', '"wild"', '""'),
};

/** An operand of one value of a type. */
export function operandsOf(column: Pick<Column, "type" | "sdl">): Operand {
  const usual = valuesOf(column)
    .map((value) => jsonOf(column.type, value))
    // A null is not a valid operand, although JSON allows it.
    .filter((operand) => operand !== "null");
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 2, arbitrary: ODD[column.type] });
}

function jsonOf(type: Type, value: Value): string {
  if (type === "jsonb") return String(value);
  if (type === "timestamptz") return JSON.stringify(formatTime(String(value)));
  // Numbers that JSON cannot represent are sent as strings.
  if (typeof value === "number" && !Number.isFinite(value)) return JSON.stringify(String(value));
  if (typeof value === "number") return Object.is(value, -0) ? "-0.0" : String(value);
  return JSON.stringify(value);
}

const COMPARISONS = ["_eq", "_neq", "_gt", "_gte", "_lt", "_lte"] as const;

/** Tests of a column, or of another subject with its type. */
export function testsOf(column: Compared & Pick<Column, "sdl">): fc.Arbitrary<Test> {
  const one = operandsOf(column);
  const some = fc.array(one, { maxLength: 3 }).map(listed);
  const choices: fc.Arbitrary<readonly [operator: string, operand: string]>[] = [
    fc.tuple(fc.constant("_is_null"), fc.constantFrom("true", "false")),
  ];
  if (column.list) {
    // Items are texts, which allow any spelling.
    const literal = fc.constantFrom(
      '"{}"',
      '"{a,b}"',
      '"{\\"a b\\",NULL}"',
      '" { 1 , 2 } "',
      '"a"',
      '"{a"',
      '"{1,,2}"',
      '"{a b}"',
    );
    const withNulls = fc
      .array(fc.oneof({ weight: 4, arbitrary: one }, fc.constant("null")), { maxLength: 3 })
      .map(listed);
    const lists = fc.oneof(
      { weight: 6, arbitrary: some },
      { weight: 1, arbitrary: withNulls },
      { weight: 1, arbitrary: literal },
    );
    choices.push(
      fc.tuple(fc.constantFrom(...COMPARISONS), lists),
      fc.tuple(fc.constantFrom("_contains", "_contained_in"), lists),
    );
  } else {
    choices.push(fc.tuple(fc.constantFrom(...COMPARISONS), one));
    if (column.type === "jsonb") {
      choices.push(
        fc.tuple(fc.constantFrom("_contains", "_contained_in"), one),
        fc.tuple(fc.constant("_has_key"), KEYS),
        fc.tuple(
          fc.constantFrom("_has_keys_all", "_has_keys_any"),
          fc.array(KEYS, { maxLength: 3 }).map(listed),
        ),
      );
    } else choices.push(fc.tuple(fc.constantFrom("_in", "_nin"), some));
    if (column.type === "text") choices.push(...PATTERN_TESTS);
  }
  return fc
    .tuple(fc.oneof(...choices), fc.constantFrom("literal", "variable"))
    .map(([[operator, operand], sent]) => ({
      operator,
      operand,
      // Keys of an object in a document are names.
      sent: column.type === "jsonb" && operand.includes("{") ? "variable" : sent,
    })) as fc.Arbitrary<Test>;
}

const KEYS = fc.constantFrom("a", "b", "B", "aa", "é", "0", "", "x").map((key) => JSON.stringify(key));

function listed(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}

const literalCharacter = CHARACTER.map((character) =>
  /[\\.%_]/.test(character) ? `\\${character}` : character,
);

const likePattern = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: literalCharacter },
      { weight: 2, arbitrary: fc.constant("%") },
      { weight: 2, arbitrary: fc.constant("_") },
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(""));

const CLASSES = ["alpha", "digit", "alnum", "upper", "lower", "space", "punct"];

const posixAtom = fc.oneof(
  { weight: 8, arbitrary: literalCharacter },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ".",
      "\\w",
      "\\W",
      "\\d",
      "\\D",
      "\\s",
      "\\S",
      "[a-z]",
      "[^b]",
      "[A-Z0-9]",
      "[]a]",
      "[a-]",
      "[é-σ]",
      "[\\w-]",
      "[^\\s]",
      "(?:a|b)",
      "()",
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(...CLASSES).map((name) => `[[:${name}:]]`) },
  { weight: 1, arbitrary: fc.constantFrom(...CLASSES).map((name) => `[^[:${name}:]]`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("^", "$", "\\m", "\\M", "\\y", "(?=a)", "(?!a)", "(?<=a)", "(?<!a)"),
  },
);

const posixPiece = fc
  .tuple(
    posixAtom,
    fc.oneof(
      { weight: 5, arbitrary: fc.constant("") },
      {
        weight: 2,
        arbitrary: fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?", "??", "{1,2}?"),
      },
    ),
  )
  .map(([atom, quantifier]) => atom + quantifier);

const BROKEN = fc.constantFrom(
  "(",
  ")",
  "[",
  "a{",
  "a{2",
  "a{3,2}",
  "*",
  "a**",
  "\\",
  "[b-a]",
  "(?",
  "a|*",
  "a||b",
  "|",
  "^*",
  "a{256}",
  "a{,2}",
  "{1}",
  "a{1,2,3}",
  "x{a}",
);

/** The regular expressions that the emulator supports, most of them valid. */
const posixPattern = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.array(posixPiece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join("")),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(posixPiece, posixPiece, posixPiece).map(([a, b, c]) => `^(${a}|${b})${c}$`),
  },
  { weight: 1, arbitrary: fc.tuple(posixPiece, BROKEN).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: BROKEN },
);

const similarPattern = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: literalCharacter },
      { weight: 3, arbitrary: fc.constantFrom("%", "_") },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "(a|b)",
          "[a-c]",
          "[^a]",
          "[[:alpha:]]",
          "|",
          "a*",
          "b+",
          "a?",
          "b{2}",
          "(ab)*",
          ".",
          "^",
          "$",
          "[%]",
          "[^]a]",
          "(A|_)",
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom("(", ")", "[", "*", "{2", "\\d", "\\w") },
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(""));

const PATTERN_TESTS = [
  patternTest(["_like", "_nlike", "_ilike", "_nilike"], likePattern),
  patternTest(["_regex", "_nregex"], posixPattern),
  patternTest(
    ["_iregex", "_niregex"],
    posixPattern.filter((pattern) => isAscii(pattern)),
  ),
  patternTest(["_similar", "_nsimilar"], similarPattern),
];

function patternTest(
  operators: readonly string[],
  pattern: fc.Arbitrary<string>,
): fc.Arbitrary<readonly [string, string]> {
  return fc.tuple(
    fc.constantFrom(...operators),
    pattern.map((text) => JSON.stringify(text)),
  );
}

/** Whether the emulator supports a pattern without regard to case. */
function isAscii(pattern: string): boolean {
  return /^[\0-\x7f]*$/.test(pattern);
}
