import { readRest } from "../../../packages/client/src/calls/cursors.ts";
import { FORMAT, type PortableOperation } from "../../../packages/client/src/client/portable-operation.ts";
import type { Columns, FilterTable } from "../../../packages/client/src/variables/map-filter.ts";
import { mapFilter, mapOrder } from "../../../packages/client/src/variables/map-filter.ts";
import { mapIdFilter, mapIds, readIds } from "../../../packages/client/src/variables/map-ids.ts";
import { readNumbers } from "../../../packages/client/src/variables/read-numbers.ts";
import { pattern } from "../../../packages/client/src/variables/readers.ts";
import { cached } from "../../base/collections.ts";
import { propertyName, quote, typescriptLiteral, uncapitalize } from "../../base/text.ts";
import type { IdForms } from "../../dialects/id-forms.ts";
import { type Protocol, STYLE_NAMES } from "../../dialects/surface.ts";
import type { CompiledOperation, OperationFacts } from "../../operations/portable/compiled-operation.ts";
import { type EntityColumns, filterColumns, idColumns } from "../../operations/portable/filter-columns.ts";
import type { PortableContext } from "../../operations/portable/read-entities.ts";
import { printDocument } from "../../operations/print-document.ts";
import type { PortableTypes } from "./declare-portable-types.ts";
import { portableMembers } from "./portable-plan.ts";
import { chainReaders, readersByName, type VariableReader, variableReaders } from "./variable-readers.ts";

/** A portable operation that is known only at run time. Its members show how it can be run. */
export type AnyPortableOperation = PortableOperation<
  Protocol,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  "pages"
>;

/**
 * Builds the constant that `generate` would write for an operation, to run it without generated files.
 *
 * @param not the chains whose indexers refuse it, by style.
 */
export function buildPortableOperation(
  compiled: CompiledOperation,
  context: PortableContext,
  not: NonNullable<AnyPortableOperation["not"]>,
): AnyPortableOperation {
  const { name, facts, documents } = compiled;
  const texts = STYLE_NAMES.map((style) => {
    const { node, fragments } = documents[style];
    return [style, printDocument(node, fragments)] as const;
  });
  const { multichain = "", subgraph = "" } = Object.fromEntries(texts);
  const code = {
    variables: readersByName(variableReaders(compiled)),
    chainIds: readersByName(chainReaders(compiled)),
    map: createMap(facts, context),
    answer: createAnswer(facts),
    normalize: createNormalize(facts),
    rest: readRest,
  };
  const members = portableMembers(compiled, code, not);
  const protocol = context.definition.key;
  return { format: FORMAT, name, protocol, multichain, subgraph, ...Object.fromEntries(members) };
}

/** Returns the function that `mapFunction` renders. */
function createMap(
  { filters, comparisons, orders, idVariables, wrap }: OperationFacts,
  context: PortableContext,
): NonNullable<AnyPortableOperation["map"]> | null {
  const mapped = [...filters, ...comparisons, ...orders, ...idVariables, ...wrap];
  if (mapped.length === 0) return null;
  const columnsOf = (entity: string) => filterColumns(context, entity);
  const tables = new Map<string, FilterTable>();
  const tableOf = (entity: string, isInner: boolean) =>
    cached(tables, `${entity} ${isInner}`, () => buildTable(entity, isInner, columnsOf));
  return (variables, isSubgraph, chain) => {
    const copies = wrap.map(({ to, from, before, after }): [string, unknown] => {
      const value = variables[from];
      return [to, before + after === "" ? value : pattern(before, value, after, from)];
    });
    const made = new Map<string, unknown>(copies);
    const filterValues = new Map<string, unknown>();
    for (const { from, to, entity, isChild, isList } of filters) {
      const table = tableOf(entity, isChild);
      const ids = tableIds(entity, isChild, { columnsOf });
      const map = (where: unknown) =>
        ids === null
          ? mapFilter(table, where, isSubgraph, from)
          : mapIdFilter({ ...table, ids }, where, { isSubgraph, chain }, from);
      const filter = variables[from];
      // A list of filters is mapped as a filter with one condition.
      const value = isList ? Object.values(map({ and: filter }) as object)[0] : filter && map(filter);
      made.set(to, value);
      filterValues.set(from, value);
    }
    for (const { from, to, name } of comparisons) {
      const value = made.has(to) ? made.get(to) : variables[from];
      made.set(to, value === undefined ? value : { [name]: value });
    }
    for (const { from, to, entity, isNested, direction, defaults } of orders) {
      const by =
        typeof direction === "string"
          ? direction
          : (variables[direction.variable] ?? defaults.direction ?? "asc");
      const order = variables[from] ?? defaults.order ?? undefined;
      made.set(to, mapOrder(tableOf(entity, isNested), order, by, isSubgraph, from));
    }
    for (const { from, to, forms, default: usual } of idVariables) {
      const copy = made.has(to) ? made.get(to) : from === null ? null : variables[from];
      const id = copy ?? usual ?? undefined;
      made.set(to, mapIds(forms, id, { isSubgraph, chain }, from ?? "id"));
    }
    // Filters for subgraphs keep the authored names.
    for (const [from, value] of filterValues) if (!made.has(from)) made.set(from, value);
    return { ...variables, ...Object.fromEntries(made) };
  };
}

