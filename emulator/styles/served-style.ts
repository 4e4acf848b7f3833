import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { SchemaSettings } from "../../src/dialects/platform.ts";
import type { BytesType } from "../../src/dialects/protocol.ts";
import type { History, ReadView } from "./read-view.ts";

/** The part of a dialect that serves queries; the toolkit's `Style` of the same name is the other part. */
export type ServedStyle = {
  /** The settings that the platform has. */
  readonly settings: readonly (keyof OperatorSettings)[];
  /** The form in which the platform stores bytes given as `0x…`; null if the text is not bytes. */
  readonly storeBytes: (text: string, bytesType: BytesType | undefined) => string | null;
  /** Loads the executor. Late, because it brings a parser. */
  readonly loadExecutor: () => Promise<(options: ExecutorOptions) => Executor>;
  /** Returns the schema of an indexer of some chains, if their ids change it. */
  readonly schemaOf?: (schema: ApiSchema, chainIds: readonly number[]) => ApiSchema;
};

/** Bytes as `0x…` in lower case, which are compared by value; null if the text is not bytes. */
export function storeHex(text: string): string | null {
  return /^0x(?:[0-9a-f]{2})*$/i.test(text) ? text.toLowerCase() : null;
}

/** The settings of a deployment's operator that show in answers. */
export type OperatorSettings = SchemaSettings & {
  /** The most rows a list holds, null for no limit (multichain). @default 1000 */
  readonly rowCap?: number | null | undefined;
  /** Whether queries are validated as the GraphQL specification says (subgraph). @default false */
  readonly strictValidation?: boolean | undefined;
  /** How complex a query may be, null for no limit (subgraph). @default null */
  readonly maxComplexity?: number | null | undefined;
};

/** An indexer to serve. */
export type ExecutorOptions = {
  readonly model: EntityModel;
  /** Derived from the model. */
  readonly schema: ApiSchema;
  /** One of the style's `releases`. */
  readonly release: string;
  readonly settings: OperatorSettings;
  readonly now: () => ReadView;
  /** The earlier blocks of a subgraph's chain; null if the indexer only answers for the head. */
  readonly history: History | null;
  /** The deployment hash in a subgraph's answers (`Qm…`). */
  readonly deploymentHash: string;
  /** The limit of a request in units of its budget. @default 2,000,000 */
  readonly mostWork?: number | undefined;
};

export type GraphqlRequest = {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly operationName: string | null;
  /** The body to forward; absent if the request is a part of it. */
  readonly body?: string | undefined;
};

/** Answers a request with the body to send as JSON. The order of keys is part of the dialect. */
export type Executor = (request: GraphqlRequest) => Readonly<Record<string, unknown>>;

/** The cost limit of a request. Counted, not timed, so that every machine ends it at the same point. */
export type Budget = {
  /** Subtracts a cost; a unit is about one scanned row or one value of the answer. */
  readonly spend: (cost: number) => void;
  readonly spent: () => number;
  readonly left: () => number;
};

/**
 * The cost limit of a request, about one or two seconds. Hosted platforms cancel slow queries; this stands for their
 * unknown limit.
 */
const MOST_WORK = 2_000_000;

/** Creates a budget; `refuse` throws the error of a request that exceeds it. */
export function createBudget(refuse: () => never, most = MOST_WORK): Budget {
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

/** A cache of the most recently used values. */
export type Memo<K, V> = {
  readonly get: (key: K, make: () => V) => V;
};

export function createMemo<K, V extends object>(most: number): Memo<K, V> {
  const values = new Map<K, V>();
  return {
    get: (key, make) => {
      const value = values.get(key) ?? make();
      // Moved to the end: the first is the least recently used.
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}

/** Least recently used queries go first. */
const MOST_QUERIES = 256;

/** Longer texts are parsed on every request. */
const LONGEST_CACHED = 50_000;

/** Returns a parser that caches its results. A text with an error throws it every time. */
export function cacheQueries<T extends object>(parse: (text: string) => T): (text: string) => T {
  const queries = createMemo<string, T>(MOST_QUERIES);
  return (text) => (text.length > LONGEST_CACHED ? parse(text) : queries.get(text, () => parse(text)));
}

/** A JSON number that no JavaScript number represents, as written: `1e400`, or thirty digits. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The server panics: it closes the connection without an answer, so this leaves the executor. */
export class ServerPanic extends Error {}
