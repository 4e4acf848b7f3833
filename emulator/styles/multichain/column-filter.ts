import { baseTypeName, isList, itemType } from "../../../src/dialects/api-schema.ts";
import type { RowValue } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import { containsJson, hasJsonKey, jsonText, storedJson } from "./jsonb.ts";
import { compareKeys, type Key, keyText } from "./keys.ts";
import { type ColumnKind, type Stored, textOperand } from "./kinds.ts";
import { messages, QueryError } from "./messages.ts";
import { compileLike } from "./patterns.ts";
import { compilePosix, type Matcher } from "./posix-regex.ts";
import type { QueryValue, TypedValue } from "./query-value.ts";
import { TEXT_KIND } from "./scalar-kinds.ts";
import type { Scope } from "./scope.ts";
import { type Entry, listItems, objectEntries, strictBoolean } from "./variables.ts";

/** Compiles a SQL regular expression: LIKE with `|`, `*`, `+`, `?`, `{m,n}`, groups and classes. */
export function compileSimilar(pattern: string, budget: Budget): Matcher {
  return compilePosix(`^(?:${posixOfSimilar(pattern)})$`, false, budget);
}

function posixOfSimilar(pattern: string): string {
  let source = "";
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? "";
    if (character === "\\") {
      const next = pattern[++index];
      if (next !== undefined) source += `\\${next}`;
    } else if (inClass) {
      inClass = character !== "]";
      source += character;
    } else if (character === "[") {
      const start = /^\[\^?\]?/.exec(pattern.slice(index))?.[0] ?? "[";
      inClass = true;
      source += start;
      index += start.length - 1;
    } else if (character === "%") source += ".*";
    else if (character === "_") source += ".";
    else if (character === "(") source += "(?:";
    else source += ".^$".includes(character) ? `\\${character}` : character;
  }
  return source;
}

/** A comparison of a column or a computed value. */
export type Comparison = {
  readonly test: (value: RowValue) => Ternary;
  /** The stored values that can match; null if they cannot be listed. */
  readonly values: readonly Stored[] | null;
  /** The bounds of the matching values. */
  readonly bounds: readonly Bound[];
} & Effort;

/** The cost of a test, which decides the order in which the database runs several. */
export type Effort = {
  /** A comparison costs 1. */
  readonly cost: number;
  /** Fails for some values, so that it matters which rows it runs on. */
  readonly fragile: boolean;
};

/** Sorts tests that must all hold, cheapest first; equal ones stay in order. */
export function byCost<T extends Effort>(tests: readonly T[]): readonly T[] {
  return tests.length < 2 ? tests : [...tests].sort((a, b) => a.cost - b.cost);
}

export function totalEffort(tests: readonly Effort[]): Effort {
  return {
    cost: tests.reduce((sum, { cost }) => sum + cost, 0),
    fragile: tests.some(({ fragile }) => fragile),
  };
}

export type Bound = {
  readonly side: "lower" | "upper";
  readonly inclusive: boolean;
  /** Compares a stored value with the bound. */
  readonly orderOf: (value: Stored) => number;
};

/** Plans a `…_comparison_exp`: all its operators hold. */
export function planComparison(scope: Scope, kind: ColumnKind, input: TypedValue): Comparison {
  const operators = objectEntries(scope, input).map((entry) => planOperator(scope, kind, entry));
  return {
    test: allOf(byCost(operators).map((operator) => operator.test)),
    values: operators.find((operator) => operator.values !== null)?.values ?? null,
    bounds: operators.flatMap((operator) => operator.bounds),
    ...totalEffort(operators),
  };
}

function planOperator(scope: Scope, kind: ColumnKind, entry: Entry): Comparison {
  const { name } = entry;
  switch (name) {
    case "_is_null": {
      const wanted = strictBoolean(entry);
      return { ...ANYWHERE, cost: 0, test: (stored) => (stored === null) === wanted };
    }
    case "_in":
    case "_nin":
      return planMembership(scope, kind, entry);
    case "_cast": {
      const text = objectEntries(scope, entry).map((cast) => planComparison(scope, TEXT_KIND, cast));
      const test = allOf(text.map((comparison) => comparison.test));
      return {
        ...ANYWHERE,
        test: (value) => test(value === null ? null : jsonText(storedJson(value))),
        ...totalEffort(text),
      };
    }
    case "_contains":
    case "_contained_in":
      return planContainment(scope, kind, entry);
    case "_has_key":
    case "_has_keys_all":
    case "_has_keys_any":
      return planHasKeys(scope, entry);
  }
  const order = ORDERS.get(name);
  if (order) return planOrder(kind, kind.operand(scope, entry), order);
  const pattern = PATTERNS.get(name);
  if (pattern) return planPattern(scope, textOperand(entry), pattern);
  throw new TypeError(`The schema has an operator "${name}" that is not known.`);
}

type Order = {
  readonly holds: (order: number) => boolean;
  readonly sides: readonly Bound["side"][];
  readonly inclusive: boolean;
};

const ORDERS: ReadonlyMap<string, Order> = new Map<string, Order>([
  ["_eq", { holds: (order) => order === 0, sides: ["lower", "upper"], inclusive: true }],
  ["_neq", { holds: (order) => order !== 0, sides: [], inclusive: false }],
  ["_gt", { holds: (order) => order > 0, sides: ["lower"], inclusive: false }],
  ["_gte", { holds: (order) => order >= 0, sides: ["lower"], inclusive: true }],
  ["_lt", { holds: (order) => order < 0, sides: ["upper"], inclusive: false }],
  ["_lte", { holds: (order) => order <= 0, sides: ["upper"], inclusive: true }],
]);

/** No index helps. */
const ANYWHERE: Omit<Comparison, "test"> = { values: null, bounds: [], cost: 1, fragile: false };

function planOrder(kind: ColumnKind, operand: Key | null, { holds, sides, inclusive }: Order): Comparison {
  if (operand === null) return { ...ANYWHERE, test: () => null };
  const orderOf = (value: Stored) => compareKeys(kind.key(value), operand);
  const only = sides.length === 2 ? kind.stored(operand) : undefined;
  return {
    test: (value) => (value === null ? null : holds(orderOf(value))),
    values: only === undefined ? null : [only],
    bounds: sides.map((side) => ({ side, inclusive, orderOf })),
    cost: 1,
    fragile: false,
  };
}

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
  const known = keys.filter((key) => key !== null);
  const members = new Set(known.map(keyText));
  const negated = entry.name === "_nin";
  // `x IN ()` is false and `x NOT IN ()` true, for nulls too.
  if (items.length === 0) return { ...ANYWHERE, cost: 0, test: () => negated, values: negated ? null : [] };
  const stored = known.map(kind.stored);
  const values = new Set(stored.filter((value) => value !== undefined));
  return {
    ...onStored((value) => members.has(keyText(kind.key(value))) !== negated),
    values: negated || stored.includes(undefined) ? null : [...values].sort(kind.compare),
    // The database estimates a match half way through a list.
    cost: items.length / 2,
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
    return {
      ...onStored((stored) => matches(String(stored)) !== negated),
      fragile: /\\$/.test(text),
    };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    scope.postpone(error);
    return onStored(() => null);
  }
}

/** A test that returns unknown for nulls. */
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
