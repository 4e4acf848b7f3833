import type { ApiSchema } from "../model/api-schema.ts";
import type { EntityModel } from "../model/entity-model.ts";
import type { ChainState, RowStore } from "../model/rows.ts";
import type { StyleName } from "../model/vocabulary.ts";

/**
 * Everything that knows one GraphQL dialect, behind one small interface. A third style is one more folder
 * beside `multichain` and `subgraph` and one more line in `styles/index.ts`.
 */
export type Style = {
  readonly name: StyleName;
  /** The releases of the platform that can be derived for, oldest first. */
  readonly releases: readonly string[];
  /** Whether an operator can make aggregates public. */
  readonly hasAggregates: boolean;
  /**
   * Checks the text of an entity schema as the platform does when it is deployed.
   *
   * @throws SchemaError with all of the platform's reasons to refuse it.
   */
  readonly validate: (text: string, place: string) => Promise<void>;
  /** The API schema the platform makes of an entity model, in the server's own order. */
  readonly derive: (model: EntityModel, options?: DeriveOptions) => ApiSchema;
  /** The entity model inside an API schema: `read(derive(model))` gives what the platform shows of the model. */
  readonly read: (schema: ApiSchema) => EntityModel;
  /**
   * Loads what serves queries over rows, for the emulator. Loaded late, because it brings a parser that
   * introspecting does without.
   */
  readonly loadExecutor: () => Promise<(served: ServedIndexer) => Executor>;
  readonly probe: Probe;
  /** The scalars of the platform by name. */
  readonly scalars: ReadonlyMap<string, ScalarFacts>;
};

export type DeriveOptions = {
  /** Entities whose aggregates the operator made public; only `multichain` has such. */
  readonly aggregates?: readonly string[] | undefined;
  /** One of the style's `releases`; by default the one that was current when the chain data were taken. */
  readonly release?: string | undefined;
};

/** What scalars of the two styles have in common. */
export type ScalarFamily = "text" | "integer" | "number" | "float" | "boolean" | "timestamp" | "json";

export type ScalarFacts = {
  readonly family: ScalarFamily;
  /** The TypeScript type of the JSON that travels, e.g. `string` for a big number. */
  readonly typescript: string;
};

/** One indexer as the emulator serves it. */
export type ServedIndexer = {
  readonly model: EntityModel;
  /** What `derive` made of the model. */
  readonly schema: ApiSchema;
  readonly store: RowStore;
  /** One for a subgraph, all of them for a multichain indexer; in order of chain id. */
  readonly chains: readonly ChainState[];
  /** The deployment hash a subgraph answers with (`Qm…`). */
  readonly deploymentHash: string;
};

export type GraphqlRequest = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly operationName: string | null;
};

/** Answers one request with the body to send as JSON, whose key order is part of the dialect. */
export type Executor = (request: GraphqlRequest) => Readonly<Record<string, unknown>>;

/** How a style is asked which chains it serves and how far it is. */
export type Probe = {
  /**
   * The query that asks for identity and health, given the schema of the deployment; it asks only for what
   * the schema has.
   */
  readonly query: (schema: ApiSchema) => string;
  /** Reads the answer's `data`, which is hostile input; what is missing or malformed is null. */
  readonly parse: (data: unknown) => ProbeReading;
};

export type ProbeReading = {
  /** The ids of the chains that are really served; null when the deployment cannot tell. */
  readonly chainIds: readonly number[] | null;
  /** The last block indexed, per chain where the style tells several apart (`chainId` null where it does not). */
  readonly heads: readonly { readonly chainId: number | null; readonly block: number }[];
  readonly hasIndexingErrors: boolean;
};
