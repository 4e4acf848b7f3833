import type { Budget } from "../../budget.ts";
import { checkBuckets } from "./bucket-filter.ts";
import type { CollectionContext } from "./collection.ts";
import { createCompleter, define } from "./complete.ts";
import { type GroupAnswer, withIndexingError } from "./indexing-error.ts";
import type { Introspector } from "./introspect.ts";
import { messages } from "./messages.ts";
import { type Node, prefetchRoot } from "./prefetch.ts";
import { type ErrorEntry, QueryError, refuse } from "./query-error.ts";
import type { Quirks } from "./quirks.ts";
import type { BlockContext, QueriedBlock } from "./resolve-block.ts";
import type { SchemaIndex } from "./schema-index.ts";
import type { SelectedField } from "./select.ts";
import type { TableSource } from "./tables.ts";

/** Consecutive root fields of one block, which succeed or fail together (B.8). */
export type Group = { readonly queried: QueriedBlock; readonly fields: readonly SelectedField[] };

/** What groups are run with; the same for all of a request. */
export type GroupContext = BlockContext & {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly quirks: Quirks;
  readonly tablesOf: TableSource;
  readonly introspect: Introspector;
};

/**
 * Answers a group of root fields.
 *
 * @throws QueryError with the errors of all its fields; then there is no data of any.
 */
export function runGroup({ queried, fields }: Group, context: GroupContext): GroupAnswer {
  const { history, chain } = context;
  checkLogs(fields);
  const blockTime =
    queried.block?.timestamp ?? history?.blockAt(queried.number).timestamp ?? chain.head.timestamp;
  const fetched = fetchEntities(fields, { ...context, tables: context.tablesOf(queried.store), blockTime });
  const data = complete(fields, fetched, queried, context);
  return queried.hasIndexingErrors ? withIndexingError(data, fields) : { data, errors: [] };
}

type Fetched = ReadonlyMap<SelectedField, readonly Node[]>;

function fetchEntities(fields: readonly SelectedField[], context: CollectionContext): Fetched {
  const errors: ErrorEntry[] = [];
  const fetched = new Map<SelectedField, readonly Node[]>();
  for (const field of fields) {
    if (kindOf(field) !== "entities" || field.hollow) continue;
    checkBuckets(field, context.index);
    try {
      fetched.set(field, prefetchRoot(field, context));
    } catch (cause) {
      if (!(cause instanceof QueryError) || cause.isFatal) throw cause;
      errors.push(...cause.errors);
    }
  }
  if (errors.length > 0) throw new QueryError(errors);
  return fetched;
}

function complete(
  fields: readonly SelectedField[],
  fetched: Fetched,
  queried: QueriedBlock,
  { budget, index, introspect, deployment }: GroupContext,
): Readonly<Record<string, unknown>> {
  const errors: ErrorEntry[] = [];
  const completer = createCompleter(index, budget, errors);
  const answer: Record<string, unknown> = {};
  // The server answers its own fields after the ordinary ones, whatever the order of the query (B.8).
  const ranked = fields
    .map((field) => ({ field, kind: kindOf(field) }))
    .sort((a, b) => ROOT_ORDER.indexOf(a.kind) - ROOT_ORDER.indexOf(b.kind));
  for (const { field, kind } of ranked) {
    switch (kind) {
      case "entities":
        define(answer, field.key, completer.entities(field, fetched.get(field) ?? []));
        break;
      case "meta": {
        checkMeta(field, errors);
        const value = field.name === "_meta" ? metaValue(queried, deployment) : index.queryType;
        define(answer, field.key, completer.plain(field, value));
        break;
      }
      case "introspection":
        define(answer, field.key, completer.plain(field, introspect(field.name, field.args)));
        break;
    }
  }
  if (errors.length > 0) throw new QueryError(errors);
  return answer;
}

/** The value of `_meta` (B.6). What is found by hash, a constraint by number does not give. */
function metaValue({ number, block, hasIndexingErrors }: QueriedBlock, deployment: string): unknown {
  const { hash = null, timestamp = null, parentHash = null } = block ?? {};
  return { block: { number, hash, timestamp, parentHash }, deployment, hasIndexingErrors };
}

/** The block of `_meta` is found by its own name only. */
function checkMeta({ field, selection }: SelectedField, errors: ErrorEntry[]): void {
  for (const { key, name, field: block } of selection.get(field.base) ?? []) {
    if (name === "block" && key !== name) errors.push(messages.nothingFetched(block.base, name));
  }
}

type RootKind = "entities" | "meta" | "introspection" | "logs";

const ROOT_ORDER: readonly RootKind[] = ["entities", "meta", "introspection", "logs"];

function kindOf({ name }: SelectedField): RootKind {
  if (name === "_meta" || name === "__typename") return "meta";
  if (name === "__schema" || name === "__type") return "introspection";
  return name === "_logs" ? "logs" : "entities";
}

/** Like an indexer without a log store, which is how most run. */
function checkLogs(fields: readonly SelectedField[]): void {
  const kinds = new Set(fields.map(kindOf));
  if (!kinds.has("logs")) return;
  if (kinds.has("entities")) refuse(messages.logsCombined);
  refuse(messages.notSupported("the `_logs` query is not enabled on this indexer"));
}