/** Returns the function that `answerFunction` renders. */
function createAnswer({ idAnswers }: OperationFacts): NonNullable<AnyPortableOperation["answer"]> | null {
  if (idAnswers.length === 0) return null;
  const places = idAnswers.map(({ path, forms }) => [path, forms] as const);
  return (data, chain) => readIds(data, places, chain);
}

/** Returns the function that `normalizeFunction` renders. */
function createNormalize({
  numberAnswers,
}: OperationFacts): NonNullable<AnyPortableOperation["normalize"]> | null {
  return numberAnswers.length === 0 ? null : (data) => readNumbers(data, numberAnswers);
}

function buildTable(
  entity: string,
  isInner: boolean,
  columnsOf: (entity: string) => EntityColumns,
): FilterTable {
  const kindsOf = (name: string): Columns =>
    Object.fromEntries([...columnsOf(name).columns].map(([column, { kind }]) => [column, kind]));
  const related = isInner ? [] : [...columnsOf(entity).related];
  return {
    columns: kindsOf(entity),
    related: Object.fromEntries(related.map(([field, target]) => [field, kindsOf(target)])),
  };
}

/** The context in which tables are rendered. */
export type TableTypes = Pick<PortableTypes, "names" | "columnsOf" | "filterOf">;

/** The ids in filters of a table that the styles write differently, by columns. */
export type TableIds = { readonly [column: string]: IdForms | { readonly [column: string]: IdForms } };

/** Finds such ids; null without any. */
export function tableIds(
  entity: string,
  isInner: boolean,
  { columnsOf }: Pick<TableTypes, "columnsOf">,
): TableIds | null {
  const columns = idColumns(columnsOf(entity));
  const related = isInner ? [] : [...columnsOf(entity).related];
  const inner = related.flatMap(([field, target]) => {
    const ids = idColumns(columnsOf(target));
    return ids.length === 0 ? [] : [[field, Object.fromEntries(ids)] as const];
  });
  return columns.length + inner.length === 0 ? null : Object.fromEntries([...columns, ...inner]);
}

/** Whether these are the forms of the ids of a column, and not those of related columns. */
export function isForms(ids: IdForms | Readonly<Record<string, IdForms>>): ids is IdForms {
  return typeof ids.entity === "string";
}

/**
 * Renders the function that maps the variables of an operation with patterns, filters, orders and ids; null without them.
 */
