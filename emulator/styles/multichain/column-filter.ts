import { baseTypeName, isList, itemType } from "../../../src/dialects/api-schema.ts";
import type { RowValue } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import { containsJson, hasJsonKey, jsonText, storedJson } from "./jsonb.ts";
import { compareKeys, type Key, keyText } from "./keys.ts";
import { type ColumnKind, type Stored, textOperand } from "./kinds.ts";
import { messages, QueryError } from "./messages.ts";
import { compileLike, compileSimilar } from "./patterns.ts";
import { compilePosix, type Matcher } from "./posix-regex.ts";
import type { QueryValue, TypedValue } from "./query-value.ts";
import { TEXT_KIND } from "./scalar-kinds.ts";
import type { Scope } from "./scope.ts";
import { type Entry, listItems, objectEntries, strictBoolean } from "./variables.ts";

/** A comparison of a column or a computed value. */
type Comparison = {
  readonly test: (value: RowValue) => Ternary;
  /** The stored values that can match; null if they cannot be listed. */
  readonly values: readonly Stored[] | null;
  readonly bounds: readonly Bound[];
};

/** A bound of the matching values: an upper one is where they start in descending order. */
export type Bound = {
  readonly side: "lower" | "upper";
  readonly test: (value: RowValue) => Ternary;
};

/** Plans a `…_comparison_exp`: all its operators hold. */
export function planComparison(scope: Scope, kind: ColumnKind, input: TypedValue): Comparison {
  const operators = objectEntries(scope, input).map((entry) => planOperator(scope, kind, entry));
  return {
    test: allOf(operators.map((operator) => operator.test)),
    values: operators.find((operator) => operator.values !== null)?.values ?? null,
    bounds: operators.flatMap((operator) => operator.bounds),
  };
}

function planOperator(scope: Scope, kind: ColumnKind, entry: Entry): Comparison {
  const { name } = entry;
  switch (name) {
    case "_is_null": {
      const wanted = strictBoolean(entry);
      return { ...ANYWHERE, test: (stored) => (stored === null) === wanted };
    }
    case "_in":
    case "_nin":
      return planMembership(scope, kind, entry);
    case "_cast": {
      const casts = objectEntries(scope, entry).map((cast) => planComparison(scope, TEXT_KIND, cast));
      const test = allOf(casts.map((cast) => cast.test));
      return { ...ANYWHERE, test: (value) => test(value === null ? null : jsonText(storedJson(value))) };
    }
    case "_contains":
    case "_contained_in":
      return planContainment(scope, kind, entry);
    case "_has_key":
    case "_has_keys_all":
    case "_has_keys_any":
      return planHasKeys(scope, entry);
  }
  const holds = ORDERS.get(name);
  if (holds) {
    const operand = kind.operand(scope, entry);
    if (operand === null) return onStored(() => null);
    const stored = name === "_eq" ? kind.stored(operand) : undefined;
    const comparison = onStored((value) => holds(compareKeys(kind.key(value), operand)));
    const side = SIDES.get(name);
    return {
      ...comparison,
      values: stored === undefined ? null : [stored],
      bounds: side === undefined ? [] : [{ side, test: comparison.test }],
    };
  }
  const pattern = PATTERNS.get(name);
  if (pattern) return planPattern(scope, textOperand(entry), pattern);
  throw new TypeError(`The schema has an operator "${name}" that is not known.`);
}

/** Whether a comparison holds, by the order of the value and the operand. */
const ORDERS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["_eq", (order) => order === 0],
  ["_neq", (order) => order !== 0],
  ["_gt", (order) => order > 0],
  ["_gte", (order) => order >= 0],
  ["_lt", (order) => order < 0],
  ["_lte", (order) => order <= 0],
]);

const SIDES: ReadonlyMap<string, Bound["side"]> = new Map([
  ["_gt", "lower"],
  ["_gte", "lower"],
  ["_lt", "upper"],
  ["_lte", "upper"],
]);

/** No index helps. */
const ANYWHERE: Omit<Comparison, "test"> = { values: null, bounds: [] };

type Pattern = { readonly compile: (pattern: string, budget: Budget) => Matcher; readonly negated: boolean };

/** Each of them, and its negation with an `n` in the name. */
const PATTERNS: ReadonlyMap<string, Pattern> = new Map(
  Object.entries<Pattern["compile"]>({
    like: (pattern) => compileLike(pattern, false),
    ilike: (pattern) => compileLike(pattern, true),
    similar: compileSimilar,
    regex: (pattern, budget) => compilePosix(pattern, false, budget),
    iregex: (pattern, budget) => compilePosix(pattern, true, budget),
  }).flatMap(([name, compile]): [string, Pattern][] => [
    [`_${name}`, { compile, negated: false }],
    [`_n${name}`, { compile, negated: true }],
  ]),
);

