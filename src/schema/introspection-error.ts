import { SchemaError } from "../base/errors/schema-error.ts";

/** The error for an answer that breaks the rules of introspection or of GraphQL; `problem` names the place. */
export function notIntrospection(problem: string): SchemaError {
  return new SchemaError({
    code: "SCHEMA_NOT_INTROSPECTION",
    sentence: `The answer is not an introspection result: ${problem}.`,
    hint: "check that the URL is a GraphQL endpoint of this deployment.",
    problems: [{ reason: problem, line: null, column: null }],
  });
}

/** The error for an answer that lacks a part; `problem` names the place. */
export function incomplete(problem: string): SchemaError {
  return new SchemaError({
    code: "SCHEMA_INCOMPLETE",
    sentence: `The schema is incomplete: ${problem}.`,
    hint: "the server sent part of its schema; try again later, and report it to its operator if it stays so.",
    problems: [{ reason: problem, line: null, column: null }],
  });
}

/** What stands where something else should, in a few words and on one line. */
export function showValue(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  // Cut before it is copied: a part of a string keeps the whole of it in memory.
  if (typeof value === "string" && value.length > 60) return `${JSON.stringify(value.slice(0, 60))}…`;
  return JSON.stringify(value);
}
