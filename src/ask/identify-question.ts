import type { BlockRef } from "../../packages/client/src/client/client-types.ts";
import type { Question } from "./prepare-question.ts";

/** Describes a question by aspect, in readable words. Exports with equal aspects have the same rows. */
export function identifyQuestion(
  { operation, variables, chains, lists, now, units, past }: Question,
  {
    block,
    source,
    environment,
  }: {
    readonly block: BlockRef<number> | undefined;
    /** The indexers that are queried. */
    readonly source: string;
    readonly environment: string;
  },
): Readonly<Record<string, string>> {
  const listed = past?.listed && chains.map((chain) => past.listed?.get(chain)?.block);
  const values = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation: operation.name,
    protocol: operation.protocol,
    arguments: lists,
    variables: JSON.stringify(Object.fromEntries(values)),
    block: JSON.stringify(past ? (listed ?? { at: past.time }) : (block ?? null)),
    source,
    environment,
    ...(now === null ? {} : { now: String(now) }),
    ...(units ? { units: "added" } : {}),
  };
}