function planMembership(scope: Scope, kind: ColumnKind, entry: Entry): Comparison {
  const items = listItems(scope, entry);
  const keys = items.map((item) => kind.operand(scope, item));
  // A list of lists, like JSON without strings, reaches Postgres as text it cannot parse.
  const operandType = itemType(entry.type);
  if (isList(operandType)) scope.postpone(messages.databaseFailed());
  if (baseTypeName(operandType) === "jsonb" && !items.every((item) => isNoJson(item.value))) {
    scope.postpone(messages.jsonSyntax());
  }
  const operands = keys.filter((key) => key !== null);
  const members = new Set(operands.map(keyText));
  const negated = entry.name === "_nin";
  // `x IN ()` is false and `x NOT IN ()` true, for nulls too.
  if (items.length === 0) return { ...ANYWHERE, test: () => negated, values: negated ? null : [] };
  const stored = operands.map(kind.stored);
  const values = new Set(stored.filter((value) => value !== undefined));
  return {
    ...onStored((value) => members.has(keyText(kind.key(value))) !== negated),
    values: negated || stored.includes(undefined) ? null : [...values].sort(kind.compare),
  };
}

function isNoJson(input: QueryValue): boolean {
  if (input.kind !== "string") return false;
  try {
    JSON.parse(input.value);
    return false;
  } catch {
    return true;
  }
}

function planContainment(scope: Scope, kind: ColumnKind, entry: Entry): Comparison {
  const operand = kind.operand(scope, entry);
  if (operand === null) return onStored(() => null);
  return onStored((stored) => {
    const held = kind.key(stored);
    return entry.name === "_contains" ? contains(held, operand) : contains(operand, held);
  });
}

function contains(whole: Key, part: Key): boolean {
  if (typeof whole === "object" && typeof part === "object" && "json" in whole && "json" in part) {
    return containsJson(whole.json, part.json);
  }
  const held = new Set(keyList(whole).map((key) => key !== null && keyText(key)));
  // A null equals nothing, not even a null.
  return keyList(part).every((key) => key !== null && held.has(keyText(key)));
}

function keyList(key: Key): readonly (Key | null)[] {
  return Array.isArray(key) ? key : [key];
}

function planHasKeys(scope: Scope, entry: Entry): Comparison {
  const { name, value } = entry;
  if (name === "_has_key") {
    if (value.kind === "null") return onStored(() => null);
    const key = textOperand(entry);
    return onStored((stored) => hasJsonKey(storedJson(stored), key));
  }
  const keys = listItems(scope, entry).map((item) => textOperand(item));
  return onStored((stored) => {
    const json = storedJson(stored);
    return name === "_has_keys_all"
      ? keys.every((key) => hasJsonKey(json, key))
      : keys.some((key) => hasJsonKey(json, key));
  });
}

/** The database reads the pattern when it plans the query, even without rows. */
function planPattern(scope: Scope, text: string, { compile, negated }: Pattern): Comparison {
  try {
    const matches = compile(text, scope.budget);
    return onStored((stored) => matches(String(stored)) !== negated);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    scope.postpone(error);
    return onStored(() => null);
  }
}

/** A test that returns unknown for nulls, and that no index helps. */
function onStored(test: (stored: Stored) => Ternary): Comparison {
  return { ...ANYWHERE, test: (value) => (value === null ? null : test(value)) };
}

/** SQL's three-valued logic: null is unknown, and so is its negation. */
export type Ternary = boolean | null;

export function not(value: Ternary): Ternary {
  return value === null ? null : !value;
}

/** True without tests. */
export function allOf<T>(tests: readonly ((subject: T) => Ternary)[]): (subject: T) => Ternary {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (subject) => {
    let result: Ternary = true;
    for (const test of tests) {
      const value = test(subject);
      if (value === false) return false;
      if (value === null) result = null;
    }
    return result;
  };
}

/** False without tests. */
export function anyOf<T>(tests: readonly ((subject: T) => Ternary)[]): (subject: T) => Ternary {
  return (subject) => {
    let result: Ternary = false;
    for (const test of tests) {
      const value = test(subject);
      if (value === true) return true;
      if (value === null) result = null;
    }
    return result;
  };
}