export function mapFunction(
  { filters, comparisons, orders, idVariables, wrap }: OperationFacts,
  types: TableTypes,
): string | null {
  const client = types.names.clientFunction;
  const copies = wrap.map(({ to, from, before, after }): [string, string] => {
    const parts = [quote(before), read(from), quote(after), quote(from)];
    return [to, before + after === "" ? read(from) : `${client("pattern")}(${parts.join(", ")})`];
  });
  const made = new Map<string, string>(copies);
  const filterCalls = new Map<string, string>();
  for (const { from, to, entity, isChild, isList } of filters) {
    const path = from === "where" ? "" : `, ${quote(from)}`;
    const table = tableName(entity, isChild, types);
    const hasIds = tableIds(entity, isChild, types) !== null;
    const [mapper, target] = hasIds ? ["mapIdFilter", TARGET] : ["mapFilter", "isSubgraph"];
    const mapped = (where: string) => `${client(mapper)}(${table}, ${where}, ${target}${path})`;
    // A list of filters is mapped as a filter with one condition.
    const call = isList
      ? `Object.values(${mapped(`{ and: ${read(from)} }`)} as object)[0]`
      : `${read(from)} && ${mapped(read(from))}`;
    made.set(to, call);
    filterCalls.set(from, call);
  }
  for (const { from, to, name } of comparisons) {
    const value = made.get(to) ?? read(from);
    made.set(to, `${read(from)} === undefined ? undefined : { ${name}: ${value} }`);
  }
  for (const { from, to, entity, isNested, direction, defaults } of orders) {
    const order = `${read(from)}${defaults.order === null ? "" : ` ?? ${quote(defaults.order)}`}`;
    const by =
      typeof direction === "string"
        ? quote(direction)
        : `${read(direction.variable)} ?? ${quote(defaults.direction ?? "asc")}`;
    const path = from === "orderBy" ? "" : `, ${quote(from)}`;
    const table = tableName(entity, isNested, types);
    made.set(to, `${client("mapOrder")}(${table}, ${order}, ${by}, isSubgraph${path})`);
  }
  for (const { from, to, forms, default: usual } of idVariables) {
    const copy = made.get(to) ?? (from === null ? null : read(from));
    const id = [...(copy === null ? [] : [copy]), ...(usual === null ? [] : [typescriptLiteral(usual)])].join(
      " ?? ",
    );
    const path = quote(from ?? "id");
    made.set(to, `${client("mapIds")}(${formsName(forms, types)}, ${id}, ${TARGET}, ${path})`);
  }
  if (made.size === 0) return null;
  // Filters for subgraphs keep the authored names.
  for (const [from, call] of filterCalls) if (!made.has(from)) made.set(from, call);
  const members = [...made].map(([to, call]) => `    ${propertyName(to)}: ${call},\n`);
  const body = members.join("");
  const parameters = body.includes(TARGET)
    ? "variables, isSubgraph, chain"
    : body.includes("isSubgraph")
      ? "variables, isSubgraph"
      : "variables";
  return `(${parameters}) => ({\n    ...variables,\n${body}  })`;
}

const TARGET = "{ isSubgraph, chain }";

/** Renders the readers of variables; in a list for a list. */
export function renderReaders(all: readonly VariableReader[], { names }: TableTypes): string {
  const members = all.map(({ name, reader, isList }) => {
    const read = names.clientFunction(reader);
    return `${propertyName(name)}: ${isList ? `[${read}]` : read}`;
  });
  return `{ ${members.join(", ")} }`;
}

function read(variable: string): string {
  return `variables[${quote(variable)}]`;
}

/** Renders the function that maps the ids in an answer; null if the styles write all of them alike. */
export function answerFunction({ idAnswers }: OperationFacts, types: TableTypes): string | null {
  if (idAnswers.length === 0) return null;
  const places = idAnswers.map(({ path, forms }) => `[${quote(path)}, ${formsName(forms, types)}]`);
  return `(data, chain) => ${types.names.clientFunction("readIds")}(data, [${places.join(", ")}], chain)`;
}

/** Renders the function that normalizes the numbers of an answer; null if each has one text. */
export function normalizeFunction({ numberAnswers }: OperationFacts, types: TableTypes): string | null {
  if (numberAnswers.length === 0) return null;
  return `(data) => ${types.names.clientFunction("readNumbers")}(data, [${numberAnswers.map(quote).join(", ")}])`;
}

/** Returns the name of an entity's table. */
export function tableName(entity: string, isInner: boolean, { names }: TableTypes): string {
  return names.value(`${uncapitalize(entity)}${isInner ? "Child" : ""}Filter`);
}

/** Returns the name of an entity's columns. */
export function columnsName(entity: string, { names }: TableTypes): string {
  return names.value(`${uncapitalize(entity)}Columns`);
}

/** Returns the name of the forms of an entity's ids. */
export function formsName({ entity }: IdForms, { names }: Pick<TableTypes, "names">): string {
  return names.value(`${uncapitalize(entity)}Ids`);
}
