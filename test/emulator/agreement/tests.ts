import type { Column } from "./facts.ts";
import type { Test } from "./question.ts";
import type { Random } from "./random.ts";
import { formatTime } from "./time.ts";
import { characterOf, type Scope, type Value, valueFor } from "./values.ts";

const COMPARISONS = ["_eq", "_neq", "_gt", "_gte", "_lt", "_lte"];

/** Returns a comparison of a column, or of another value of its kind. */
export function testOf(random: Random, column: Column, scope: Scope): Test {
  const { kind, list, required, target, scalar } = column;
  const { pick, chance } = random;
  const isAny = scope === "multichain";
  const isOrdered = isAny || (!list && kind !== "Boolean" && kind !== "enum");
  const isText = isAny ? scalar === "String" : kind === "String" || (kind === "ID" && target !== null);
  const operand = () => operandOf(random, column, scope);
  const some = (least: number) => listed(random.some(least, isAny ? 3 : 4, operand));
  const comparand = () => (list ? listOperand(random, column, scope) : operand());
  const key = () => JSON.stringify(pick(["a", "b", "B", "aa", "é", "0", "", "x"]));
  const json = kind === "Json" ? 1 : 0;
  const plain = list || json ? 0 : 1;
  const text = isText && !list ? 1 : 0;
  const anyText = isAny ? text : 0;
  const option = (weight: number, operators: readonly string[], operand: () => string) =>
    [weight, () => ({ operator: pick(operators), operand: operand() })] as const;
  const test = random.weighted(
    option(isAny || !required ? 1 : 0, ["_is_null"], () => String(chance(0.5))),
    option(1, isOrdered ? COMPARISONS : COMPARISONS.slice(0, 2), comparand),
    option(1 - plain, isAny ? ["_contains", "_contained_in"] : ["_contains"], comparand),
    option(json, ["_has_key"], key),
    option(json, ["_has_keys_all", "_has_keys_any"], () => listed(random.some(0, 3, key))),
    option(plain, ["_in"], () => some(0)),
    // For an empty list the styles return opposite results.
    option(plain, ["_nin"], () => some(isAny ? 0 : 1)),
    option(2 * text, ["_like", "_nlike", "_ilike", "_nilike"], () => likePattern(random, column, scope)),
    option(anyText, ["_regex", "_nregex"], () => JSON.stringify(posixPattern(random))),
    option(anyText, ["_iregex", "_niregex"], () => JSON.stringify(toAscii(posixPattern(random)))),
    option(anyText, ["_similar", "_nsimilar"], () => JSON.stringify(similarPattern(random))),
  );
  return { ...test, sent: sentOf(random, column, test.operand, scope) };
}

/** Returns a test for one row by its id. */
export function keyTestOf(random: Random, id: Column, scope: Scope): Test {
  return {
    operator: "_eq",
    operand: operandOf(random, id, scope),
    sent: random.pick(["literal", "variable"]),
  };
}

function sentOf(random: Random, { kind }: Column, operand: string, scope: Scope): Test["sent"] {
  // Keys of an object in a document are names.
  if (kind === "Json" && operand.includes("{")) return "variable";
  if (kind !== "enum" || !/^\[?("\w+"(, )?)*\]?$/.test(operand)) return random.pick(["literal", "variable"]);
  return random.pick(scope === "both" ? ["name", "variable"] : ["name", "literal", "variable"]);
}

/** The JSON of a value of a column, for all of multichain also in another spelling or as PostgreSQL rejects it. */
function operandOf(random: Random, column: Column, scope: Scope): string {
  if (scope === "multichain" && random.chance(0.2)) return random.pick(ODD[column.scalar] ?? ODD_MEMBERS);
  const operand = jsonOf(column, valueFor(random, column, scope));
  // A null is not a valid operand, although JSON allows it.
  return operand === "null" ? "{}" : operand;
}

function jsonOf({ kind }: Column, value: Value): string {
  if (kind === "Json") return String(value);
  if (kind === "Timestamp") return JSON.stringify(formatTime(String(value)));
  // Numbers that JSON cannot represent are sent as strings.
  if (typeof value === "number" && !Number.isFinite(value)) return JSON.stringify(String(value));
  return Object.is(value, -0) ? "-0.0" : JSON.stringify(value);
}

function listOperand(random: Random, column: Column, scope: Scope): string {
  const operand = () => operandOf(random, column, scope);
  const isAny = scope === "multichain" ? 1 : 0;
  return random.weighted(
    [6, () => listed(random.some(0, isAny ? 3 : 4, operand))],
    [isAny, () => listed(random.some(0, 3, () => (random.chance(0.2) ? "null" : operand())))],
    [isAny, () => JSON.stringify(random.pick(LISTS))],
  );
}

function listed(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}

