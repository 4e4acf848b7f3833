import { cached } from "../../../base/cached.ts";
import { findNamed, indexByName } from "../../../base/find-named.ts";
import { once } from "../../../base/once.ts";
import { baseTypeName, isList } from "../../../base/type-expression.ts";
import {
  type Aggregation,
  type Definition,
  type Entity,
  type EntityField,
  type EntityInterface,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../../../schema/entity-model.ts";
import type { GraphNodeFeatures } from "../release.ts";

/** The definitions of a model by name, and what derivation asks about them. */
export type EntityTypes = {
  readonly entities: readonly Entity[];
  readonly interfaces: readonly EntityInterface[];
  readonly aggregations: readonly Aggregation[];
  readonly definitionOf: (type: string) => Definition | undefined;
  /** The same where it is something rows are read through, that is where the field is a reference. */
  readonly referenceOf: (type: string) => RowDefinition | undefined;
  /** The fields of a type that rows of others, which refer to it, can be ordered by (A.6). */
  readonly childFieldsOf: (type: RowDefinition) => readonly EntityField[];
  readonly implementersOf: (name: string) => readonly Entity[];
  /** The type of a row's id: `ID` and `String` count as one; an interface has that of its first implementer (A.7). */
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
