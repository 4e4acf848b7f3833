import type { RowValue } from "../../../model/rows.ts";
import { isList, itemType } from "../../../utils/type-expression.ts";
import { type Entry, listItems, objectEntries, strictBoolean } from "./coerce.ts";
import type { Input } from "./input.ts";
import { containsJson, hasJsonKey, jsonText } from "./jsonb.ts";
import { compareKeys, type Key, keyText } from "./keys.ts";
import type { ColumnKind, Stored } from "./kinds.ts";
import { databaseFailed, jsonSyntax } from "./messages.ts";
import { compileLike, compileRegex, compileSimilar } from "./patterns.ts";
import { SCALAR_KINDS, storedJson, textOperand } from "./scalar-kinds.ts";
import type { Scope } from "./scope.ts";
import { allOf, not, type Ternary } from "./ternary.ts";

/** A comparison of one value, of a column or computed. */
export type Comparison = {
  readonly test: (value: RowValue) => Ternary;
  /** The stored value it asks for; undefined when it asks for no single one. */
  readonly equals: Stored | undefined;
};

/** Plans a `…_comparison_exp` (B.5, C.4): all its operators hold. */
export function planComparison(
  scope: Scope,
  kind: ColumnKind,
  input: Input,
  typeName: string,
  path: string,
): Comparison {
  const entries = objectEntries(scope, input, typeName, path);
  const operators = entries.map((entry) => planOperator(scope, kind, entry));
  return {
    test: allOf(operators.map((operator) => operator.test)),
    equals: operators.find((operator) => operator.equals !== undefined)?.equals,
  };
}

function planOperator(scope: Scope, kind: ColumnKind, entry: Entry): Comparison {
  const { name, type, value, path } = entry;
  switch (name) {
    case "_is_null": {
      const wanted = strictBoolean(value, path);
      return { test: (stored) => (stored === null) === wanted, equals: undefined };
    }
    case "_in":
    case "_nin":
      return planMembership(scope, kind, entry);
    case "_eq": {
      const key = kind.operand(scope, value, type, path);
      return {
        test: ordered(kind, key, (order) => order === 0),
        equals: key === null ? undefined : kind.stored(key),
      };
    }
    case "_cast": {
      const text = objectEntries(scope, value, type, path).map((cast) =>
        planComparison(scope, textKind(), cast.value, cast.type, cast.path),
      );
      return onStored((stored) =>
        allOf(text.map((comparison) => comparison.test))(jsonText(storedJson(stored))),
      );
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
  if (order) {
    return { test: ordered(kind, kind.operand(scope, value, type, path), order), equals: undefined };
  }
  const pattern = PATTERNS.get(name);
  if (pattern) return planPattern(textOperand(value, type, path), pattern);
  throw new TypeError(`The schema has an operator "${name}" that is not known.`);
}

const ORDERS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["_neq", (order) => order !== 0],
  ["_gt", (order) => order > 0],
  ["_gte", (order) => order >= 0],
  ["_lt", (order) => order < 0],
  ["_lte", (order) => order <= 0],
]);

type Pattern = { readonly compile: (pattern: string) => RegExp; readonly negated: boolean };

const PATTERNS: ReadonlyMap<string, Pattern> = new Map([
  ["_like", { compile: (pattern) => compileLike(pattern, false), negated: false }],
  ["_nlike", { compile: (pattern) => compileLike(pattern, false), negated: true }],
  ["_ilike", { compile: (pattern) => compileLike(pattern, true), negated: false }],
  ["_nilike", { compile: (pattern) => compileLike(pattern, true), negated: true }],
  ["_similar", { compile: compileSimilar, negated: false }],
  ["_nsimilar", { compile: compileSimilar, negated: true }],
  ["_regex", { compile: (pattern) => compileRegex(pattern, false), negated: false }],
  ["_nregex", { compile: (pattern) => compileRegex(pattern, false), negated: true }],
  ["_iregex", { compile: (pattern) => compileRegex(pattern, true), negated: false }],
  ["_niregex", { compile: (pattern) => compileRegex(pattern, true), negated: true }],
] satisfies [string, Pattern][]);

function ordered(
  kind: ColumnKind,
  operand: Key | null,
  holds: (order: number) => boolean,
): (value: RowValue) => Ternary {
  if (operand === null) return () => null;
  return (value) => (value === null ? null : holds(compareKeys(kind.key(value), operand)));
}

function planMembership(scope: Scope, kind: ColumnKind, entry: Entry): Comparison {
  // A list of lists reaches Postgres as text it cannot read, and so does a list of JSON.
  if (isList(itemType(entry.type))) {
    listItems(scope, entry);
    scope.postpone(databaseFailed());
    return onStored(() => null);
  }
  const operandType = itemType(entry.type).replace(/!$/, "");
  const items = listItems(scope, entry);
  if (operandType === "jsonb" && items.length > 0) scope.postpone(jsonSyntax());
  const members = new Set<string>();
  for (const item of items) {
    const key = kind.operand(scope, item.value, operandType, item.path);
    if (key !== null) members.add(keyText(key));
  }
  const negated = entry.name === "_nin";
  // `x IN ()` is false and `x NOT IN ()` true of nulls too.
  if (items.length === 0) return { test: () => negated, equals: undefined };
  return onStored((stored) => members.has(keyText(kind.key(stored))) !== negated);
}

function planContainment(scope: Scope, kind: ColumnKind, { name, type, value, path }: Entry): Comparison {
  const operand = kind.operand(scope, value, type, path);
  if (operand === null) return onStored(() => null);
  return onStored((stored) => {
    const held = kind.key(stored);
    return name === "_contains" ? contains(held, operand) : contains(operand, held);
  });
}

function contains(whole: Key, part: Key): boolean {
  if (typeof whole === "object" && typeof part === "object" && "json" in whole && "json" in part) {
    return containsJson(whole.json, part.json);
  }
  const held = new Set(keyList(whole).map(keyText));
  return keyList(part).every((key) => held.has(keyText(key)));
}

function keyList(key: Key): readonly Key[] {
  return Array.isArray(key) ? key : [key];
}

function planHasKeys(scope: Scope, entry: Entry): Comparison {
  const { name, type, value, path } = entry;
  if (name === "_has_key") {
    if (value.kind === "null") return onStored(() => null);
    const key = textOperand(value, type, path);
    return onStored((stored) => hasJsonKey(storedJson(stored), key));
  }
  const keys = listItems(scope, entry).map((item) => textOperand(item.value, "String", item.path));
  return onStored((stored) => {
    const json = storedJson(stored);
    return name === "_has_keys_all"
      ? keys.every((key) => hasJsonKey(json, key))
      : keys.some((key) => hasJsonKey(json, key));
  });
}

function planPattern(text: string, { compile, negated }: Pattern): Comparison {
  // The database reads a pattern when it meets the first text, so a wrong one does no harm to no rows.
  let compiled: RegExp | undefined;
  return onStored((stored) => {
    compiled ??= compile(text);
    const matches = compiled.test(String(stored));
    return negated ? not(matches) : matches;
  });
}

/** A test that says nothing of nulls. */
function onStored(test: (stored: Stored) => Ternary): Comparison {
  return { test: (value) => (value === null ? null : test(value)), equals: undefined };
}

function textKind(): ColumnKind {
  return SCALAR_KINDS.get("String") as ColumnKind;
}
