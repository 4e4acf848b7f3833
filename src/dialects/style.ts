import type { ApiSchema, RootNames } from "./api-schema.ts";
import type { EntityModel } from "./entity-model.ts";
import type { Origin, PlatformOrigin } from "./origin.ts";
import type { Pitfalls } from "./pitfalls.ts";
import type { DeriveOptions, Platform } from "./platform.ts";
import type { PortableStyle } from "./portable-style.ts";
import type { Prober } from "./prober.ts";
import type { StyleName } from "./surface.ts";

/** One GraphQL dialect, with a part for each kind of caller. A third style is one more folder with the same files. */
export type Style = {
  readonly name: StyleName;
  readonly platform: Platform;
  readonly scalars: ReadonlyMap<string, ScalarFacts>;
  readonly schemas: SchemaReader;
  readonly deriver: Deriver;
  readonly prober: Prober;
  readonly pitfalls: Pitfalls;
  readonly portable: PortableStyle;
  readonly filters: FilterNames;
};

/** Reads names in filters. */
export type FilterNames = {
  /** Returns the entity whose rows a type of filters selects; null for another type. */
  readonly entityOf: (type: string) => string | null;
  /** Returns the fields that a member of a filter may compare with its value. */
  readonly fieldsOf: (member: string) => readonly string[];
};

/** Reads the entity model and the platform from an API schema. */
export type SchemaReader = {
  /** Reads the entity model of an API schema: `read(derive(model))` returns what the platform shows of the model. */
  readonly read: (schema: ApiSchema) => EntityModel;
  /** Recognizes the platform's release and the operator's settings, as far as the schema shows them. */
  readonly recognize: (schema: ApiSchema) => Recognized;
  readonly findCapabilities: (schema: ApiSchema) => Capabilities;
  /**
   * Finds the fields whose types changed because the platform changed. The models of each entry include the changes of the
   * entries before it.
   */
  readonly findRetyped: (before: ReadSchema, after: ReadSchema) => readonly RetypedFields[];
};

/** The entity model and the platform of an API schema. */
export type ReadSchema = { readonly model: EntityModel; readonly recognized: Recognized };

/** A change of the platform that changed the types of fields. */
export type RetypedFields = {
  readonly feature: PlatformOrigin;
  /** The types before and after: `numeric`, `String`. */
  readonly before: string;
  readonly after: string;
  /** The models before and after, in which these fields have one type. */
  readonly models: readonly [before: EntityModel, after: EntityModel];
};

/** Derives API schemas from entity models, and traces the derived parts back. */
export type Deriver = {
  /**
   * Checks an entity schema as the platform does when it is deployed. `place` is the name of the text in errors.
   *
   * @throws SchemaError with all reasons of the platform to refuse it.
   */
  readonly validate: (text: string, place: string, options?: DeriveOptions) => Promise<void>;
  /** Derives the API schema of an entity model as the platform does, in the server's order. */
  readonly derive: (model: EntityModel, options?: DeriveOptions) => ApiSchema;
  /** Traces coordinates of an API schema back to its models: both models, if two schemas are compared. */
  readonly traceOrigins: (models: readonly EntityModel[], roots: RootNames) => OriginLookup;
  /** Renames everything that the platform derives from an entity. */
  readonly renameDerived: DerivedNames;
};

/** Returns the origins of a coordinate: parts of models, then features of the platform. */
export type OriginLookup = (coordinate: string) => readonly Origin[];

/** Renames types and root fields; null for those that are not derived from the entity. */
export type DerivedNames = (
  from: string,
  to: string,
) => {
  readonly type: (name: string) => string | null;
  readonly rootField: (name: string) => string | null;
};

/** The facts about the platform that an API schema shows. */
export type Recognized = {
  /** The oldest possible release, such as `graph-node-0.42`; null if nothing shows it. */
  readonly release: string | null;
  /** The names of the platform's features that the schema shows, as in origins, in code-unit order. */
  readonly features: readonly string[];
  /** The options that derive a schema with the same facts: the release and the operator's settings. */
  readonly options: DeriveOptions;
};

/** The queries that an indexer may support, independent of the dialect. */
export const CAPABILITIES = [
  "one by id",
  "filter: equal",
  "filter: order",
  "filter: in a list",
  "filter: null",
  "filter: text",
  "filter: lists",
  "filter: relations",
  "filter: and",
  "filter: or",
  "filter: not",
  "filter: changed since",
  "order: one field",
  "order: several fields",
  "order: field of a relation",
  "page",
  "page: of a list field",
  "distinct",
  "aggregates",
  "roll-ups by interval",
  "search",
  "time travel",
  "live updates",
  "progress and health",
] as const;

/** One kind of query. */
export type Capability = (typeof CAPABILITIES)[number];

/** The syntax for each kind of query in a schema; null if the schema does not support it. */
export type Capabilities = Readonly<Record<Capability, string | null>>;

/** The families of scalars that both styles have. */
export type ScalarFamily = "text" | "integer" | "number" | "float" | "boolean" | "timestamp" | "json";

export type ScalarFacts = {
  readonly family: ScalarFamily;
  /** The TypeScript type of the JSON value, such as `string` for a big number. */
  readonly typescript: string;
  /** The type of variables and members of filters, if they take more than that. */
  readonly input?: string;
};