/** A pattern; for both styles a text with a wildcard at an end. */
function likePattern(random: Random, column: Column, scope: Scope): string {
  if (scope === "multichain") {
    const part = () => random.weighted([5, () => literalOf(random)], [2, () => "%"], [2, () => "_"]);
    return JSON.stringify(random.some(0, 5, part).join(""));
  }
  // Subgraphs treat wildcards and backslashes at the ends of a text differently.
  const text = String(valueFor(random, column, scope)).replace(/^[%\\]+|[%\\]+$/g, "");
  return JSON.stringify(random.pick([`%${text}%`, `${text}%`, `%${text}`]));
}

function literalOf(random: Random): string {
  return characterOf(random).replace(/[\\.%_]/, "\\$&");
}

/** A regular expression that the emulator supports, most of them valid. */
function posixPattern(random: Random): string {
  const piece = () => posixAtom(random) + (random.chance(0.3) ? random.pick(QUANTIFIERS) : "");
  return random.weighted(
    [12, () => random.some(1, 4, piece).join("")],
    [3, () => `^(${piece()}|${piece()})${piece()}$`],
    [1, () => piece() + random.pick(BROKEN)],
    [1, () => random.pick(BROKEN)],
  );
}

/** Without regard to case, the emulator only supports ASCII. */
function toAscii(pattern: string): string {
  return pattern.replaceAll(/[^\0-\x7f]/g, "k");
}

function posixAtom(random: Random): string {
  return random.weighted(
    [8, () => literalOf(random)],
    [5, () => random.pick(ATOMS)],
    [3, () => `[[:${random.pick(CLASSES)}:]]`],
    [1, () => `[^[:${random.pick(CLASSES)}:]]`],
    [2, () => random.pick(CONSTRAINTS)],
  );
}

function similarPattern(random: Random): string {
  const part = () =>
    random.weighted(
      [6, () => literalOf(random)],
      [3, () => random.pick(["%", "_"])],
      [2, () => random.pick(SIMILAR)],
      [1, () => random.pick(["(", ")", "[", "*", "{2", "\\d", "\\w"])],
    );
  return random.some(0, 4, part).join("");
}

const CLASSES = "alpha digit alnum upper lower space punct".split(" ");
const ATOMS = ". \\w \\W \\d \\D \\s \\S [a-z] [^b] [A-Z0-9] []a] [a-] [é-σ] [\\w-] [^\\s] (?:a|b) ()".split(
  " ",
);
const CONSTRAINTS = "^ $ \\m \\M \\y (?=a) (?!a) (?<=a) (?<!a)".split(" ");
const QUANTIFIERS = "* + ? {2} {1,2} {0,} *? +? ?? {1,2}?".split(" ");
const BROKEN = "( ) [ a{ a{2 a{3,2} * a** \\ [b-a] (? a|* a||b | ^* a{256} a{,2} {1} a{1,2,3} x{a}".split(
  " ",
);
const SIMILAR = "(a|b) [a-c] [^a] [[:alpha:]] | a* b+ a? b{2} (ab)* . ^ $ [%] [^]a] (A|_)".split(" ");

/** Lists as PostgreSQL writes them. */
const LISTS = ["{}", "{a,b}", '{"a b",NULL}', " { 1 , 2 } ", "a", "{a", "{1,,2}", "{a b}"];

/** Other spellings of values by scalar, and values that PostgreSQL rejects. */
const ODD: Readonly<Record<string, readonly string[]>> = {
  String: ['"x"'],
  Int: ["2147483647", ...strings("+3|-0|007|1.0|x||2147483648|0x1F|1_000| 7")],
  Boolean: strings("t|yes| TRUE |of|0|x||tr|o"),
  numeric: [
    ...["1e3", "1.50", "-0.0", "1e-3", "0.0005", "1.2345"],
    ...strings("1.50| 1.5 |1e3|NaN|nan|Infinity|-inf|1.|.5|.|x||1e|0x1F|1_000|1__0|+5|+NaN"),
  ],
  float8: [...["1e3", "-0.0", "0.1"], ...strings("1e3| 0.1 |NaN|infinity|-Inf|1e400|1e-400|x||0x10|1e")],
  timestamptz: [
    ...strings("2024-01-15|2024-01-15 12:34|2024-01-15T12:34:56Z|2024-01-15T12:34:56.5+02|epoch|infinity"),
    ...strings("-infinity|20240115|2024-02-30|x||2024-01-15 25:00|Jan 15 2024|2024-01-15 12:34:56.1234567"),
    ...strings("2024-01-15 24:00:00|1970-01-01 00:00:00 BC|2024-1-5|99999-01-01|294277-01-01"),
    ...strings("2024-01-15 12:34:60|2024-01-15T12:34:56-03:30"),
  ],
  jsonb: ["{}", "[]", '"a"', "1", "1.0", '["a"]', '{"a": 1}', '{"a": {}}', "[1]", "[[]]", "true"],
};
const ODD_MEMBERS = strings("NOPE|wild|");

/** The JSON of several texts. */
function strings(text: string): readonly string[] {
  return text.split("|").map((value) => JSON.stringify(value));
}
