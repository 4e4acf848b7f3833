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

/** Derives the API schema that an anonymous client introspects, with types and members in byte order. */
export function deriveMultichain(model: EntityModel, options: DeriveOptions = {}): ApiSchema {
  const features = releaseFeatures(options.release);
  const settings = tableSettings(options);
  const { sliceFor: slice, streams = true } = options;
  const checked = !options.asRead;
  if (checked) {
    refuseEntities(findSettingProblems(options));
    refuseEntities(findEntityProblems(model, features, settings));
  }
  const entityTables = buildTables(model, features, settings);
  // Tables outside of the slice are needed for deriving, but are left out of the result.
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

/** Checks the names of tables with public aggregates. Tables of the platform may have them too. */
function resolveAggregates(aggregates: readonly string[], tables: readonly Table[]): ReadonlySet<string> {
  const names = new Set(tables.map((table) => table.name));
  const unknown = [...new Set(aggregates)].filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new SchemaError({
      code: "SCHEMA_ENTITIES_INVALID",
      sentence: `Only entities and tables of the platform can have public aggregates; got ${unknown.map((name) => `"${name}"`).join(", ")}.`,
      context: unknown.flatMap((name) => {
        const nearest = nearestName(name, [...names]);
        return nearest === null ? [] : [`"${name}": did you mean "${nearest}"?`];
      }),
      hint: "use the names of entities in the entity SDL.",
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

/** Returns one column for each comparison type. Aggregate predicates and casts need no other comparisons. */
function distinctColumnKinds(tables: readonly Table[]): Comparable[] {
  const columns = tables.flatMap((table) => table.columns);
  return [...new Map(columns.map((column) => [comparisonName(column), column])).values()];
}

function usedScalars(types: readonly ApiType[]): ApiType[] {
  const defined = new Set(types.map((type) => type.name));
  // A large schema repeats few type expressions many times.
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

/** Throws if types of different tables have one name, such as `Foo_aggregate` for the aggregates of `Foo` and a table. */
function refuseDuplicates(types: readonly ApiType[]): void {
  const names = new Set<string>();
  const reasons: string[] = [];
  for (const { name } of types) {
    if (names.has(name)) reasons.push(`${name}: two API types would have this name`);
    names.add(name);
  }
  refuseEntities(reasons);
}
