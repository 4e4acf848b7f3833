import type { Environment, Protocol, StyleName } from "../../src/dialects/surface.ts";
import type { OperatorSettings } from "../styles/served-style.ts";

/** A deployment the emulator serves. */
export type EmulatedDeployment = {
  /** Its name, which is in its URLs: `protocol-lockup-mainnet`. */
  readonly name: string;
  /** Null for a custom indexer. */
  readonly protocol: Protocol | null;
  /** The dialect it answers in. */
  readonly style: StyleName;
  /** Ids. One for a subgraph, all of them for a multichain deployment. */
  readonly chainIds: readonly number[];
  /** The environments it has a URL in. */
  readonly environments: readonly Environment[];
  /** The platform's release it runs on: `graph-node-0.44`. @default the style's */
  readonly release?: string | undefined;
  /** What its operator set. @default {} */
  readonly settings?: OperatorSettings | undefined;
};

/** One URL of it. */
export type EmulatedEndpoint = {
  readonly deployment: EmulatedDeployment;
  readonly environment: Environment;
  readonly path: string;
};
