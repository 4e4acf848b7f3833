import { OperationTypeNode } from "graphql";
import { baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import { type Budget, createBudget } from "../budget.ts";
import type { Executor, ExecutorOptions, GraphqlRequest } from "../served-style.ts";
import { planRootAggregate } from "./execute/aggregate-object.ts";
import { planPrimaryKey } from "./execute/by-pk.ts";
import { strictString } from "./execute/coerce.ts";
import { createData, type Data } from "./execute/data.ts";
import { checkOperationDirectives } from "./execute/directives.ts";
import { createIntrospection, type Introspection, planIntrospection } from "./execute/introspect.ts";
import { messages } from "./execute/messages.ts";
import { chooseOperation } from "./execute/parse-query.ts";
import { createPlatformRows } from "./execute/platform-rows.ts";
import { createQueryPreparer } from "./execute/prepare-query.ts";
import { errorBody, QueryError } from "./execute/query-error.ts";
import { planRow, planRows } from "./execute/row-object.ts";
import { createSchemaIndex } from "./execute/schema-index.ts";
import type { Scope } from "./execute/scope.ts";
import {
  planObject,
  type Resolver,
  responseNames,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./execute/select.ts";
import { checkStream } from "./execute/stream.ts";
import { readVariables } from "./execute/variables.ts";

/**
 * The most rows the hosted service gives in one list. No number is published and the schema does not show it;
 * clients of the deployments page by this one.
 */
const HOSTED_ROW_CAP = 1000;

/**
 * What a request may cost, which a machine of today does in a second or two. The hosted database ends a statement that
 * takes too long, which is how this ends: nothing says how long that is.
 */
const MOST_WORK = 2_000_000;

/** What is made once of an indexer, for all requests. */
type ServedSchema = Pick<Scope, "index" | "rowCap"> & {
  readonly parse: ReturnType<typeof createQueryPreparer>;
  readonly introspection: () => Introspection;
};

/**
 * Serves queries over rows in the platform's dialect: every answer, errors included, is one body sent with
 * status 200. A request sees one read view, that of its start.
 */
export function createMultichainExecutor(options: ExecutorOptions): Executor {
  const { rowCap } = options.settings;
  let introspection: Introspection | undefined;
  const design: ServedSchema = {
    index: createSchemaIndex(options),
    rowCap: rowCap === undefined ? HOSTED_ROW_CAP : rowCap,
    parse: createQueryPreparer(),
    introspection: () => (introspection ??= createIntrospection(options.schema)),
  };
  const platformRows = createPlatformRows(options.release);
  return (request) => {
    const budget = createBudget(options.mostWork ?? MOST_WORK, () => {
      throw messages.databaseFailed();
    });
    const data = createData(options.now(), platformRows, budget);
    try {
      return { data: execute(design, data, request, budget) };
    } catch (error) {
      if (error instanceof QueryError) return errorBody(error);
      // What is nested too deeply for the stack is as unreadable as a syntax error.
      if (error instanceof RangeError) return errorBody(messages.invalidDocument());
      throw error;
    }
  };
}

function execute(
  { index, rowCap, parse, introspection }: ServedSchema,
  data: Data,
  request: GraphqlRequest,
  budget: Budget,
): unknown {
  const document = parse(request.query);
  const operation = chooseOperation(document, request.operationName);
  const { fragments } = document;
  const variables = readVariables(operation, fragments, request.variables ?? {});
  let postponed: QueryError | undefined;
  const scope: Scope = {
    budget,
    index,
    data,
    fragments,
    variables,
    rowCap,
    postpone: (error) => {
      postponed ??= error;
    },
  };
  const selection = { sets: [operation.selectionSet], path: "$.selectionSet" };
  checkOperationDirectives(scope, operation.directives);
  if (operation.operation === OperationTypeNode.MUTATION) throw messages.mutationRefused();
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw refusedSubscription(scope, selection);
  const answer = planObject<null>(scope, index.schema.queryType, selection, (selected) =>
    planRoot(scope, introspection, selected),
  );
  if (postponed) throw postponed;
  return answer(null);
}

function planRoot(scope: Scope, introspection: () => Introspection, selected: SelectedField): Resolver<null> {
  const { name, type } = selected.field;
  if (name === "__schema") {
    const object = planIntrospection(scope, introspection(), baseTypeName(type), selectionOf(selected));
    return () => object(introspection().schema);
  }
  return name === "__type" ? planType(scope, introspection(), selected) : planTable(scope, selected);
}

/** A root of a table: its rows, one of them, or an aggregate. */
function planTable(scope: Scope, selected: SelectedField): Resolver<null> {
  const { type } = selected.field;
  const target = baseTypeName(type);
  if (!scope.index.isTable(target)) {
    const aggregated = scope.index.table(target.slice(0, -"_aggregate".length));
    return planRootAggregate(scope, aggregated, selected, planRow);
  }
  const table = scope.index.table(target);
  if (isList(type)) return planRows(scope, table, selected);
  const find = planPrimaryKey(scope, table, selected);
  const object = planRow(scope, table, selectionOf(selected));
  return () => {
    const row = find();
    return row === undefined ? null : object(row);
  };
}

function planType(scope: Scope, introspection: Introspection, selected: SelectedField): Resolver<null> {
  const object = planIntrospection(scope, introspection, "__Type", selectionOf(selected));
  const names = selected.args.map((arg) => strictString(arg.value, arg.path));
  const type = introspection.types.get(names[0] ?? "");
  return () => (type === undefined ? null : object(type));
}

/** A subscription is validated, then its roots are counted, and only then is the transport found unfit. */
function refusedSubscription(scope: Scope, selection: Selection): QueryError {
  const root = scope.index.schema.subscriptionType ?? "";
  planObject<null>(scope, root, selection, (selected) => {
    if (!selected.field.args.some((arg) => arg.name === "cursor")) return planTable(scope, selected);
    checkStream(scope, scope.index.table(baseTypeName(selected.field.type)), selected);
    return () => null;
  });
  const roots = responseNames(scope, root, selection);
  return roots.length > 1 ? messages.subscriptionRootsMany() : messages.subscriptionRefused();
}
