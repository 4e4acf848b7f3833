/** The key of a protocol: of one that ships with the toolkit, or of a configured one. */
export type Protocol = string;

/** How an indexer is deployed, and with it the GraphQL dialect it speaks. */
export type StyleName = "multichain" | "subgraph";

/** Which URL of a deployment is meant. A multichain deployment has `production` only. */
export type Environment = "production" | "testing";

export const STYLE_NAMES: readonly StyleName[] = ["multichain", "subgraph"];

/** Whether a style has one deployment per chain, a fleet, or one that serves all chains. */
export const IS_PER_CHAIN: Readonly<Record<StyleName, boolean>> = { multichain: false, subgraph: true };

export const ENVIRONMENTS: readonly Environment[] = ["production", "testing"];

/** What is generated: TypeScript, or JavaScript beside its declarations. */
export type Format = "ts" | "js";
