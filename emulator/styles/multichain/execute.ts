import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  TokenKind,
  visit,
} from "graphql";
import { once } from "../../../src/base/collections.ts";
import { type ApiSchema, baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import { buildIntrospection } from "../../../src/dialects/introspection.ts";
import type { Row } from "../read-view.ts";
import {
  cacheQueries,
  createBudget,
  type Executor,
  type ExecutorOptions,
  type GraphqlRequest,
} from "../served-style.ts";
import { type Key, keyText } from "./keys.ts";
import { errorBody, messages, QueryError } from "./messages.ts";
import { planRootAggregate, planRow, planRows } from "./row-object.ts";
import { type Column, createSchemaIndex, type Table } from "./schema-index.ts";
import { createData, createPlatformRows, type Scope } from "./scope.ts";
import {
  checkOperationDirectives,
  planObject,
  type Resolver,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./select.ts";
import { readVariables, strictString } from "./variables.ts";

/** The hosted service's row limit. It is not published and not in the schema; clients of the deployments page by it. */
const HOSTED_ROW_CAP = 1000;

/**
 * Creates the executor of the platform's dialect: every answer, errors included, is a body with status 200. A request
 * uses one read view, that of its start.
 */
export function createMultichainExecutor(options: ExecutorOptions): Executor {
  const { rowCap = HOSTED_ROW_CAP } = options.settings;
  const index = createSchemaIndex(options);
  const parse = cacheQueries(parseQuery);
  const introspection = once(() => createIntrospection(options.schema));
  const platformRows = createPlatformRows(options.release);

  function execute({ query, operationName, variables }: GraphqlRequest): unknown {
    const budget = createBudget(() => {
      throw messages.databaseFailed();
    }, options.mostWork);
    const document = parse(query);
    const operation = chooseOperation(document, operationName);
    const { fragments } = document;
    if (operation.operation === OperationTypeNode.MUTATION) throw messages.mutationRefused();
    // The platform validates a subscription first.
    if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw messages.subscriptionRefused();
    let postponed: QueryError | undefined;
    const scope: Scope = {
      budget,
      index,
      data: createData(options.now(), platformRows, budget),
      fragments,
      variables: readVariables(operation, fragments, variables ?? {}),
      rowCap,
      postpone: (error) => {
        postponed ??= error;
      },
    };
    checkOperationDirectives(scope, operation.directives);
    const selection = { type: index.queryType, sets: [operation.selectionSet], path: "$.selectionSet" };
    const answer = planObject<null>(scope, selection, (selected) => planRoot(scope, introspection, selected));
    if (postponed) throw postponed;
    return answer(null);
  }

  return (request) => {
    try {
      return { data: execute(request) };
    } catch (error) {
      if (error instanceof QueryError) return errorBody(error);
      // Nesting too deep for the stack is reported as a syntax error.
      if (error instanceof RangeError) return errorBody(messages.invalidDocument());
      throw error;
    }
  };
}

function planRoot(scope: Scope, introspection: () => Introspection, selected: SelectedField): Resolver<null> {
  const { name } = selected.field;
  if (name === "__schema") {
    const object = planIntrospection(scope, introspection(), selectionOf(selected));
    return () => object(introspection().schema);
  }
  return name === "__type" ? planType(scope, introspection(), selected) : planTable(scope, selected);
}

/** A root field of a table: its rows, one row, or an aggregate. */
function planTable(scope: Scope, selected: SelectedField): Resolver<null> {
  const { type } = selected.field;
  const target = baseTypeName(type);
  if (!scope.index.isTable(target)) {
    const aggregated = scope.index.table(target.slice(0, -"_aggregate".length));
    return planRootAggregate(scope, aggregated, selected);
  }
  const table = scope.index.table(target);
  if (isList(type)) return planRows(scope, table, selected);
  const find = planPrimaryKey(scope, table, selected);
  const object = planRow(scope, selectionOf(selected));
  return () => {
    const row = find();
    return row === undefined ? null : object(row);
  };
}

function planType(scope: Scope, introspection: Introspection, selected: SelectedField): Resolver<null> {
  const object = planIntrospection(scope, introspection, selectionOf(selected));
  const names = selected.args.map((arg) => strictString(arg));
  const type = introspection.types.get(names[0] ?? "");
  return () => (type === undefined ? null : object(type));
}

type ParsedQuery = {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/** Parses the text of a request; every syntax error gives the same message. */
function parseQuery(query: string): ParsedQuery {
  const document = syntaxTree(query);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION) throw messages.invalidDocument();
    else if (!fragments.has(definition.name.value)) fragments.set(definition.name.value, definition);
  }
  return { operations, fragments };
}

/** The operation to run; the first of several with the same name. */
function chooseOperation({ operations }: ParsedQuery, operationName: string | null): OperationDefinitionNode {
  if (operationName === null) {
    const [only] = operations;
    if (only === undefined || operations.length > 1) throw messages.operationAmbiguous();
    return only;
  }
  // Only `{ … }` without the keyword counts as anonymous.
  if (operations.some(({ loc }) => loc?.startToken.kind === TokenKind.BRACE_L))
    throw messages.operationAnonymous();
  const named = operations.find((operation) => operation.name?.value === operationName);
  if (!named) throw messages.operationMissing(operationName);
  return named;
}

/** Parses a text. Repeated names of arguments and fields are syntax errors, too. */
function syntaxTree(query: string): DocumentNode {
  try {
    const document = parse(query);
    visit(document, {
      Field: (node) => refuseRepeatedNames(node.arguments),
      Directive: (node) => refuseRepeatedNames(node.arguments),
      ObjectValue: (node) => refuseRepeatedNames(node.fields),
    });
    return document;
  } catch (cause) {
    // Nesting too deep for the stack is reported as a syntax error.
    if (cause instanceof GraphQLError || cause instanceof RangeError) throw messages.invalidDocument();
    throw cause;
  }
}

function refuseRepeatedNames(nodes: readonly { readonly name: { readonly value: string } }[] = []): void {
  if (new Set(nodes.map(({ name }) => name.value)).size < nodes.length) throw messages.invalidDocument();
}

/** Plans `T_by_pk`: the row with these key columns. Row cap and filters do not apply. */
function planPrimaryKey(scope: Scope, table: Table, { args }: SelectedField): () => Row | undefined {
  const wanted = args.map((arg) => {
    const column = table.columns.get(arg.name) as Column;
    return { column, key: column.kind.operand(scope, arg) };
  });
  const isWanted = (row: Row) => wanted.every(({ column, key }) => holds(row, column, key));
  const id = wanted.find(({ column }) => column.field === "id");
  if (!table.isEntity || id === undefined) return () => scope.data.rows(table).find(isWanted);
  return () => {
    const stored = id.key === null ? undefined : id.column.kind.stored(id.key);
    const row = stored === undefined ? undefined : scope.data.find(table, stored);
    return row !== undefined && isWanted(row) ? row : undefined;
  };
}

function holds(row: Row, { field, kind }: Column, key: Key | null): boolean {
  const value = row[field] ?? null;
  return value !== null && key !== null && keyText(kind.key(value)) === keyText(key);
}

type Introspection = {
  readonly schema: Record<string, unknown>;
  readonly types: ReadonlyMap<string, Record<string, unknown>>;
};

function createIntrospection(schema: ApiSchema): Introspection {
  const root = buildIntrospection(schema).__schema;
  const listed = root["types"] as readonly Record<string, unknown>[];
  return { schema: root, types: new Map(listed.map((type) => [String(type["name"]), type])) };
}

/**
 * Plans an introspection object. Only the fields that the platform lists for its `__*` types exist, so newer
 * ones fail as unknown. Lists that it declares as single items are lists in the answer.
 */
function planIntrospection(
  scope: Scope,
  introspection: Introspection,
  selection: Selection,
): Resolver<Record<string, unknown>> {
  const object = planObject<Record<string, unknown>>(scope, selection, (selected) => {
    const { name } = selected.field;
    const read = selected.selection ? planIntrospection(scope, introspection, selected.selection) : null;
    return (source) => {
      const value = source[name] ?? (name === "isRepeatable" ? false : null);
      if (value === null || read === null) return value;
      return Array.isArray(value) ? value.map(read) : read(value as Record<string, unknown>);
    };
  });
  if (selection.type !== "__Type") return object;
  // A reference names its type; any of its fields may be selected.
  return (source) => object(introspection.types.get(String(source["name"] ?? "")) ?? source);
}
