import type { IdTemplates } from "../../src/dialects/protocol.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import type { OperatorSettings } from "../styles/served-style.ts";

/** A custom indexer to emulate: its entities, and rows to serve. */
export type OwnIndexer = {
  /** The platform it is written for, and with it the dialect it answers in. */
  readonly style: StyleName;
  /** The entity SDL, as its authors write it. */
  readonly entities: string;
  /** Without rows it serves none. They are checked, so the contents of a JSON file are accepted. */
  readonly rows?: OwnRows | readonly OwnBlock[] | undefined;
  /** The name of the deployment: letters, digits, `_`, `-` and `.`. @default "indexer" */
  readonly name?: string | undefined;
  /** The platform's release, e.g. `graph-node-0.44`. @default the style's */
  readonly release?: string | undefined;
  /** The settings of its operator. @default {} */
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

/** The changes of a block. A row that already exists is replaced. */
export type OwnBlock = {
  /** The block's number. */
  readonly block: number;
  /** Rows that are new or different from this block on, by entity. */
  readonly rows?: OwnRows | undefined;
  /** Ids of rows that are gone from this block on, by entity. */
  readonly deleted?: Readonly<Record<string, readonly string[]>> | undefined;
};

/** A custom protocol to emulate in both styles: its entities, and facts of its rows. */
export type OwnProtocol = {
  /** The entity SDL, as its authors write it: one for both styles, or one for each. */
  readonly entities: string | { readonly [S in StyleName]?: string | undefined };
  /** The styles in which it is deployed. @default those that have entities */
  readonly styles?: readonly StyleName[] | undefined;
  /** The chains on which it is deployed, by key, id or another name. @default every chain of the styles */
  readonly chains?: readonly (string | number)[] | undefined;
  /**
   * Its rows, as those of a custom indexer, on every chain: `{chainId}` in a text is the chain's id, and a row with a
   * `chainId` is on that chain alone. @default made up from the seed, the same in both styles
   */
  readonly rows?: OwnRows | readonly OwnBlock[] | undefined;
  /** The field that holds the chain's id in the one row that its entity has for each chain: `Counter.chainId`. */
  readonly identity?:
    | { readonly protocol?: string | undefined; readonly chain?: string | undefined }
    | undefined;
  /** By entity, the field that leads to an entity with a chain: no row is made up without one. */
  readonly chainPath?: Readonly<Record<string, string>> | undefined;
  /** By entity, a field that is unique on a chain, ascending, and never changes. */
  readonly cursors?: Readonly<Record<string, string>> | undefined;
  /** By entity, the template of ids: `{contract}-{chainId}-{tokenId}`, or one for each style if they differ. */
  readonly ids?: IdTemplates | undefined;
  /** The name of the source files in errors. @default the protocol's key */
  readonly places?:
    | {
        readonly entities?: { readonly [S in StyleName]?: string | undefined } | undefined;
        readonly rows?: string | undefined;
      }
    | undefined;
};
