import type { AskedChain, AskedRows, PagePlace } from "./ask-chains.ts";
import type { Column } from "./column.ts";

/** A question that is ready to be asked. */
export type Asked = {
  /** The name of the operation. */
  readonly operation: string;
  /** The key of its protocol. */
  readonly protocol: string;
  /** The keys of its chains, in their order. */
  readonly chains: readonly string[];
  /** The columns of its rows, by what it selects. */
  readonly columns: readonly Column[];
  /** Whether the answer is one object, or nothing. */
  readonly isRecord: boolean;
  /** What is asked, by aspect: rows of questions that differ in one do not belong into one file. */
  readonly identity: Readonly<Record<string, string>>;
  /** Asks, and gives rows as they come. A chain that fails spoils no other, and is told by `onChain`. */
  readonly rows: (options?: RowsOptions) => AsyncGenerator<AskedRows, void, undefined>;
};

/** How rows are asked for. */
export type RowsOptions = {
  /** Ends the asking. @default nothing does */
  readonly signal?: AbortSignal | undefined;
  /** Where pages go on, by chain: the last `place` of each. @default at the beginning */
  readonly places?: ReadonlyMap<string, PagePlace> | undefined;
  /** The chains whose pages were read to the end. @default none */
  readonly done?: ReadonlySet<string> | undefined;
  /** Is told what came of each chain. @default nobody is told */
  readonly onChain?: ((chain: AskedChain) => void) | undefined;
};
