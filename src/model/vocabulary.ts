/** A token-streaming protocol: `lockup` is vesting, `flow` is payments. */
export type Protocol = "lockup" | "flow";

/** How an indexer is deployed, and with it the GraphQL dialect it speaks. */
export type StyleName = "multichain" | "subgraph";

/** Which URL of a deployment is meant. A multichain deployment has `production` only. */
export type Environment = "production" | "testing";

export const PROTOCOLS: readonly Protocol[] = ["lockup", "flow"];
export const STYLE_NAMES: readonly StyleName[] = ["multichain", "subgraph"];
export const ENVIRONMENTS: readonly Environment[] = ["production", "testing"];
