import { createBudget } from "../budget.ts";
import type { Executor, ExecutorOptions, GraphqlRequest } from "../served-style.ts";
import { type BlockConstraint, constraintKey, readBlockConstraint } from "./execute/block-constraint.ts";
import { coerceVariables } from "./execute/coerce.ts";
import { define } from "./execute/complete.ts";
import { createIntrospector } from "./execute/introspect.ts";
import { messages } from "./execute/messages.ts";
import { createQueryPreparer } from "./execute/prepare-query.ts";
import { type ErrorEntry, QueryError, refuse } from "./execute/query-error.ts";
import { quirksOf } from "./execute/quirks.ts";
import { type BlockContext, resolveBlock } from "./execute/resolve-block.ts";
import { type Group, runGroup } from "./execute/run-group.ts";
import { createSchemaIndex } from "./execute/schema-index.ts";
import { type SelectedField, selectRoot } from "./execute/select.ts";
import { createTableSource } from "./execute/tables.ts";

/**
 * What a request may cost, which a machine of today does in a second or two. The hosted nodes end a query that takes
 * too long, which is how this ends: nothing says how long that is.
 */
const MOST_WORK = 2_000_000;

/**
 * Serves the query language of a subgraph over rows, as a graph-node of the given release and settings does, with
 * the limits of hosted services. A request sees one read view. What is made of a store (orders above all) is cached
 * with the store, and what is made of the schema with the executor.
 *
 * @example
 * ```ts
 * declare const options: Parameters<typeof createSubgraphExecutor>[0];
 *
 * createSubgraphExecutor(options)({ query: "{ streams(first: 2) { id } }", variables: null, operationName: null });
 * // { data: { streams: [{ id: "…" }, { id: "…" }] } }
 * ```
 */
export function createSubgraphExecutor(options: ExecutorOptions): Executor {
  const { history, deploymentHash } = options;
  const index = createSchemaIndex(options);
  const quirks = quirksOf(options.release);
  const prepare = createQueryPreparer(options, index);
  const tablesOf = createTableSource(index);
  const introspect = createIntrospector(options.schema, quirks);

  function execute({ query, variables: given }: GraphqlRequest): Readonly<Record<string, unknown>> {
    const view = options.now();
    const parsed = prepare(query);
    const [chain] = view.chains;
    if (chain === undefined) return refuse(messages.notStarted(deploymentHash));
    const budget = createBudget(options.mostWork ?? MOST_WORK, () => {
      throw new QueryError([messages.timedOut], true);
    });
    const variables = coerceVariables(parsed.operation, given, index);
    if (parsed.error !== null) throw parsed.error;
    const fields = selectRoot(parsed.operation.selectionSet, {
      budget,
      index,
      fragments: parsed.fragments,
      variables,
    });
    const context = {
      budget,
      view,
      chain,
      history,
      deployment: deploymentHash,
      index,
      quirks,
      tablesOf,
      introspect,
    };
    const data: Record<string, unknown> = {};
    const errors: ErrorEntry[] = [];
    let answered = false;
    for (const group of groupByBlock(fields, context)) {
      try {
        const answer = runGroup(group, context);
        for (const [key, value] of Object.entries(answer.data ?? {})) define(data, key, value);
        answered ||= answer.data !== null;
        errors.push(...answer.errors);
      } catch (cause) {
        if (!(cause instanceof QueryError)) throw cause;
        errors.push(...cause.errors);
      }
    }
    return { ...(answered ? { data } : {}), ...(errors.length > 0 ? { errors } : {}) };
  }

  return (request) => {
    try {
      return execute(request);
    } catch (cause) {
      if (!(cause instanceof QueryError)) throw cause;
      return { errors: cause.errors };
    }
  };
}

/** A block that cannot be had ends the request, whatever its other fields ask for. */
function groupByBlock(fields: readonly SelectedField[], context: BlockContext): readonly Group[] {
  const groups: { readonly constraint: BlockConstraint; readonly fields: SelectedField[] }[] = [];
  for (const field of fields) {
    const constraint = readBlockConstraint(field.args.get("block"));
    const last = groups.at(-1);
    if (last && constraintKey(last.constraint) === constraintKey(constraint)) last.fields.push(field);
    else groups.push({ constraint, fields: [field] });
  }
  return groups.map((group) => ({
    fields: group.fields,
    queried: resolveBlock(group.constraint, context),
  }));
}
