import {
  type Budget,
  createBudget,
  type Executor,
  type ExecutorOptions,
  type GraphqlRequest,
} from "../served-style.ts";
import { coerceVariables } from "./coerce.ts";
import { type CollectionContext, checkBuckets } from "./collection.ts";
import { createCompleter, createIntrospector, emptyAnswer, type Introspector } from "./complete.ts";
import { type ErrorEntry, messages, QueryError, refuse } from "./messages.ts";
import { type Node, prefetchRoot } from "./prefetch.ts";
import { createQueryPreparer } from "./prepare-query.ts";
import { type Quirks, quirksOf } from "./quirks.ts";
import {
  type BlockConstraint,
  type BlockContext,
  constraintKey,
  type QueriedBlock,
  readBlockConstraint,
  resolveBlock,
} from "./resolve-block.ts";
import { createSchemaIndex, type SchemaIndex } from "./schema-index.ts";
import { type SelectedField, selectRoot } from "./select.ts";
import { createTableSource, type TableSource } from "./tables.ts";

/**
 * Serves the query language of a subgraph over rows, as a graph-node of the given release and settings does, with
 * the limits of hosted services. A request sees one read view. Values derived from a store (above all, orders) are
 * cached with the store; values derived from the schema are cached with the executor.
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

  function execute({ query, variables: supplied }: GraphqlRequest): Readonly<Record<string, unknown>> {
    const view = options.now();
    const parsed = prepare(query);
    const [chain] = view.chains;
    if (chain === undefined) return refuse(messages.notStarted(deploymentHash));
    const budget = createBudget(() => {
      throw new QueryError([messages.timedOut], true);
    }, options.mostWork);
    const variables = coerceVariables(parsed.operation, supplied, index);
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
    const data = emptyAnswer();
    const errors: ErrorEntry[] = [];
    let answered = false;
    for (const group of groupByBlock(fields, context)) {
      try {
        const answer = runGroup(group, context);
        Object.assign(data, answer.data);
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

/** An unavailable block ends the request, whatever its other fields are. */
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

/** Consecutive root fields of one block, which succeed or fail together. */
type Group = { readonly queried: QueriedBlock; readonly fields: readonly SelectedField[] };

/** The context of a request's groups. */
type GroupContext = BlockContext & {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly quirks: Quirks;
  readonly tablesOf: TableSource;
  readonly introspect: Introspector;
};

/**
 * Answers a group of root fields.
 *
 * @throws QueryError with the errors of all its fields; then no field has data.
 */
function runGroup({ queried, fields }: Group, context: GroupContext): GroupAnswer {
  const { history, chain } = context;
  checkLogs(fields, context.quirks);
  const blockTime =
    queried.block?.timestamp ?? history?.blockAt(queried.number).timestamp ?? chain.head.timestamp;
  const fetched = fetchEntities(fields, { ...context, tables: context.tablesOf(queried.store), blockTime });
  const data = complete({ queried, fields }, fetched, context);
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
  { queried, fields }: Group,
  fetched: Fetched,
  { budget, index, introspect, deployment }: GroupContext,
): Readonly<Record<string, unknown>> {
  const errors: ErrorEntry[] = [];
  const completer = createCompleter(index, budget, errors);
  const answer = emptyAnswer();
  // The server answers its own fields after the others, whatever the order of the query.
  const ranked = fields
    .map((field) => ({ field, kind: kindOf(field) }))
    .sort((a, b) => ROOT_ORDER.indexOf(a.kind) - ROOT_ORDER.indexOf(b.kind));
  for (const { field, kind } of ranked) {
    switch (kind) {
      case "entities":
        answer[field.key] = completer.entities(field, fetched.get(field) ?? []);
        break;
      case "meta": {
        checkMeta(field, errors);
        const value = field.name === "_meta" ? metaValue(queried, deployment) : index.queryType;
        answer[field.key] = completer.plain(field, value);
        break;
      }
      case "introspection":
        answer[field.key] = completer.plain(field, introspect(field.name, field.args));
        break;
      case "logs": {
        const problem = findLogsError(field);
        if (problem !== null) errors.push(problem);
        answer[field.key] = [];
        break;
      }
    }
  }
  if (errors.length > 0) throw new QueryError(errors);
  return answer;
}

/** The value of `_meta`. Fields that need the hash are null for a constraint by number. */
function metaValue({ number, block, hasIndexingErrors }: QueriedBlock, deployment: string): unknown {
  const { hash = null, timestamp = null, parentHash = null } = block ?? {};
  return { block: { number, hash, timestamp, parentHash }, deployment, hasIndexingErrors };
}

/** Only the unaliased `block` of `_meta` is found. */
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

/** Like an indexer without a log store, the usual case. */
function checkLogs(fields: readonly SelectedField[], { refusesLogs }: Quirks): void {
  const kinds = new Set(fields.map(kindOf));
  if (!kinds.has("logs")) return;
  if (kinds.has("entities")) refuse(messages.logsCombined);
  if (refusesLogs) refuse(messages.notSupported("the `_logs` query is not enabled on this indexer"));
}

/** The data of one group, if any is left, and its errors. */
type GroupAnswer = {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly ErrorEntry[];
};

/** The response keys that an indexing error keeps. */
const ALWAYS_ANSWERED = ["_meta", "_logs", "__schema", "__type"];

/** The response keys without an indexing error. */
const UNCONCERNED: ReadonlySet<string> = new Set(["_meta", "_logs"]);

/** The answer of an indexer with a deterministic error at or before the block. */
function withIndexingError(
  data: Readonly<Record<string, unknown>>,
  fields: readonly SelectedField[],
): GroupAnswer {
  if (Object.keys(data).every((key) => UNCONCERNED.has(key))) return { data, errors: [] };
  const errors = [messages.indexingError];
  if (fields.every(allowsErrors)) return { data, errors };
  const left = emptyAnswer();
  for (const key of ALWAYS_ANSWERED) if (key in data) left[key] = data[key];
  return { data: Object.keys(left).length > 0 ? left : null, errors };
}

/** Without the argument, a field denies: `_meta`, `__typename` and introspection too. */
function allowsErrors({ args }: SelectedField): boolean {
  const policy = args.get("subgraphError");
  return policy?.kind === "Enum" && policy.value === "allow";
}

/** The largest numbers of `_logs`. */
const MOST_LOGS = { first: 1000n, skip: 10_000n };

/** The error of the arguments of `_logs`. The server has rules for the values of three, which are not supported. */
function findLogsError({ args, location }: SelectedField): ErrorEntry | null {
  if (["from", "to", "search"].some((name) => args.has(name))) {
    return messages.emulatorLacks("the arguments `from`, `to` and `search` of `_logs`");
  }
  for (const [name, most] of Object.entries(MOST_LOGS)) {
    const number = args.get(name);
    if (number?.kind !== "Int" || (number.value >= 0n && number.value <= most)) continue;
    const value = `${name} must ${number.value < 0n ? "be non-negative" : `not exceed ${most}`}`;
    return messages.invalidArgument(name, { kind: "String", value }, location);
  }
  return null;
}
