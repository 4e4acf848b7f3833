/** What an operator on text or lists does. */
export type PatternKind = {
  readonly negated: boolean;
  readonly nocase: boolean;
  readonly kind: "contains" | "starts_with" | "ends_with";
};

/** Takes the name of an operator apart: `_not_contains_nocase` negates, ignores case and contains. */
export function patternKind(operator: string): PatternKind {
  return {
    negated: operator.startsWith("_not_"),
    nocase: operator.endsWith("_nocase"),
    kind: KINDS.find((kind) => operator.includes(kind)) ?? "ends_with",
  };
}

const KINDS = ["contains", "starts_with"] as const;
