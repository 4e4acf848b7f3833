import type { ChainState } from "../../model/rows.ts";
import type { Executor, GraphqlRequest, ServedIndexer } from "../style.ts";
import { coerceVariables } from "./execute/coerce.ts";
import { createCompleter, define } from "./execute/complete.ts";
import type { FilterContext } from "./execute/filter.ts";
import { createIntrospector, type Introspector } from "./execute/introspect.ts";
import { messages } from "./execute/messages.ts";
import {
  type BlockConstraint,
  checkConstraint,
  constraintKey,
  metaValue,
  readBlockConstraint,
} from "./execute/meta.ts";
import { parseQuery } from "./execute/parse-query.ts";
import { type Node, prefetchRoot } from "./execute/prefetch.ts";
import { type QueryError, Refusal, refuse } from "./execute/refusal.ts";
import { createSchemaIndex } from "./execute/schema-index.ts";
import { type SelectedField, selectRoot } from "./execute/select.ts";
import { createTables } from "./execute/tables.ts";
import { validateQuery } from "./execute/validate.ts";

/**
 * Serves the query language of a subgraph over rows, as a graph-node of the newest release with lenient
 * validation, the default, and the limits of hosted services. Rows and schema are taken not to change: sorted
 * tables and introspection are kept once made.
 *
 * @example
 * createSubgraphExecutor(served)({ query: "{ streams(first: 2) { id } }", variables: null, operationName: null })
 * // { data: { streams: [{ id: "…" }, { id: "…" }] } }
 */
export function createSubgraphExecutor(served: ServedIndexer): Executor {
  const index = createSchemaIndex(served);
  const tables = createTables(served.now().store, index);
  const introspect = createIntrospector(served.schema);
  const chain = served.now().chains[0];
  const context: FilterContext = { index, tables, writtenAt: chain?.startBlock ?? 0 };

  function execute({ query, variables: given }: GraphqlRequest): Readonly<Record<string, unknown>> {
    const parsed = parseQuery(query);
    const variables = coerceVariables(parsed.operation, given, index);
    validateQuery(parsed, index);
    const fields = selectRoot(parsed.operation.selectionSet, {
      index,
      fragments: parsed.fragments,
      variables,
    });
    const data: Record<string, unknown> = {};
    const errors: QueryError[] = [];
    let answered = fields.length === 0;
    for (const group of groupByBlock(fields)) {
      try {
        const answer = runGroup(group, { context, chain, introspect, deployment: served.deploymentHash });
        for (const [key, value] of Object.entries(answer)) define(data, key, value);
        answered = true;
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause;
        errors.push(...cause.errors);
      }
    }
    return { ...(answered ? { data } : {}), ...(errors.length > 0 ? { errors } : {}) };
  }

  return (request) => {
    try {
      return execute(request);
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      return { errors: cause.errors };
    }
  };
}

type Group = { readonly constraint: BlockConstraint; readonly fields: SelectedField[] };

/** Consecutive root fields of one block succeed or fail together (B.8). */
function groupByBlock(fields: readonly SelectedField[]): readonly Group[] {
  const groups: Group[] = [];
  for (const field of fields) {
    const constraint = readBlockConstraint(field.args.get("block"));
    const last = groups.at(-1);
    if (last && constraintKey(last.constraint) === constraintKey(constraint)) last.fields.push(field);
    else groups.push({ constraint, fields: [field] });
  }
  return groups;
}

type GroupContext = {
  readonly context: FilterContext;
  readonly chain: ChainState | undefined;
  readonly introspect: Introspector;
  readonly deployment: string;
};

function runGroup(
  { constraint, fields }: Group,
  { context, chain, introspect, deployment }: GroupContext,
): Readonly<Record<string, unknown>> {
  if (chain === undefined) return refuse(messages.notStarted(deployment));
  checkConstraint(constraint, chain, deployment);
  checkLogs(fields);

  const errors: QueryError[] = [];
  const fetched = new Map<SelectedField, readonly Node[]>();
  for (const field of fields) {
    if (kindOf(field) !== "entities") continue;
    try {
      fetched.set(field, prefetchRoot(field, context));
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      errors.push(...cause.errors);
    }
  }
  if (errors.length > 0) throw new Refusal(errors);

  const completer = createCompleter(context.index, errors);
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
        const value =
          field.name === "_meta" ? metaValue(constraint, chain, deployment) : context.index.queryType;
        define(answer, field.key, completer.plain(field, value));
        break;
      }
      case "introspection":
        define(answer, field.key, completer.plain(field, introspect(field.name, field.args)));
        break;
      case "logs":
        break;
    }
  }
  if (errors.length > 0) throw new Refusal(errors);
  return answer;
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
