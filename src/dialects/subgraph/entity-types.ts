import { cached, findNamed, indexByName, once } from "../../base/collections.ts";
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

/** The definitions of a model by name, and what derivation asks about them. */
export type EntityTypes = {
  readonly entities: readonly Entity[];
  readonly interfaces: readonly EntityInterface[];
  readonly aggregations: readonly Aggregation[];
  readonly definitionOf: (type: string) => Definition | undefined;
  /** The same where it is something rows are read through, that is where the field is a reference. */
  readonly referenceOf: (type: string) => RowDefinition | undefined;
  /** The fields of a type that rows of others, which refer to it, can be ordered by. */
  readonly childFieldsOf: (type: RowDefinition) => readonly EntityField[];
  readonly implementersOf: (name: string) => readonly Entity[];
  /** The type of a row's id: `ID` and `String` count as one; an interface has that of its first implementer. */
  readonly idTypeOf: (type: RowDefinition) => IdType;
};

export type IdType = "String" | "Bytes" | "Int8";

/** What every step of a derivation needs: the graph-node derived for, and the model derived from. */
export type Derivation = {
  readonly features: GraphNodeFeatures;
  /** False where the operator set `GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS`: no `and` and `or`. */
  readonly boolFilters: boolean;
  /** False where the operator set `GRAPH_GRAPHQL_DISABLE_CHILD_SORTING`: no `asset__symbol`. */
  readonly childSorting: boolean;
  readonly types: EntityTypes;
};

/** Indexes the definitions of a model. Of two with one name the first is the one everybody sees. */
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

  const childFields = new Map<RowDefinition, readonly EntityField[]>();

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
    childFieldsOf: (type) => cached(childFields, type, () => type.fields.filter(isChildField)),
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

/** The filter of a type's rows; operators of two fields may share a name, and graph-node lists both. */
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

/** How many members that input object would have, or a few more. */
export function countFilters(type: RowDefinition, derivation: Derivation): number {
  return type.fields.reduce((count, field) => count + 1 + filterOperators(field, type, derivation).length, 0);
}

/** The operators that filter rows by a field itself, "" for equality. A derived reference has none: its target has. */
export function filterOperators(
  field: EntityField,
  owner: RowDefinition,
  derivation: Derivation,
): readonly string[] {
  const { types } = derivation;
  const target = types.referenceOf(field.type);
  const kind = types.definitionOf(field.type)?.kind;
  // Nothing can be asked of a field that is an input object.
  if (kind === "input" || (target !== undefined && field.derived)) return [];
  const base = comparedType(field, derivation);
  if (isList(field.type)) {
    return listOperators(base, target === undefined || types.idTypeOf(target) !== "Bytes", derivation);
  }
  if (kind === "enum") return ENUM_OPERATORS;
  return owner.kind === "aggregation" ? aggregationOperators(base) : scalarOperators(base);
}

/** A reference is filtered by id: bytes as text, 8-byte integers as 4-byte ones. */
function comparedType(field: EntityField, { types }: Derivation): string {
  const target = types.referenceOf(field.type);
  if (target === undefined) return baseTypeName(field.type);
  return types.idTypeOf(target) === "Int8" ? "Int" : "String";
}

/** Operators of lists compare with whole lists. Those that ignore case need text. */
function listOperators(base: string, textual: boolean, { features }: Derivation): readonly string[] {
  return (base === "String" && textual) || !features.nocaseForTextOnly
    ? ["", "not", "contains", "contains_nocase", "not_contains", "not_contains_nocase"]
    : ["", "not", "contains", "not_contains"];
}

const ENUM_OPERATORS = ["", "not", "in", "not_in"] as const;

const COMPARISONS = ["", "not", "gt", "lt", "gte", "lte", "in", "not_in"] as const;

const TEXT_OPERATORS = [
  ...COMPARISONS,
  ...["contains", "starts_with", "ends_with"].flatMap((operator) => [
    operator,
    `${operator}_nocase`,
    `not_${operator}`,
    `not_${operator}_nocase`,
  ]),
];

function scalarOperators(scalar: string): readonly string[] {
  switch (scalar) {
    case "Boolean":
      return ENUM_OPERATORS;
    case "ID":
    case "Int":
    case "Int8":
    case "BigInt":
    case "BigDecimal":
    case "Timestamp":
      return COMPARISONS;
    case "Bytes":
      return [...COMPARISONS, "contains", "not_contains"];
    case "String":
      return TEXT_OPERATORS;
    default:
      // `Float`, which graph-node refuses in an entity schema but knows to filter.
      return ["", "not"];
  }
}

/** Aggregations are filtered by their dimensions only, and those with fewer operators than entities have. */
function aggregationOperators(scalar: string): readonly string[] {
  switch (scalar) {
    case "BigInt":
    case "BigDecimal":
    case "Int":
    case "Int8":
    case "Timestamp":
      return ["", "gt", "lt", "gte", "lte", "in"];
    default:
      return [""];
  }
}
