import type { QueryError } from "./query-error.ts";
import type { QueryValue } from "./query-value.ts";

/** What it takes to read the values of a request. */
export type Reading = {
  readonly variables: ReadonlyMap<string, Variable>;
  /**
   * Postpones an error that only the database would find. Validation of the whole request comes before it (D.3),
   * so the first one postponed is thrown when planning is over.
   */
  readonly postpone: (error: QueryError) => void;
};

export type Variable = {
  readonly name: string;
  /** The declared type as a type expression. */
  readonly type: string;
  /** Whether a default was written that is not null. */
  readonly hasDefault: boolean;
  /** Null when neither the request nor a default gives one. */
  readonly value: QueryValue;
};

/**
 * Puts variables in place inside a value that a column reads. What is inside such a value has no type of its own,
 * so neither is the declared type of the variable looked at.
 */
export function fillVariables(reading: Reading, input: QueryValue): QueryValue {
  switch (input.kind) {
    case "variable":
      return reading.variables.get(input.name)?.value ?? { kind: "null" };
    case "list":
      return input.json
        ? input
        : { ...input, items: input.items.map((item) => fillVariables(reading, item)) };
    case "object":
      return input.json
        ? input
        : {
            ...input,
            entries: input.entries.map(([key, value]) => [key, fillVariables(reading, value)] as const),
          };
    default:
      return input;
  }
}
