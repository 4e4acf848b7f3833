import { findNamed, groupBy, indexByName } from "../base/collections.ts";
import { entityOrigin, type Origin } from "./origin.ts";

/** What authors wrote; scalars keep the names of their source (`BigInt` in SDL, `numeric` in an API). */
export type EntityModel = {
  /** In document order, which decides the order of root fields. */
  readonly definitions: readonly Definition[];
  readonly directives: readonly DirectiveDefinition[];
  /** Scalars and unions the authors wrote, which no entity can use; left out where there are none. */
  readonly idle?: readonly IdleType[];
};

/** A type that is only shown, and that by some releases of one platform. */
export type IdleType = Described &
  ({ readonly kind: "scalar" } | { readonly kind: "union"; readonly members: readonly string[] });

export type Definition =
  | Entity
  | EntityInterface
  | Aggregation
  | EntityEnum
  | EntityInput
  | FulltextDefinition;

/** What every part of a model has that can be described. */
export type Described = {
  readonly name: string;
  readonly description: string | null;
  /** Set where it is known to have been written between single quotes, which some releases show differently. */
  readonly quoted?: true;
};

export type Entity = Described & {
  readonly kind: "entity";
  readonly interfaces: readonly string[];
  readonly fields: readonly EntityField[];
  /** Its rows never change: `@entity(immutable: true)`, or `timeseries`. */
  readonly immutable?: true;
  /** Carries `@crossChain`: one table for all chains where a platform keeps tables per chain. */
  readonly crossChain?: true;
  /** Carries `@internal`: newer platforms keep it from clients. */
  readonly internal?: true;
  /** What `@storage` says; left out without the directive. */
  readonly storage?: EntityStorage;
};

/** Where the multichain platform stores an entity: an API shows what is in Postgres. */
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

/** What rows are read through. */
export type RowDefinition = Entity | EntityInterface | Aggregation;

/** Whether rows are read through a definition. */
export function isRowDefinition(definition: Definition): definition is RowDefinition {
  const { kind } = definition;
  return kind === "entity" || kind === "interface" || kind === "aggregation";
}

export type EntityField = Described & {
  readonly type: string;
  /** Arguments the authors wrote; platforms replace those of entity lists. */
  readonly args: readonly InputValue[];
  /** Not stored, but found through the field of another entity. */
  readonly derived: boolean;
  /** The field a derived field is found through; null when it is not derived or not known. */
  readonly derivedFrom: string | null;
  readonly aggregate: boolean;
  /** `@config(precision:)` was given, which decides how some platforms store lists of big numbers. */
  readonly precise: boolean;
  /** The decimals that `@config(precision:, scale:)` has such a column store; left out where it has none. */
  readonly scale?: number;
};

export type EntityEnum = Described & {
  readonly kind: "enum";
  /** Null where a platform shows the enum as an opaque scalar. */
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
  /** The fields that are searched, which no API shows. */
  readonly searched?: readonly string[];
  /** The language of their words: `en`, `simple`. No API shows it either. */
  readonly language?: string;
  /** How what is found is ranked: `rank`, `proximityRank`. */
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

/** Several models asked as one, such as those of the two sides of a comparison. */
export type ModelUnion = {
  /** What is defined by this name: at most one of each model, the first there. */
  readonly definitionsOf: (name: string) => readonly TypeDefinition[];
  readonly fieldsOf: (type: string, field: string) => readonly EntityField[];
};

/** Indexes models by the names of their types. */
export function createModelUnion(models: readonly EntityModel[]): ModelUnion {
  const definitions = groupBy(
    models.flatMap((model) => [...indexByName(model.definitions.filter(isType)).values()]),
    ({ name }) => name,
  );
  const definitionsOf = (name: string) => definitions.get(name) ?? [];
  return {
    definitionsOf,
    fieldsOf: (type, field) =>
      definitionsOf(type).flatMap((definition) =>
        isRowDefinition(definition) ? (findNamed(definition.fields, field) ?? []) : [],
      ),
  };
}

function isType(definition: Definition): definition is TypeDefinition {
  return definition.kind !== "fulltext";
}

/** A definition as an origin. */
export function definitionOrigin({ kind, name }: TypeDefinition): Origin {
  return kind === "enum" ? { kind, name } : entityOrigin(name);
}
