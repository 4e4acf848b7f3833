import { cached, findNamed, indexByName, memoize, once } from "../../base/collections.ts";
import { type ApiInputObject, type ApiInputValue, baseTypeName, isList } from "../api-schema.ts";
import {
  type Aggregation,
  type Definition,
  type Entity,
  type EntityField,
  type EntityInterface,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../entity-model.ts";
import { input, inputType } from "../make-type.ts";
import type { GraphNodeFeatures } from "./release.ts";

/** The definitions of a model by name, with lookups for derivation. */
type EntityTypes = {
  readonly entities: readonly Entity[];
  readonly interfaces: readonly EntityInterface[];
  readonly aggregations: readonly Aggregation[];
  readonly definitionOf: (type: string) => Definition | undefined;
  /** Returns the definition if it has rows, so that a field of this type is a reference. */
  readonly referenceOf: (type: string) => RowDefinition | undefined;
  /** Returns the fields of a type that can order referring rows. */
  readonly childFieldsOf: (type: RowDefinition) => readonly EntityField[];
  readonly implementersOf: (name: string) => readonly Entity[];
  /** Returns the type of the id of a type. `ID` counts as `String`. An interface has the id of its first implementer. */
  readonly idTypeOf: (type: RowDefinition) => IdType;
};

type IdType = "String" | "Bytes" | "Int8";

/** The context of a derivation: the release and settings of graph-node, and the model. */
export type Derivation = {
  readonly features: GraphNodeFeatures;
  /** Whether filters have `and` and `or`: false with `GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS`. */
  readonly boolFilters: boolean;
  /** Whether orders have `asset__symbol`: false with `GRAPH_GRAPHQL_DISABLE_CHILD_SORTING`. */
  readonly childSorting: boolean;
  readonly types: EntityTypes;
};

/** Indexes the definitions of a model. The first of two definitions with one name wins. */
export function createEntityTypes(model: EntityModel): EntityTypes {
  const byName = indexByName(model.definitions.filter(({ kind }) => kind !== "fulltext"));
  const entities = model.definitions.filter((definition) => definition.kind === "entity");
  const implementers = once(() => indexImplementers(entities));
  const implementersOf = (name: string) => implementers().get(name) ?? [];

  const definitionOf = (type: string) => byName.get(baseTypeName(type));

  function referenceOf(type: string): RowDefinition | undefined {
    const definition = definitionOf(type);
    return definition && isRowDefinition(definition) ? definition : undefined;
  }

  function isChildField({ type }: EntityField): boolean {
    if (isList(type)) return false;
    const reference = referenceOf(type);
    return reference === undefined || reference.kind === "aggregation";
  }

  function idTypeOf(type: RowDefinition): IdType {
    const owner = type.kind === "interface" ? implementersOf(type.name)[0] : type;
    const id = owner && findNamed(owner.fields, "id");
    const base = id && baseTypeName(id.type);
    return base === "Bytes" || base === "Int8" ? base : "String";
  }

  return {
    entities,
    interfaces: model.definitions.filter((definition) => definition.kind === "interface"),
    aggregations: model.definitions.filter((definition) => definition.kind === "aggregation"),
    definitionOf,
    referenceOf,
    childFieldsOf: memoize((type: RowDefinition) => type.fields.filter(isChildField)),
    implementersOf,
    idTypeOf,
  };
}

function indexImplementers(entities: readonly Entity[]): Map<string, Entity[]> {
  const implementers = new Map<string, Entity[]>();
  for (const entity of entities) {
    for (const name of new Set(entity.interfaces)) {
      cached(implementers, name, (): Entity[] => []).push(entity);
    }
  }
  return implementers;
}

/** Derives the filter of a type. If operators of two fields have one name, graph-node lists both. */
export function filterInput(type: RowDefinition, derivation: Derivation): ApiInputObject {
  const name = `${type.name}_filter`;
  const fields = type.kind === "aggregation" ? type.fields.filter((field) => !field.aggregate) : type.fields;
  return inputType(name, null, [
    ...fields.flatMap((field) => fieldFilters(field, type, derivation)),
    input("_change_block", "BlockChangedFilter", "Filter for the block changed event."),
    ...(derivation.boolFilters ? [input("and", `[${name}]`), input("or", `[${name}]`)] : []),
  ]);
}

function fieldFilters(field: EntityField, owner: RowDefinition, derivation: Derivation): ApiInputValue[] {
  const { types } = derivation;
  const target = types.referenceOf(field.type);
  const base = comparedType(field, derivation);
  const filters = filterOperators(field, owner, derivation).map((operator) =>
    input(
      operator === "" ? field.name : `${field.name}_${operator}`,
      isList(field.type) || operator === "in" || operator === "not_in" ? `[${base}!]` : base,
    ),
  );
  if (target !== undefined) filters.push(input(`${field.name}_`, `${target.name}_filter`));
  return filters;
}

/** Estimates the number of members of that input object, possibly a few too many. */
export function countFilters(type: RowDefinition, derivation: Derivation): number {
  return type.fields.reduce((count, field) => count + 1 + filterOperators(field, type, derivation).length, 0);
}

/** Returns the operators of a field, with "" for equality. Derived references have none. */
export function filterOperators(
  field: EntityField,
  owner: RowDefinition,
  derivation: Derivation,
): readonly string[] {
  const { types } = derivation;
  const target = types.referenceOf(field.type);
  const kind = types.definitionOf(field.type)?.kind;
  // A field with the type of an input object has no filters.
  if (kind === "input" || (target !== undefined && field.derived)) return [];
  const base = comparedType(field, derivation);
  if (isList(field.type)) {
    return listOperators(base, target === undefined || types.idTypeOf(target) !== "Bytes", derivation);
  }
  if (kind === "enum") return ENUM_OPERATORS;
  // graph-node refuses `Float` in an entity schema, but has filters for it.
  if (owner.kind !== "aggregation") return SCALAR_OPERATORS.get(base) ?? ["", "not"];
  return ORDERED_DIMENSIONS.has(base) ? ["", "gt", "lt", "gte", "lte", "in"] : [""];
}

/** Returns the type in filters of a reference, which is that of its id: bytes as text, 8-byte integers as 4-byte ones. */
function comparedType(field: EntityField, { types }: Derivation): string {
  const target = types.referenceOf(field.type);
  if (target === undefined) return baseTypeName(field.type);
  return types.idTypeOf(target) === "Int8" ? "Int" : "String";
}

/** Returns the operators of a list, which compare with whole lists. Those that ignore case need items of text. */
function listOperators(base: string, textual: boolean, { features }: Derivation): readonly string[] {
  return (base === "String" && textual) || !features.nocaseForTextOnly
    ? ["", "not", "contains", "contains_nocase", "not_contains", "not_contains_nocase"]
    : ["", "not", "contains", "not_contains"];
}

const ENUM_OPERATORS: readonly string[] = ["", "not", "in", "not_in"];

const COMPARISONS: readonly string[] = ["", "not", "gt", "lt", "gte", "lte", "in", "not_in"];

const TEXT_OPERATORS = [
  ...COMPARISONS,
  ...["contains", "starts_with", "ends_with"].flatMap((operator) => [
    operator,
    `${operator}_nocase`,
    `not_${operator}`,
    `not_${operator}_nocase`,
  ]),
];

const SCALAR_OPERATORS: ReadonlyMap<string, readonly string[]> = new Map([
  ["Boolean", ENUM_OPERATORS],
  ...["ID", "Int", "Int8", "BigInt", "BigDecimal", "Timestamp"].map((name) => [name, COMPARISONS] as const),
  ["Bytes", [...COMPARISONS, "contains", "not_contains"]],
  ["String", TEXT_OPERATORS],
]);

/** The scalars of dimensions of an aggregation that can be compared by order. */
const ORDERED_DIMENSIONS: ReadonlySet<string> = new Set(["BigInt", "BigDecimal", "Int", "Int8", "Timestamp"]);
