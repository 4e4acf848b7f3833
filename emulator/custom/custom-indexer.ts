import type { StyleName } from "../../src/dialects/surface.ts";
import type { OperatorSettings } from "../styles/served-style.ts";

/** A custom indexer to emulate: its entities, and rows to serve. */
export type OwnIndexer = {
  /** The platform it is written for, and with it the dialect it answers in. */
  readonly style: StyleName;
  /** The entity SDL, as its authors write it. */
  readonly entities: string;
  /** Without rows it serves none. They are checked, so a value read from a JSON file may be given as it is. */
  readonly rows?: OwnRows | readonly OwnBlock[] | undefined;
  /** What the deployment is called: letters, digits, `_`, `-` and `.`. @default "indexer" */
  readonly name?: string | undefined;
  /** The platform's release, e.g. `graph-node-0.44`. @default the style's */
  readonly release?: string | undefined;
  /** What its operator set. @default {} */
  readonly settings?: OperatorSettings | undefined;
  /** The id of the chain it indexes. @default 1 */
  readonly chainId?: number | undefined;
};

/**
 * Rows by entity. A row has a value under the name of every field that is not derived: a reference as the id of its
 * target, big numbers as strings, bytes as `0x…`, a `Timestamp` as microseconds or as an ISO 8601 time, null or
 * nothing where a field may be null.
 */
export type OwnRows = Readonly<Record<string, readonly OwnRow[]>>;

/** The values of one row by field. */
export type OwnRow = Readonly<Record<string, unknown>>;

/** What a block did to the rows: a row that is there already is replaced. */
export type OwnBlock = {
  /** The block's number. */
  readonly block: number;
  /** Rows that are new or different from this block on, by entity. */
  readonly rows?: OwnRows | undefined;
  /** Ids of rows that are gone from this block on, by entity. */
  readonly deleted?: Readonly<Record<string, readonly string[]>> | undefined;
};
