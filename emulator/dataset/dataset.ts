import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { History } from "../styles/read-view.ts";
import type { OperatorSettings } from "../styles/served-style.ts";

/** What an indexer is about: its entities, and their rows on every chain. */
export type Dataset = {
  /** Equal names are equal datasets. */
  readonly name: string;
  /** The entity SDL, as its authors wrote it. */
  readonly entities: string;
  readonly model: EntityModel;
  /** What the operator set, unless a deployment says otherwise. */
  readonly settings: OperatorSettings;
  readonly chain: (chainId: number) => ChainDataset;
};

/** One chain of it. Rows are made when a store of it is first read. */
export type ChainDataset = History & {
  readonly chainId: number;
  readonly startBlock: number;
  /** The first block whose rows can be read. */
  readonly earliestBlock: number;
  /** The block that is the head when the emulator starts; rows of later ones can be read too. */
  readonly firstHead: number;
};
