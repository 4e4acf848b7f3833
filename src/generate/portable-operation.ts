import { cached } from "../base/collections.ts";
import { type Protocol, STYLE_NAMES } from "../dialects/surface.ts";
import type { CompiledOperation, OperationFacts } from "../operations/portable/compiled-operation.ts";
import { filterColumns } from "../operations/portable/filter-columns.ts";
import type { PortableContext } from "../operations/portable/read-entities.ts";
import { printDocument } from "../operations/print-document.ts";
import type { Columns, FilterTable } from "../runtime/client/filter-table.ts";
import { mapFilter } from "../runtime/client/map-filter.ts";
import { mapOrder } from "../runtime/client/map-order.ts";
import type { PortableOperation } from "../runtime/client/portable-operation.ts";

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

type Members = Omit<PortableOperation<never, never, never, "one">, "name" | "protocol" | "__types">;

/**
 * What a portable operation has beside its name and its texts: the members that say something, in the order in which
 * they are written.
 *
 * @param map maps the variables that hold filters and orders; null where none does.
 * @param not the chains whose indexers do not take it, by style.
 */
export function portableMembers(
  facts: OperationFacts,
  map: unknown,
  not: NonNullable<Members["not"]>,
): readonly (readonly [key: keyof Members, value: unknown])[] {
  const { list, page } = facts;
  const members: readonly (readonly [key: keyof Members, value: unknown])[] = [
    ["bytes", facts.bytes],
    ["ids", facts.ids],
    ["wrap", facts.wrap.map(({ to, from, before, after }) => [to, from, before, after])],
    ["map", map],
    ["nonEmpty", facts.nonEmpty],
    ["ranges", facts.ranges.first],
    ["skips", facts.ranges.skip],
    ["required", facts.required],
    ["chains", facts.chains],
    ["one", facts.one],
    ["unscoped", facts.isUnscoped || null],
    ["not", Object.keys(not).length > 0 ? not : null],
    ["list", list && [list.key, list.order, list.first, list.skip]],
    ["unmerged", facts.unmerged],
    ["page", page && [page.key, page.cursor, page.after, page.first, page.direction]],
  ];
  return members.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0));
}
