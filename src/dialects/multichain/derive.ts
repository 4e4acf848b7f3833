import { compareCodeUnits, sortByName } from "../../base/collections.ts";
import { SchemaError } from "../../base/errors.ts";
import { nearestName } from "../../base/text.ts";
import { type ApiSchema, type ApiType, baseTypeName } from "../api-schema.ts";
import type { EntityModel } from "../entity-model.ts";
import { objectType, scalar } from "../make-type.ts";
import type { DeriveOptions } from "../platform.ts";
import { aggregateOrderBys, aggregatePredicates, aggregateTypes } from "./aggregates.ts";
import { findEntityProblems, findSettingProblems, refuseEntities } from "./entity-rules.ts";
import { META_TYPES, PLATFORM_DIRECTIVES } from "./platform-types.ts";
import { releaseFeatures } from "./release.ts";
import {
  boolExp,
  type Comparable,
  CURSOR_ORDERING,
  columnEnum,
  comparisonName,
  comparisonTypes,
  ORDER_BY,
  orderBy,
  queryFields,
  rowType,
  streamCursorTypes,
  streamField,
} from "./table-types.ts";
import { buildTables, internalTables, type Table, tableSettings } from "./tables.ts";

/** Derives the API schema an anonymous client introspects, types and members in byte order. */
export function deriveMultichain(model: EntityModel, options: DeriveOptions = {}): ApiSchema {
  const features = releaseFeatures(options.release);
  const settings = tableSettings(options);
  const slice = options.sliceFor;
  const checked = !options.asRead;
  if (checked) {
    refuseEntities(findSettingProblems(options));
    refuseEntities(findEntityProblems(model, features, settings));
  }
  const entityTables = buildTables(model, features, settings);
  // Tables of other entities have a part in what is derived, but are not wanted themselves.
  const tables = [
    ...(slice ? entityTables.filter(({ name }) => slice.has(name)) : entityTables),
    ...internalTables(features),
  ];
  const aggregatable = slice
    ? new Set(options.aggregates ?? [])
    : resolveAggregates(options.aggregates ?? [], tables);
  const listed = new Set(
    entityTables.flatMap((table) => table.arrayRelations.map((relation) => relation.table)),
  );
  const streams = options.streams ?? true;
  const types: ApiType[] = [
    objectType(
      "query_root",
      null,
      tables.flatMap((table) => queryFields(table, aggregatable)),
    ),
    objectType(
      "subscription_root",
      null,
      tables.flatMap((table) => [
        ...queryFields(table, aggregatable),
        ...(streams ? [streamField(table)] : []),
      ]),
    ),
    ...tables.flatMap((table) => tableTypes(table, aggregatable, listed)),
    ...(streams ? [...tables.flatMap(streamCursorTypes), CURSOR_ORDERING] : []),
    ...distinctColumnKinds(tables).flatMap(comparisonTypes),
    ORDER_BY,
    ...META_TYPES,
  ];
  types.push(...usedScalars(types));
  if (checked) refuseDuplicates(types);
  return {
    queryType: "query_root",
    mutationType: null,
    subscriptionType: "subscription_root",
    types: sortByName(types.map(withSortedMembers)),
    directives: PLATFORM_DIRECTIVES,
  };
}

function withSortedMembers(type: ApiType): ApiType {
  switch (type.kind) {
    case "OBJECT":
      return { ...type, fields: sortByName(type.fields) };
    case "INPUT_OBJECT":
      return { ...type, fields: sortByName(type.fields) };
    case "ENUM":
      return { ...type, values: sortByName(type.values) };
    default:
      return type;
  }
}

/** An operator can make the aggregates of any table public, of the platform's own as well. */
function resolveAggregates(aggregates: readonly string[], tables: readonly Table[]): ReadonlySet<string> {
  const names = new Set(tables.map((table) => table.name));
  const unknown = [...new Set(aggregates)].filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new SchemaError({
      code: "SCHEMA_ENTITIES_INVALID",
      sentence: `Aggregates can be made public of entities and of the platform's own tables only, which ${unknown.map((name) => `"${name}"`).join(", ")} ${unknown.length > 1 ? "are" : "is"} not.`,
      context: unknown.flatMap((name) => {
        const nearest = nearestName(name, [...names]);
        return nearest === null ? [] : [`"${name}": did you mean "${nearest}"?`];
      }),
      hint: "name entities as they are written in the entity SDL.",
    });
  }
  return new Set(aggregates);
}

function tableTypes(table: Table, aggregatable: ReadonlySet<string>, listed: ReadonlySet<string>): ApiType[] {
  const { name, columns } = table;
  return [
    rowType(table, aggregatable),
    boolExp(table, aggregatable),
    orderBy(table),
    columnEnum(`${name}_select_column`, `select columns of table "${name}"`, columns),
    ...(listed.has(name) ? aggregateOrderBys(table) : []),
    ...(aggregatable.has(name) ? aggregateTypes(table) : []),
    ...(aggregatable.has(name) && listed.has(name) ? aggregatePredicates(table) : []),
  ];
}

/** Every column is compared somewhere, and aggregate predicates and casts need no comparison besides. */
function distinctColumnKinds(tables: readonly Table[]): Comparable[] {
  const columns = tables.flatMap((table) => table.columns);
  return [...new Map(columns.map((column) => [comparisonName(column), column])).values()];
}

function usedScalars(types: readonly ApiType[]): ApiType[] {
  const defined = new Set(types.map((type) => type.name));
  // A large schema refers to few type expressions, many times.
  const expressions = new Set<string>();
  for (const type of types) {
    if (type.kind !== "OBJECT" && type.kind !== "INPUT_OBJECT") continue;
    for (const field of type.fields) {
      expressions.add(field.type);
      if ("args" in field) for (const arg of field.args) expressions.add(arg.type);
    }
  }
  return [...new Set([...expressions].map(baseTypeName))]
    .filter((name) => !defined.has(name))
    .sort(compareCodeUnits)
    .map((name) => scalar(name));
}

/** Types of different tables can come to one name, such as `Foo_aggregate` of `Foo` and of itself. */
function refuseDuplicates(types: readonly ApiType[]): void {
  const names = new Set<string>();
  const reasons: string[] = [];
  for (const { name } of types) {
    if (names.has(name)) reasons.push(`${name}: two API types would have this name`);
    names.add(name);
  }
  refuseEntities(reasons);
}
