import type { ApiSchema, RootNames } from "./api-schema.ts";
import type { EntityModel } from "./entity-model.ts";
import type { Origin, PlatformOrigin } from "./origin.ts";
import type { Pitfalls } from "./pitfalls.ts";
import type { DeriveOptions, Platform } from "./platform.ts";
import type { PortableStyle } from "./portable-style.ts";
import type { Prober } from "./prober.ts";
import type { StyleName } from "./surface.ts";

/** One GraphQL dialect: a part for each kind of caller. A third style is one more folder with the same files. */
export type Style = {
  readonly name: StyleName;
  readonly platform: Platform;
  readonly scalars: ReadonlyMap<string, ScalarFacts>;
  readonly schemas: SchemaReader;
  readonly deriver: Deriver;
  readonly prober: Prober;
  readonly pitfalls: Pitfalls;
  readonly portable: PortableStyle;
};

/** Reads what is behind an API schema. */
export type SchemaReader = {
  /** The entity model inside an API schema: `read(derive(model))` gives what the platform shows of the model. */
  readonly read: (schema: ApiSchema) => EntityModel;
  /** The platform's release and the operator's settings, as far as the schema shows them. */
  readonly recognize: (schema: ApiSchema) => Recognized;
  readonly findCapabilities: (schema: ApiSchema) => Capabilities;
  /**
   * The fields of entities that the platform shows with another type. The models of each have the types of those before
   * it, too.
   */
  readonly findRetyped: (before: ReadSchema, after: ReadSchema) => readonly RetypedFields[];
};

/** What was read of an API schema. */
export type ReadSchema = { readonly model: EntityModel; readonly recognized: Recognized };

/** A change of the platform that gave fields another type. */
export type RetypedFields = {
  readonly feature: PlatformOrigin;
  /** The types as people call them: `numeric`, `String`. */
  readonly before: string;
  readonly after: string;
  /** The models before and after, in which these fields have one type. */
  readonly models: readonly [before: EntityModel, after: EntityModel];
};

/** Derives API schemas from entity models, and explains what is derived. */
export type Deriver = {
  /**
   * Checks the text of an entity schema as the platform does when it is deployed. `place` names the text in errors.
   *
   * @throws SchemaError with all of the platform's reasons to refuse it.
   */
  readonly validate: (text: string, place: string, options?: DeriveOptions) => Promise<void>;
  /** The type that makes all queries of a deployment fail although the platform accepts the model, and why; else null. */
  readonly findBreakage: (model: EntityModel) => { readonly name: string; readonly reason: string } | null;
  /** The API schema that the platform makes of an entity model, in the server's own order. */
  readonly derive: (model: EntityModel, options?: DeriveOptions) => ApiSchema;
  /** Traces coordinates of an API schema back to the models it was derived from: both models, where two are compared. */
  readonly traceOrigins: (models: readonly EntityModel[], roots: RootNames) => OriginLookup;
  /** The names of what the platform derived from an entity, if the entity had another name. */
  readonly renameDerived: DerivedNames;
};

/** What decides whether a coordinate exists and what it is: parts of models, then features of the platform. */
export type OriginLookup = (coordinate: string) => readonly Origin[];

/** Renames types and root fields; null for one that the platform did not make of the entity. */
export type DerivedNames = (
  from: string,
  to: string,
) => {
  readonly type: (name: string) => string | null;
  readonly rootField: (name: string) => string | null;
};

/** What an API schema shows of the platform behind it. */
export type Recognized = {
  /** The oldest release it can be of, e.g. `graph-node-0.42`; null when nothing shows it. */
  readonly release: string | null;
  /** Names of the platform's features that show, as origins have them, in code-unit order. */
  readonly features: readonly string[];
  /** What to derive with to get a schema that shows the same: the release and the operator's settings. */
  readonly options: DeriveOptions;
};

/** What can be asked of an indexer, in words that are no dialect's. */
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

/** One thing that can be asked of an indexer. */
export type Capability = (typeof CAPABILITIES)[number];

/** How a schema lets each thing be asked, as its dialect writes it; null where it does not. */
export type Capabilities = Readonly<Record<Capability, string | null>>;

/** What scalars of the two styles have in common. */
export type ScalarFamily = "text" | "integer" | "number" | "float" | "boolean" | "timestamp" | "json";

export type ScalarFacts = {
  readonly family: ScalarFamily;
  /** The TypeScript type of the JSON that travels, e.g. `string` for a big number. */
  readonly typescript: string;
};
