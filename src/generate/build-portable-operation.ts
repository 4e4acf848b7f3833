import { cached } from "../base/cached.ts";
import type { CompiledOperation, OperationFacts } from "../portable/compiled-operation.ts";
import { filterColumns } from "../portable/filter-columns.ts";
import type { PortableContext } from "../portable/read-entities.ts";
import { type Protocol, STYLE_NAMES } from "../project/vocabulary.ts";
import type { Columns, FilterTable } from "../runtime/client/filter-table.ts";
import { mapFilter } from "../runtime/client/map-filter.ts";
import { mapOrder } from "../runtime/client/map-order.ts";
import type { PortableOperation } from "../runtime/client/portable-operation.ts";
import { portableMembers } from "./portable-members.ts";
import { printDocument } from "./print-document.ts";

/** A portable operation of which nothing is known before it is built: what can be done with it, its members say. */
export type AnyPortableOperation = PortableOperation<
  Protocol,
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>,
  "pages"
>;

/**
 * Builds the very constant that is generated for an operation, to be run at once.
 *
 * @param not the chains whose indexers do not take it, by style.
 */
export function buildPortableOperation(
  { name, facts, documents }: CompiledOperation,
  context: PortableContext,
  not: NonNullable<AnyPortableOperation["not"]>,
): AnyPortableOperation {
  const texts = STYLE_NAMES.map((style) => {
    const { node, fragments } = documents[style];
    return [style, printDocument(node, fragments)] as const;
  });
  const { multichain = "", subgraph = "" } = Object.fromEntries(texts);
  const members = portableMembers(facts, createMap(facts, context), not);
  return { name, protocol: context.definition.key, multichain, subgraph, ...Object.fromEntries(members) };
}

/** What `mapFunction` renders, as a function. */
function createMap(
  { filters, orders }: OperationFacts,
  context: PortableContext,
): NonNullable<AnyPortableOperation["map"]> | null {
  if (filters.length === 0 && orders.length === 0) return null;
  const tables = new Map<string, FilterTable>();
  const tableOf = (entity: string, isInner: boolean) =>
    cached(tables, `${entity} ${isInner}`, () => buildTable(entity, isInner, context));
  return (variables, isSubgraph) => {
    const made = new Map<string, unknown>();
    const own = new Map<string, unknown>();
    for (const { from, to, entity, isChild, isList } of filters) {
      const map = (where: unknown) => mapFilter(tableOf(entity, isChild), where, isSubgraph, from);
      const given = variables[from];
      // A list of filters is mapped as one that holds nothing else.
      const value = isList ? Object.values(map({ and: given }) as object)[0] : given && map(given);
      made.set(to, value);
      own.set(from, value);
    }
    for (const { from, to, entity, isNested, direction, defaults } of orders) {
      const by =
        typeof direction === "string"
          ? direction
          : (variables[direction.variable] ?? defaults.direction ?? "asc");
      const order = variables[from] ?? defaults.order ?? undefined;
      made.set(to, mapOrder(tableOf(entity, isNested), order, by, isSubgraph, from));
    }
    // Subgraphs take filters under the author's names.
    for (const [from, value] of own) if (!made.has(from)) made.set(from, value);
    return { ...variables, ...Object.fromEntries(made) };
  };
}

function buildTable(entity: string, isInner: boolean, context: PortableContext): FilterTable {
  const columnsOf = (name: string): Columns =>
    Object.fromEntries([...filterColumns(context, name).columns].map(([column, { kind }]) => [column, kind]));
  const related = isInner ? [] : [...filterColumns(context, entity).related];
  return {
    columns: columnsOf(entity),
    related: Object.fromEntries(related.map(([field, target]) => [field, columnsOf(target)])),
  };
}
