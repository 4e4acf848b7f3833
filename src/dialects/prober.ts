import type { ApiSchema } from "./api-schema.ts";
import type { FieldName } from "./protocol.ts";

/** Builds the queries that show what a deployment serves, and reads their answers. */
export type Prober = {
  /** Builds the query for the chains that a deployment serves and its progress. */
  readonly buildProbe: (schema: ApiSchema, chain: ChainField | null) => Question;
  /**
   * Builds the query that shows how a deployment orders text, which returns null if the schema has no suitable text.
   * Null itself where the platform always orders text by bytes.
   */
  readonly buildTextOrderProbe: ((schema: ApiSchema) => TextOrderQuestion | null) | null;
};

export type TextOrderQuestion = {
  readonly query: string;
  /** Reads the answer's `data`, which is hostile input. */
  readonly parse: (data: unknown) => TextOrder;
};

/** By the bytes of UTF-8, by a language's rules, or so that the rows which were seen do not tell. */
export type TextOrder = "bytes" | "language" | "unknown";

/** The field that holds the chain's id, in the one row that its entity has for each chain. */
export type ChainField = FieldName;

/** What is asked of a deployment, and how its answer is read. */
export type Question = {
  readonly query: string;
  /** Reads the answer's `data`, which is hostile input; what is missing or malformed is null. */
  readonly parse: (data: unknown) => ProbeReading;
};

export type ProbeReading = {
  /** The ids of the chains that are really served; null when the deployment does not say. */
  readonly chainIds: readonly number[] | null;
  /** The last block indexed, per chain where the style knows it (`chainId` null where it does not). */
  readonly heads: readonly {
    readonly chainId: number | null;
    readonly block: number;
    /** When the block was made, in Unix seconds; left out where the style does not say. */
    readonly timestamp?: number;
  }[];
  readonly hasIndexingErrors: boolean;
  /** What the platform calls the deployment, one name for each; null where it gives none. */
  readonly deployment: string | null;
};
