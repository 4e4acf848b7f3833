import { lineOf } from "./authored-types.ts";

/** Why graph-node refuses an entity schema, in its own words. */
export type EntityProblem = {
  readonly reason: string;
  /** Where, counted from 1; null where no one line is to blame. */
  readonly line: number | null;
};

/** A problem with what a node defines. */
export function problemAt(node: Parameters<typeof lineOf>[0], reason: string): EntityProblem {
  return { reason, line: lineOf(node) };
}
