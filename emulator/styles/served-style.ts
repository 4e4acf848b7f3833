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

/** What one request may cost: counted and not timed, so that it ends the same way on every machine, however busy. */
export type Budget = {
  /** Takes off what something costs; a unit is about a row that is looked at, or a value of the answer. */
  readonly spend: (cost: number) => void;
  readonly spent: () => number;
  readonly left: () => number;
};

/** Creates a budget; `refuse` throws what a request ends with that costs more. */
export function createBudget(most: number, refuse: () => never): Budget {
  let left = most;
  return {
    spend: (cost) => {
      left -= cost;
      if (left < 0) refuse();
    },
    spent: () => most - left,
    left: () => left,
  };
}

/** The values that were asked for last, each made once. */
export type Memo<K, V> = {
  /** The value of a key, made when it is not cached. */
  readonly get: (key: K, make: () => V) => V;
};

/** Creates a memo of at most `most` values. */
export function createMemo<K, V extends object>(most: number): Memo<K, V> {
  const values = new Map<K, V>();
  return {
    get: (key, make) => {
      const value = values.get(key) ?? make();
      // Put last, so that the first is always the one that was not asked for the longest.
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}

/** A number of a JSON text that no JavaScript number stands for, as it was written: `1e400`, or thirty digits. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The server panics: it closes the connection and answers nothing, so that this leaves the executor. */
export class ServerPanic extends Error {}
