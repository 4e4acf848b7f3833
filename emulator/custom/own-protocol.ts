import type { StyleName } from "../../src/dialects/surface.ts";
import type { OwnBlock, OwnRows } from "./custom-indexer.ts";

/** A protocol of one's own to emulate in both styles: its entities, and what is known of its rows. */
export type OwnProtocol = {
  /** The entity SDL, as its authors write it: one for both styles, or one for each. */
  readonly entities: string | { readonly [S in StyleName]?: string | undefined };
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
  /** By entity, how ids are made of fields: `{contract}-{chainId}-{tokenId}`. */
  readonly ids?: Readonly<Record<string, string>> | undefined;
  /** What to call the files all this was read from, in errors. @default the protocol's key */
  readonly places?:
    | {
        readonly entities?: { readonly [S in StyleName]?: string | undefined } | undefined;
        readonly rows?: string | undefined;
      }
    | undefined;
};
