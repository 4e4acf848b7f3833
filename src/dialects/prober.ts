import { isObject } from "../base/parse-json.ts";
import type { ApiSchema } from "./api-schema.ts";
import type { FieldName } from "./protocol.ts";

/** Builds queries that show what a deployment serves, and parses their answers. */
export type Prober = {
  /** Builds the query for the chains and the progress of a deployment. */
  readonly buildProbe: (schema: ApiSchema, chain: ChainField | null) => Question;
  /**
   * Builds the query that shows how a deployment orders text; null if the schema has no suitable text. The member itself is
   * null if the platform always orders text by bytes.
   */
  readonly buildTextOrderProbe: ((schema: ApiSchema) => TextOrderQuestion | null) | null;
};

export type TextOrderQuestion = {
  readonly query: string;
  /** Parses the `data` of an answer, which may be hostile. */
  readonly parse: (data: unknown) => TextOrder;
};

/** The order of text: by UTF-8 bytes, by the rules of a language, or unknown because the rows fit both. */
export type TextOrder = "bytes" | "language" | "unknown";

/** The field with the chain id. Its entity has one row per chain. */
export type ChainField = FieldName;

/** A query, and the parser of its answer. */
export type Question = {
  readonly query: string;
  /** Parses the `data` of an answer, which may be hostile. Missing or malformed parts are null. */
  readonly parse: (data: unknown) => ProbeReading;
};

export type ProbeReading = {
  /** The ids of the chains that are served; null if unknown. */
  readonly chainIds: readonly number[] | null;
  /** The last indexed blocks. `chainId` is null if the style does not return it. */
  readonly heads: readonly {
    readonly chainId: number | null;
    readonly block: number;
    /** The time of the block in Unix seconds; left out if the style does not return it. */
    readonly timestamp?: number;
  }[];
  readonly hasIndexingErrors: boolean;
  /** The platform's unique id of the deployed code; null if it returns none. */
  readonly deployment: string | null;
};

/** Returns a member of an answer, which may be hostile; undefined if there is none. */
export function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
