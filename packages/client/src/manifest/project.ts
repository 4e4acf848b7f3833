/** How an indexer is deployed. */
export type StyleName = "multichain" | "subgraph";

/** Which URL of a deployment is meant. */
export type Environment = "production" | "testing";

/** The ids of a protocol's chains by their keys. */
export type Chains = { readonly [chain: string]: number };

/** The chains of each protocol: the type of a project. */
export type Project = { readonly [protocol: string]: Chains };

/** What an endpoint is requested by. */
export type EndpointRequest = {
  readonly protocol: string;
  readonly style: StyleName;
  readonly chain?: string | number | undefined;
  readonly environment?: Environment | undefined;
};
