// Not emitted: the manifest has the unions of its own names under these.

/** The key of a chain. */
export type ChainKey = string;

/** The name of a deployment. */
export type DeploymentName = string;

/** A protocol. */
export type Protocol = string;

/** How an indexer is deployed. */
export type StyleName = string;

/** Which URL of a deployment is meant. */
export type Environment = string;
