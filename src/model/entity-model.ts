/**
 * The style-neutral reading of a schema: what the authors of an indexer wrote, before a platform
 * derived its API from it.
 *
 * Types of fields are GraphQL type expressions (`"[Stream!]!"`). Scalars keep the names of where the
 * model was read from (`BigInt` in an entity SDL, `numeric` in a multichain schema); each style's
 * `scalars` table says what they have in common.
 */
export type EntityModel = {
  /** In document order, which decides the order of root fields. */
  readonly definitions: readonly Definition[];
  /** Directive definitions the authors wrote themselves. */
  readonly directives: readonly DirectiveDefinition[];
};

export type Definition =
  | Entity
  | EntityInterface
  | Aggregation
  | EntityEnum
  | EntityInput
  | FulltextDefinition;

export type Entity = {
  readonly kind: "entity";
  readonly name: string;
  readonly description: string | null;
  readonly interfaces: readonly string[];
  readonly fields: readonly EntityField[];
};

export type EntityInterface = {
  readonly kind: "interface";
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly EntityField[];
};

/** A roll-up of a time series: `@aggregation(source:, intervals:)`. */
export type Aggregation = {
  readonly kind: "aggregation";
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly EntityField[];
  /** As written, `hour` and `day`. */
  readonly intervals: readonly string[];
};

export type EntityField = {
  readonly name: string;
  readonly description: string | null;
  /** A GraphQL type expression, e.g. `"[Stream!]!"`. */
  readonly type: string;
  /** Arguments the authors wrote; platforms replace those of entity lists. */
  readonly args: readonly InputValue[];
  /** Not stored, but found through the field of another entity. */
  readonly derived: boolean;
  /** The field a derived field is found through; null when it is not derived or cannot be told. */
  readonly derivedFrom: string | null;
  /** Carries `@aggregate` (fields of aggregations only). */
  readonly aggregate: boolean;
  /** `@config(precision:)` was given, which decides how some platforms store lists of big numbers. */
  readonly precise: boolean;
};

export type EntityEnum = {
  readonly kind: "enum";
  readonly name: string;
  readonly description: string | null;
  /** Null where a platform shows the enum as an opaque scalar. */
  readonly values: readonly EnumValue[] | null;
};

export type EnumValue = { readonly name: string; readonly description: string | null };

export type EntityInput = {
  readonly kind: "input";
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly InputValue[];
};

/** A search root field: `@fulltext` on the type `_Schema_`. */
export type FulltextDefinition = {
  readonly kind: "fulltext";
  readonly name: string;
  readonly entity: string;
};

export type InputValue = {
  readonly name: string;
  readonly description: string | null;
  readonly type: string;
  /** The default as GraphQL text, e.g. `"100"`. */
  readonly defaultValue: string | null;
};

export type DirectiveDefinition = {
  readonly name: string;
  readonly description: string | null;
  readonly locations: readonly string[];
  readonly args: readonly InputValue[];
  readonly repeatable: boolean;
};
