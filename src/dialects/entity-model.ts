import { findNamed, groupBy, indexByName } from "../base/collections.ts";
import { entityOrigin, type Origin } from "./origin.ts";

/** The entities that authors defined. Scalars keep the names of their source (`BigInt` in SDL, `numeric` in an API). */
export type EntityModel = {
  /** In document order, which decides the order of root fields. */
  readonly definitions: readonly Definition[];
  readonly directives: readonly DirectiveDefinition[];
  /** Scalars and unions of the authors, which entities cannot use; left out if there are none. */
  readonly idle?: readonly IdleType[];
};

/** A type that entities cannot use. Only some releases of one platform show it. */
export type IdleType = Described &
  ({ readonly kind: "scalar" } | { readonly kind: "union"; readonly members: readonly string[] });

export type Definition =
  | Entity
  | EntityInterface
  | Aggregation
  | EntityEnum
  | EntityInput
  | FulltextDefinition;

/** The name and description of a part of a model. */
export type Described = {
  readonly name: string;
  readonly description: string | null;
};

export type Entity = Described & {
  readonly kind: "entity";
  readonly interfaces: readonly string[];
  readonly fields: readonly EntityField[];
  /** Its rows never change: `@entity(immutable: true)`, or `timeseries`. */
  readonly immutable?: true;
  /** Has `@crossChain`: one table for all chains, where a platform has tables per chain. */
  readonly crossChain?: true;
  /** Has `@internal`: newer platforms hide it from clients. */
  readonly internal?: true;
  /** The arguments of `@storage`; left out without the directive. */
  readonly storage?: EntityStorage;
};

/** Where the multichain platform stores an entity. Only entities in Postgres are in the API. */
export type EntityStorage = {
  readonly postgres: boolean;
  /** Why the platform refuses the directive; null if it does not. */
  readonly problem: string | null;
};

export type EntityInterface = Described & {
  readonly kind: "interface";
  readonly fields: readonly EntityField[];
};

/** A roll-up of a time series: `@aggregation(source:, intervals:)`. */
export type Aggregation = Described & {
  readonly kind: "aggregation";
  readonly fields: readonly EntityField[];
  readonly intervals: readonly string[];
};

/** A definition with rows to query. */
export type RowDefinition = Entity | EntityInterface | Aggregation;

/** Returns whether a definition has rows to query. */
export function isRowDefinition(definition: Definition): definition is RowDefinition {
  const { kind } = definition;
  return kind === "entity" || kind === "interface" || kind === "aggregation";
}

export type EntityField = Described & {
  readonly type: string;
  /** The arguments that the authors wrote. Platforms replace those of entity lists. */
  readonly args: readonly InputValue[];
  /** Whether it is not stored, but found through a field of another entity. */
  readonly derived: boolean;
  /** The field through which a derived field is found; null if it is not derived, or unknown. */
  readonly derivedFrom: string | null;
  readonly aggregate: boolean;
  /** Whether it has `@config(precision:)`, which changes how some platforms store lists of big numbers. */
  readonly precise: boolean;
  /** The number of decimals from `@config(precision:, scale:)`; left out without it. */
  readonly scale?: number;
};

export type EntityEnum = Described & {
  readonly kind: "enum";
  /** Null if a platform shows the enum as an opaque scalar. */
  readonly values: readonly EnumValue[] | null;
};

export type EnumValue = Described;

export type EntityInput = Described & {
  readonly kind: "input";
  readonly fields: readonly InputValue[];
};

/** A search root field: `@fulltext` on the type `_Schema_`. */
export type FulltextDefinition = {
  readonly kind: "fulltext";
  readonly name: string;
  readonly entity: string;
  /** The searched fields. APIs do not show them. */
  readonly searched?: readonly string[];
  /** The language of their words: `en`, `simple`. APIs do not show it. */
  readonly language?: string;
  /** The ranking of results: `rank`, `proximityRank`. */
  readonly algorithm?: string;
};

export type InputValue = Described & {
  readonly type: string;
  readonly defaultValue: string | null;
};

export type DirectiveDefinition = Described & {
  readonly locations: readonly string[];
  readonly args: readonly InputValue[];
  readonly repeatable: boolean;
};

/** A definition that is a type. */
export type TypeDefinition = Exclude<Definition, FulltextDefinition>;

/** Lookups in several models, such as those of the two sides of a comparison. */
export type ModelUnion = ReturnType<typeof createModelUnion>;

/** Indexes models by the names of their types. The first of two definitions in a model with one name wins. */
export function createModelUnion(models: readonly EntityModel[]) {
  const definitions = groupBy(
    models.flatMap((model) => [...indexByName(model.definitions.filter(isType)).values()]),
    ({ name }) => name,
  );
  const definitionsOf = (name: string): readonly TypeDefinition[] => definitions.get(name) ?? [];
  const fieldsOf = (type: string, field: string): readonly EntityField[] =>
    definitionsOf(type).flatMap((definition) =>
      isRowDefinition(definition) ? (findNamed(definition.fields, field) ?? []) : [],
    );
  return { definitionsOf, fieldsOf };
}

function isType(definition: Definition): definition is TypeDefinition {
  return definition.kind !== "fulltext";
}

/** Returns the origin of everything that is derived from a definition. */
export function definitionOrigin({ kind, name }: TypeDefinition): Origin {
  return kind === "enum" ? { kind, name } : entityOrigin(name);
}
