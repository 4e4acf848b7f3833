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
import { type ApiSchema, baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import { buildIntrospection } from "../../../src/dialects/introspection.ts";
import type { Row } from "../read-view.ts";
import {
  type Budget,
  createBudget,
  createMemo,
  type Executor,
  type ExecutorOptions,
  type GraphqlRequest,
} from "../served-style.ts";
import { planRootAggregate } from "./aggregate-object.ts";
import { type Key, keyText } from "./keys.ts";
import { errorBody, messages, QueryError } from "./messages.ts";
import { checkStream, planRow, planRows } from "./row-object.ts";
import { type Column, createSchemaIndex, type Table } from "./schema-index.ts";
import { createData, createPlatformRows, type Data, type Scope } from "./scope.ts";
import {
  checkOperationDirectives,
  planObject,
  type Resolver,
  responseNames,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./select.ts";
import { readVariables, strictString } from "./variables.ts";

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

/** Queries that are cached: those that were asked last. */
const MOST_QUERIES = 256;

/** Nobody's query is longer; what is, is parsed anew. */
const LONGEST = 50_000;

/** Creates a parser that caches, so that asking again costs a look-up. What cannot be parsed is not cached. */
export function createQueryPreparer(): (text: string) => ParsedQuery {
  const queries = createMemo<string, ParsedQuery>(MOST_QUERIES);
  return (text) => (text.length > LONGEST ? parseQuery(text) : queries.get(text, () => parseQuery(text)));
}

/** The syntax tree of a request. */
export type ParsedQuery = {
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
};

/** Parses the text of a request; whatever the parser of the server would not read is one and the same error. */
export function parseQuery(query: string): ParsedQuery {
  const document = syntaxTree(query);
  refuseRepeatedNames(document);
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind !== Kind.FRAGMENT_DEFINITION) throw messages.invalidDocument();
    else if (!fragments.has(definition.name.value)) fragments.set(definition.name.value, definition);
  }
  return { operations, fragments };
}

/** The operation to run. Of several with one name the first is taken. */
export function chooseOperation(
  { operations }: ParsedQuery,
  operationName: string | null,
): OperationDefinitionNode {
  if (operationName === null) {
    const [only] = operations;
    if (only === undefined || operations.length > 1) throw messages.operationAmbiguous();
    return only;
  }
  if (!/^[_A-Za-z]\w*$/.test(operationName)) throw messages.operationNameInvalid(operationName);
  if (operations.some(isShorthand)) throw messages.operationAnonymous();
  const named = operations.find((operation) => operation.name?.value === operationName);
  if (!named) throw messages.operationMissing(operationName);
  return named;
}

function syntaxTree(query: string): DocumentNode {
  try {
    return parse(query);
  } catch (cause) {
    // A document nested too deep for the stack is as unreadable as one with a syntax error.
    if (cause instanceof GraphQLError || cause instanceof RangeError) throw messages.invalidDocument();
    throw cause;
  }
}

function refuseRepeatedNames(document: DocumentNode): void {
  function check(nodes: readonly { readonly name: { readonly value: string } }[] | undefined): void {
    const names = (nodes ?? []).map((node) => node.name.value);
    if (new Set(names).size < names.length) throw messages.invalidDocument();
  }
  visit(document, {
    Field: (node) => check(node.arguments),
    Directive: (node) => check(node.arguments),
    ObjectValue: (node) => check(node.fields),
  });
}

/** `{ … }` without the keyword, which alone counts as anonymous. */
function isShorthand(operation: OperationDefinitionNode): boolean {
  return operation.loc?.startToken.kind === TokenKind.BRACE_L;
}

/** Plans `T_by_pk`: the row with these key columns. Neither the row cap nor any filter applies (C.1). */
export function planPrimaryKey(scope: Scope, table: Table, { args }: SelectedField): () => Row | undefined {
  const wanted = args.map(({ name, type, value, path }) => {
    const column = table.columns.get(name) as Column;
    return { column, key: column.kind.operand(scope, value, baseTypeName(type), path) };
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

/** The answers to `__schema` and `__type`, made once. */
export type Introspection = {
  readonly schema: Record<string, unknown>;
  readonly types: ReadonlyMap<string, Record<string, unknown>>;
};

export function createIntrospection(schema: ApiSchema): Introspection {
  const root = buildIntrospection(schema).__schema;
  const listed = root["types"] as readonly Record<string, unknown>[];
  return { schema: root, types: new Map(listed.map((type) => [String(type["name"]), type])) };
}

/**
 * Plans an object of the introspection. What may be selected is what the platform lists of its `__*` types
 * (B.11), so a request for anything newer fails like any unknown field; the lists that it shows as single
 * items are lists in the answer.
 */
export function planIntrospection(
  scope: Scope,
  introspection: Introspection,
  typeName: string,
  selection: Selection,
): Resolver<Record<string, unknown>> {
  const object = planObject<Record<string, unknown>>(scope, typeName, selection, (selected) => {
    const { name, type } = selected.field;
    const read = selected.selection
      ? planIntrospection(scope, introspection, baseTypeName(type), selected.selection)
      : null;
    return (source) => {
      const value = source[name] ?? (name === "isRepeatable" ? false : null);
      if (value === null || read === null) return value;
      return Array.isArray(value) ? value.map(read) : read(value as Record<string, unknown>);
    };
  });
  if (typeName !== "__Type") return object;
  // A reference names its type, of which anything may be asked.
  return (source) => object(introspection.types.get(String(source["name"] ?? "")) ?? source);
}
