import type { Environment, Protocol, StyleName } from "../model/vocabulary.ts";
import type { OperatorSettings } from "../styles/style.ts";

/** A deployment the emulator serves. */
export type EmulatedDeployment = {
  readonly name: string;
  /** Null for an indexer of one's own. */
  readonly protocol: Protocol | null;
  readonly style: StyleName;
  /** One for a subgraph, all of them for a multichain deployment. */
  readonly chainIds: readonly number[];
  readonly environments: readonly Environment[];
  /** The platform's release it runs on; by default the style's. */
  readonly release?: string | undefined;
  /** What its operator set. */
  readonly settings?: OperatorSettings | undefined;
};

/** One URL of it. */
export type EmulatedEndpoint = {
  readonly deployment: EmulatedDeployment;
  readonly environment: Environment;
  readonly path: string;
};
