import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { History } from "../styles/read-view.ts";
import type { OperatorSettings } from "../styles/served-style.ts";

/** The entities of an indexer, and their rows on every chain. */
export type Dataset = {
  /** Datasets with the same name are equal. */
  readonly name: string;
  /** The entity SDL as written. */
  readonly entities: string;
  readonly model: EntityModel;
  /** The operator's settings, unless a deployment has its own. */
  readonly settings: OperatorSettings;
  /** The platform's release, unless a deployment has its own. @default the style's */
  readonly release?: string | undefined;
  readonly chain: (chainId: number) => ChainDataset;
};

/** One chain of a dataset. Rows are made when a store is first read. */
export type ChainDataset = History & {
  readonly chainId: number;
  readonly startBlock: number;
  /** The first block with readable rows. */
  readonly earliestBlock: number;
  /** The head when the emulator starts; rows of later blocks can also be read. */
  readonly firstHead: number;
};

/** The inputs of generated rows. */
export type RowSource = {
  readonly seed: string;
  /** Streams per protocol and chain, or rows of a large entity of a custom protocol; null lets the seed decide. */
  readonly streams: number | null;
  /** The time of the first head of each chain, in Unix seconds; null lets the seed decide. */
  readonly asOf: number | null;
};
