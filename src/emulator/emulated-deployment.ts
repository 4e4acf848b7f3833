import type { Environment, Protocol, StyleName } from "../model/vocabulary.ts";

/** A deployment the emulator serves. */
export type EmulatedDeployment = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly style: StyleName;
  /** One for a subgraph, all of them for a multichain deployment. */
  readonly chainIds: readonly number[];
  readonly environments: readonly Environment[];
};

/** One URL of it. */
export type EmulatedEndpoint = {
  readonly deployment: EmulatedDeployment;
  readonly environment: Environment;
  readonly path: string;
};
