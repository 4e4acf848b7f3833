import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { SchemaSettings } from "../../src/dialects/platform.ts";
import type { History, ReadView } from "./read-view.ts";

/** What serving needs of a dialect, beside the toolkit's `Style` of the same name. */
export type ServedStyle = {
  /** What an operator of the platform can set. */
  readonly settings: readonly (keyof OperatorSettings)[];
  /** The form in which the platform stores bytes given as `0x…`; null for a text that is not bytes. */
  readonly storeBytes: (text: string) => string | null;
  /** Loads what answers queries over rows. Late, because it brings a parser. */
  readonly loadExecutor: () => Promise<(options: ExecutorOptions) => Executor>;
};

/** What the operator of a deployment decided, with what shows in answers only. */
export type OperatorSettings = SchemaSettings & {
  /** The most rows a list holds, null for no limit (multichain). @default 1000 */
  readonly rowCap?: number | null | undefined;
  /** Whether queries are validated as the GraphQL specification says (subgraph). @default false */
  readonly strictValidation?: boolean | undefined;
  /** How complex a query may be, null for no limit (subgraph). @default null */
  readonly maxComplexity?: number | null | undefined;
};

/** One indexer as the emulator serves it. */
export type ExecutorOptions = {
  readonly model: EntityModel;
  /** What `derive` made of the model. */
  readonly schema: ApiSchema;
  /** One of the style's `releases`. */
  readonly release: string;
  readonly settings: OperatorSettings;
  readonly now: () => ReadView;
  /** The past of a subgraph's one chain; null for an indexer that answers as of now only. */
  readonly history: History | null;
  /** The deployment hash a subgraph answers with (`Qm…`). */
  readonly deploymentHash: string;
  /** What a request may cost, by the units of a budget; left out, as much as the platform lets it. */
  readonly mostWork?: number;
};

export type GraphqlRequest = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly operationName: string | null;
  /** The body it was read from, for who sends it on; absent where there is none of it alone. */
  readonly body?: string | undefined;
};

/** Answers one request with the body to send as JSON, whose key order is part of the dialect. */
export type Executor = (request: GraphqlRequest) => Readonly<Record<string, unknown>>;
