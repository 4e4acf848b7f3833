import { define } from "./complete.ts";
import { messages } from "./messages.ts";
import type { ErrorEntry } from "./query-error.ts";
import type { SelectedField } from "./select.ts";

/** What one group of root fields gives: data, unless nothing of it is left, and errors. */
export type GroupAnswer = {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly ErrorEntry[];
};

/** What is left of data that an indexing error denies, by response key (B.7). */
const ALWAYS_ANSWERED = ["_meta", "_logs", "__schema", "__type"];

/** What an indexing error does not concern, by response key. */
const UNCONCERNED: ReadonlySet<string> = new Set(["_meta", "_logs"]);

/** The answer of an indexer that had a deterministic error at or before the block (B.7). */
export function withIndexingError(
  data: Readonly<Record<string, unknown>>,
  fields: readonly SelectedField[],
): GroupAnswer {
  if (Object.keys(data).every((key) => UNCONCERNED.has(key))) return { data, errors: [] };
  const errors = [messages.indexingError];
  if (fields.every(allowsErrors)) return { data, errors };
  const left: Record<string, unknown> = {};
  for (const key of ALWAYS_ANSWERED) if (Object.hasOwn(data, key)) define(left, key, data[key]);
  return { data: Object.keys(left).length > 0 ? left : null, errors };
}

/** A field without the argument denies: `_meta`, `__typename` and introspection among them. */
function allowsErrors({ args }: SelectedField): boolean {
  const policy = args.get("subgraphError");
  return policy?.kind === "Enum" && policy.value === "allow";
}
