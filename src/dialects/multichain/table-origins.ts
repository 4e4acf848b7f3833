import { cached, findNamed, groupBy, indexByName, once } from "../../base/collections.ts";
import type { EntityModel } from "../entity-model.ts";
import { entityOrigin, fieldOrigin, type Origin } from "../origin.ts";
import { AGGREGATE_OPERATORS, PREDICATES, takesColumn } from "./aggregates.ts";
import { ADDED_COLUMNS, aggregatesOf, columnFeature, FEATURES, tableFeature } from "./features.ts";
import { RELEASES } from "./release.ts";
import type { Comparable } from "./table-types.ts";
import { buildTable, type Column, INTERNAL_TABLE_NAMES, RAW_BYTES, type Table } from "./tables.ts";

/** The origins of the parts of a table of an entity or the platform. */
export type TableOrigins = {
  readonly name: string;
  /** The origins of the table itself. */
  readonly self: readonly Origin[];
  readonly aggregates: Origin;
  readonly column: (column: string) => readonly Origin[];
  /** The origins of a relation or the aggregates of a list, which must be public if `gated`; empty for other members. */
  readonly relation: (member: string, gated: boolean) => readonly Origin[];
  /** The other origins of an aggregate operator: the columns without which it would not exist. */
  readonly operator: (operator: string) => readonly Origin[];
  /** The same for a predicate over aggregates. */
  readonly predicate: (operator: string) => readonly Origin[];
  /** The other origins of its parts for lists: the lists without which they would not exist. */
  readonly listers: () => readonly Origin[];
};

/** The tables of one model. Each is built on first use, because most comparisons concern few of them. */
export type ModelTables = {
  readonly names: readonly string[];
  readonly find: (name: string) => Table | undefined;
  /** Returns the list fields whose items are rows of a table. */
  readonly listsOf: (name: string) => readonly { readonly owner: Table; readonly field: string }[];
};

/** Creates the tables of a model independently of the release: without hidden or added parts. */
export function createModelTables({ definitions }: EntityModel): ModelTables {
  const features = { ...RELEASES["2.27"], writeTimestamps: false };
  const entities = indexByName(definitions.filter((definition) => definition.kind === "entity"));
  const names = [...entities.keys()];
  const tables = new Map<string, Table>();
  const find = (name: string) => {
    const entity = entities.get(name);
    return (
      entity &&
      cached(tables, name, () => buildTable(entity, { entities, features, bytesType: "uint8array" }))
    );
  };
  const lists = once(() =>
    groupBy(
      names
        .flatMap((name) => find(name) ?? [])
        .flatMap((owner) => owner.arrayRelations.map(({ name, table }) => ({ owner, field: name, table }))),
      ({ table }) => table,
    ),
  );
  return { names, find, listsOf: (name) => lists().get(name) ?? [] };
}

/** Finds the origins of the parts of a table in several models. */
export function tableOrigins(name: string, models: readonly ModelTables[]): TableOrigins {
  const sides = models.flatMap(({ find }) => find(name) ?? []);
  const isPlatforms = INTERNAL_TABLE_NAMES.has(name);
  const deciding = new Map<string, readonly Origin[]>();

  /** Returns the origins of a part that exists if any column counts: all such columns, unless every side has one. */
  function decidedBy(key: string, counts: (column: Column) => boolean): readonly Origin[] {
    return cached(deciding, key, () =>
      sides.every(({ columns }) => columns.some(counts))
        ? []
        : sides.flatMap(({ columns }) => columns.filter(counts).flatMap(columnOrigins)),
    );
  }

  return {
    name,
    self: [
      ...(sides.length > 0 ? [entityOrigin(name)] : []),
      ...(sides.some(({ isInternal }) => isInternal) ? [FEATURES.internalEntities] : []),
      ...(isPlatforms ? [tableFeature(name)] : []),
    ],
    aggregates: aggregatesOf(name),
    column: (column) => {
      const added = sides.length > 0 ? ADDED_COLUMNS.get(column) : undefined;
      return [
        ...sides.flatMap(({ columns }) => findNamed(columns, column) ?? []).flatMap(columnOrigins),
        ...(added ? [added] : []),
        ...(isPlatforms ? [columnFeature(name, column)] : []),
      ];
    },
    relation: (member, gated) =>
      models.flatMap((model) => {
        const table = model.find(name);
        return table === undefined ? [] : relationOrigins(member, gated, { table, find: model.find });
      }),
    operator: (operator) => {
      const takes = findNamed(AGGREGATE_OPERATORS, operator)?.takes;
      if (takes === undefined) return [];
      const origins = decidedBy(operator, (column) => kindsOf(column).some(takes));
      // The added column is a number.
      return sides.length > 0 ? [...origins, FEATURES.perChainEntities] : origins;
    },
    predicate: (operator) => {
      const predicate = PREDICATES.find((candidate) => candidate.operator === operator);
      if (predicate === undefined) return [];
      return decidedBy(`predicate ${operator}`, (column) =>
        kindsOf(column).some((kind) => takesColumn(predicate, kind)),
      );
    },
    listers: once(() => listerOrigins(name, models)),
  };
}

function relationOrigins(
  member: string,
  gated: boolean,
  { table, find }: { readonly table: Table; readonly find: ModelTables["find"] },
): readonly Origin[] {
  const originsOf = ({ name, table: target }: { readonly name: string; readonly table: string }) => {
    const origins = [fieldOrigin(table.name, name), entityOrigin(target)];
    // A relation is hidden with its target; its column is not.
    if (table.isInternal || find(target)?.isInternal) origins.push(FEATURES.internalEntities);
    return origins;
  };
  const relation = findNamed([...table.objectRelations, ...table.arrayRelations], member);
  const origins = relation ? originsOf(relation) : [];
  const list = table.arrayRelations.find(({ name }) => member === `${name}_aggregate`);
  if (list === undefined) return origins;
  return [...origins, ...originsOf(list), ...(gated ? [aggregatesOf(list.table)] : [])];
}

function listerOrigins(name: string, models: readonly ModelTables[]): readonly Origin[] {
  const sides = models.filter(({ find }) => find(name) !== undefined).map(({ listsOf }) => listsOf(name));
  const isCertain = sides.every((side) => side.some(({ owner }) => !owner.isInternal));
  const deciding = isCertain ? [] : sides.flat();
  return [
    ...deciding.flatMap(({ owner, field }) => [fieldOrigin(owner.name, field), entityOrigin(owner.name)]),
    ...(sides.flat().some(({ owner }) => owner.isInternal) ? [FEATURES.internalEntities] : []),
  ];
}

/** Returns the origins of a column: its field, and for a reference the id that determines its type. */
export function columnOrigins(column: Column): Origin[] {
  if (column.source === null) return [];
  const { entity, field, target } = column.source;
  const origin = fieldOrigin(entity, field.name);
  if (target !== null) return [origin, fieldOrigin(target, "id")];
  if (column.scalar === RAW_BYTES) return [origin, FEATURES.rawBytes];
  return isBigNumberList(column) ? [origin, FEATURES.bigNumberLists] : [origin];
}

/**
 * Returns the kinds that a column can have. Lists of big numbers became lists of text in a release, and operators
 * store `Bytes` as text or as bytes.
 */
export function kindsOf(column: Column): readonly Comparable[] {
  const isAlsoText = isBigNumberList(column) || column.scalar === RAW_BYTES;
  return isAlsoText ? [column, { scalar: "String", list: column.list }] : [column];
}

function isBigNumberList({ list, scalar, source }: Column): boolean {
  return list && scalar === "numeric" && !source?.field.precise;
}
