// Not emitted: the manifest has what is of its own names under these.

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

/** The chains of each style of a protocol. */
export type StyleChains = { readonly [P in Protocol]: { readonly [S in StyleName]: ChainKey } };

/** What `endpoint` can be asked for. */
export type EndpointRequest = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  readonly chain?: ChainKey | undefined;
  readonly environment?: Environment | undefined;
};
