import { OperationTypeNode } from "graphql";
import { baseTypeName, isList } from "../../utils/type-expression.ts";
import type { Executor, GraphqlRequest, ServedIndexer } from "../style.ts";
import { planAggregateObject } from "./execute/aggregate-object.ts";
import { planPrimaryKey } from "./execute/by-pk.ts";
import { type Catalog, createCatalog } from "./execute/catalog.ts";
import { strictString } from "./execute/coerce.ts";
import { checkOperationDirectives } from "./execute/directives.ts";
import { chooseOperation, parseRequest } from "./execute/document.ts";
import { faultBody, QueryFault } from "./execute/fault.ts";
import { createIntrospection, type Introspection, planIntrospection } from "./execute/introspect.ts";
import { mutationRefused, subscriptionRefused, subscriptionRootsMany } from "./execute/messages.ts";
import { planRow, planRows } from "./execute/row-object.ts";
import type { Scope } from "./execute/scope.ts";
import {
  planObject,
  type Resolver,
  responseNames,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./execute/selection.ts";
import { readVariables } from "./execute/variables.ts";

/**
 * The most rows the hosted service gives in one list. No number is published and the schema does not show it;
 * clients of the deployments page by this one.
 */
const ROW_CAP = 1000;

/**
 * Serves queries over rows in the platform's dialect: every answer, errors included, is one body sent with
 * status 200. Rows must not change while they are served.
 */
export function createMultichainExecutor(served: ServedIndexer): Executor {
  const catalog = createCatalog(served);
  let introspection: Introspection | undefined;
  const introspect = (): Introspection => (introspection ??= createIntrospection(served.schema));
  return (request) => {
    try {
      return { data: execute(catalog, introspect, request) };
    } catch (error) {
      if (error instanceof QueryFault) return faultBody(error);
      throw error;
    }
  };
}

function execute(catalog: Catalog, introspect: () => Introspection, request: GraphqlRequest): unknown {
  const document = parseRequest(request.query);
  const operation = chooseOperation(document, request.operationName);
  const { fragments } = document;
  const variables = readVariables(operation, fragments, request.variables ?? {});
  let postponed: QueryFault | undefined;
  const scope: Scope = {
    catalog,
    fragments,
    variables,
    rowCap: ROW_CAP,
    postpone: (fault) => {
      postponed ??= fault;
    },
  };
  const selection = { sets: [operation.selectionSet], path: "$.selectionSet" };
  checkOperationDirectives(scope, operation.directives);
  if (operation.operation === OperationTypeNode.MUTATION) throw mutationRefused();
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
    throw refusedSubscription(scope, selection);
  }
  const answer = planObject<null>(scope, catalog.schema.queryType, selection, (selected) =>
    planRoot(scope, introspect, selected),
  );
  if (postponed) throw postponed;
  return answer(null);
}

function planRoot(scope: Scope, introspect: () => Introspection, selected: SelectedField): Resolver<null> {
  const { name, type } = selected.field;
  const target = baseTypeName(type);
  if (name === "__schema") {
    const object = planIntrospection(scope, introspect(), target, selectionOf(selected));
    return () => object(introspect().schema);
  }
  if (name === "__type") return planType(scope, introspect(), selected);
  if (!scope.catalog.isTable(target)) {
    const aggregated = scope.catalog.table(target.slice(0, -"_aggregate".length));
    return planAggregateObject(scope, aggregated, selected);
  }
  const table = scope.catalog.table(target);
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

/** The number of roots is validated before the transport is found unfit. */
function refusedSubscription(scope: Scope, selection: Selection): QueryFault {
  const roots = responseNames(scope, scope.catalog.schema.subscriptionType ?? "", selection);
  return roots.length > 1 ? subscriptionRootsMany() : subscriptionRefused();
}
