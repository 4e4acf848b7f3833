import { Kind, type ObjectFieldNode, print, type ValueNode, type VariableNode } from "graphql";
import { listNode, type NodeLocation, objectNode, stringNode } from "../../dialects/make-node.ts";
import type { AuthoredOperator, Column, Condition } from "../../dialects/portable-style.ts";
import { compileValue, type Position, readDigits } from "./compile-value.ts";
import type { Scope, Treatment } from "./scope.ts";

/** The parts of a test of a column. */
export type Tested = {
  /** The authored key, with its operator. */
  readonly name: string;
  readonly column: Column;
  readonly position: Position;
  readonly operator: AuthoredOperator;
  readonly value: ValueNode;
  readonly node: ObjectFieldNode;
  readonly loc: NodeLocation;
};

/** Compiles the test of a column; null if it is refused. */
export function compileTested(tested: Tested, outer: Scope): Condition | null {
  const { operator, value, position, column, loc } = tested;
  const isEqual = operator.name === "equal";
  if (value.kind === Kind.VARIABLE && isEqual && outer.nullable.has(value.name.value)) {
    const compared = compileComparison(value, tested, outer);
    if (compared !== null) return { kind: "compared", column, value: compared, loc };
  }
  // Null fails in both styles, except for equality of ids that the styles write differently.
  const refuseNull: Scope["use"] = (variable, use) => outer.use(variable, { ...use, ifNull: "differs" });
  const scope = isEqual && value.kind === Kind.VARIABLE ? { ...outer, use: refuseNull } : outer;
  const { type } = position;
  if (type.isList) return compileListTest(tested, scope);
  switch (operator.name) {
    case "contains":
    case "starts-with":
    case "ends-with":
      return type.name === "Bytes" ? compileBytesPattern(tested, scope) : compilePattern(tested, scope);
    case "in":
      return compileIn(tested, scope);
    case "related":
      return null;
    default:
      return compare(tested, operator.name, compileValue(value, position, scope));
  }
}

/** Compiles equality with a variable that may be null, which then tests for null; null for ids that differ. */
function compileComparison(
  value: VariableNode,
  { position, operator }: Pick<Tested, "position" | "operator">,
  scope: Scope,
): VariableNode | null {
  const { name, forms, isIdWithBytes } = position.type;
  // Other values of these types are refused.
  if (forms !== null || name === "Int8" || name === "Timestamp") return null;
  const { loc } = value;
  const comparison = scope.facts.written.writer.comparison(operator.isNegated, loc);
  const isBytes = name === "Bytes";
  if (isBytes) scope.apply("bytes-form", value);
  scope.apply("null-variable", value);
  return scope.use(value, {
    treatment: { kind: "comparison", ...comparison, isBytes, isIdWithBytes },
    compileDefault: (value) => {
      const compiled = compileValue(value, position, scope);
      return compiled === null ? null : objectNode([[comparison.name, compiled]], value.loc);
    },
  });
}

function compare(
  { column, operator, loc }: Tested,
  test: Extract<Condition, { kind: "test" }>["test"],
  value: ValueNode | null,
): Condition | null {
  return value === null ? null : { kind: "test", column, test, isNegated: operator.isNegated, value, loc };
}

function compileIn(tested: Tested, scope: Scope): Condition | null {
  const { value, operator, name, node, position } = tested;
  if (value.kind === Kind.VARIABLE) {
    const variable = compileValue(value, position, {
      ...scope,
      use: (variable, use) => scope.use(variable, { ...use, isNotIn: operator.isNegated }),
    });
    return compare(tested, "in", variable);
  }
  if (value.kind !== Kind.LIST) return scope.refuse("portable/list-filter", [name, "takes a list"], node);
  const isNothing = operator.isNegated && value.values.length === 0;
  if (isNothing) scope.apply("not-in-nothing", node);
  const compiled = compare(tested, "in", compileValue(value, position, scope));
  return isNothing && compiled?.kind === "test" ? { ...compiled, isNegated: false } : compiled;
}

function compileListTest(tested: Tested, scope: Scope): Condition | null {
  const { name, operator, value, node, column, loc, position } = tested;
  const refuse = (reason: string) => scope.refuse("portable/list-filter", [name, reason], node);
  if (operator.ignoresCase) return refuse("ignores case in a list");
  if (value.kind !== Kind.LIST && value.kind !== Kind.VARIABLE) return refuse("takes a list");
  const isNotContains = operator.name === "contains" && operator.isNegated;
  if (isNotContains && value.kind === Kind.VARIABLE) return refuse("takes no variable");
  const compiled = compileValue(value, position, scope);
  if (operator.name === "equal") return compare(tested, "equal", compiled);
  if (!isNotContains || compiled?.kind !== Kind.LIST) return compare(tested, "has-all", compiled);
  scope.apply("list-not-contains", node);
  const of = compiled.values.map(
    (item): Condition => ({
      kind: "test",
      column,
      test: "has-all",
      isNegated: false,
      loc,
      value: listNode([item], item.loc),
    }),
  );
  return {
    kind: "and",
    of: [
      { kind: "null", column, isNull: false, loc },
      { kind: "not", of: { kind: "or", of, loc }, loc },
    ],
    loc,
  };
}

function compileBytesPattern(tested: Tested, scope: Scope): Condition | null {
  const { name, operator, value, node } = tested;
  if (operator.name !== "contains" || operator.ignoresCase) {
    return scope.refuse("portable/pattern", [name, "looks for text in bytes"], node);
  }
  scope.apply("pattern", node);
  return compare(
    tested,
    "bytes-like",
    compilePatternValue(value, { ...BYTES, ...scope.facts.written.writer.bytesPattern }, scope),
  );
}

const BYTES = { kind: "pattern", name: "bytes", isWhole: false, isBytes: true } as const;

function compilePattern(tested: Tested, scope: Scope): Condition | null {
  const { operator, value, node } = tested;
  scope.apply("pattern", node);
  const treatment = PATTERNS[operator.name as keyof typeof PATTERNS];
  const pattern = compilePatternValue(value, treatment, scope);
  return compare(tested, operator.ignoresCase ? "like-nocase" : "like", pattern);
}

type Pattern = Extract<Treatment, { kind: "pattern" }>;

const LIKE = { kind: "pattern", isWhole: false, isBytes: false } as const;

const PATTERNS: Readonly<Record<"contains" | "starts-with" | "ends-with", Pattern>> = {
  contains: { ...LIKE, name: "like", before: "%", after: "%", isWhole: true },
  "starts-with": { ...LIKE, name: "start", before: "", after: "%" },
  "ends-with": { ...LIKE, name: "end", before: "%", after: "" },
};

function compilePatternValue(value: ValueNode, treatment: Pattern, scope: Scope): ValueNode | null {
  if (value.kind === Kind.VARIABLE) {
    return scope.use(value, {
      treatment,
      ifNull: "error",
      compileDefault: (value) => compilePatternValue(value, treatment, scope),
    });
  }
  const { before, after, isWhole, isBytes } = treatment;
  if (isBytes) {
    const digits = readDigits(value, scope);
    return digits === null ? null : stringNode(`${before}${digits}${after}`, value.loc);
  }
  if (value.kind !== Kind.STRING) return null;
  const text = value.value;
  const pattern = isWhole && (text.startsWith("%") || text.endsWith("%")) ? text : `${before}${text}${after}`;
  const backslashes = /\\*$/.exec(pattern)?.[0].length ?? 0;
  return backslashes % 2 === 0
    ? stringNode(pattern, value.loc)
    : scope.refuse("portable/pattern", [print(value), "ends in a backslash"], value);
}
