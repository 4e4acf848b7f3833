/** A token-streaming protocol: `lockup` is vesting, `flow` is payments. */
export type Protocol = "lockup" | "flow";

/** How an indexer is deployed, and with it the GraphQL dialect it speaks. */
export type StyleName = "multichain" | "subgraph";

/** Which URL of a deployment is meant. A multichain deployment has `production` only. */
export type Environment = "production" | "testing";

export const PROTOCOLS: readonly Protocol[] = ["lockup", "flow"];
export const STYLE_NAMES: readonly StyleName[] = ["multichain", "subgraph"];

/** Whether a style has one deployment per chain, a fleet, or one that serves all chains. */
export const IS_PER_CHAIN: Readonly<Record<StyleName, boolean>> = { multichain: false, subgraph: true };

export const ENVIRONMENTS: readonly Environment[] = ["production", "testing"];
