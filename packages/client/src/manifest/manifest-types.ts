/** The state of a chain or a deployment. Unknown facts are left out. */
export type Lifecycle = {
  /** `dormant`: still served, without new blocks. `retired`: no longer served. */
  readonly status: "active" | "dormant" | "retired";
  /** A month or a day: `2025-07` or `2025-07-31`. */
  readonly since?: string;
  readonly reason?: string;
  /** The name of the deployment to use in its place. */
  readonly replacedBy?: string;
};

/** A chain in the manifest. A retired chain has names, but no endpoint. */
export type Chain = Lifecycle & {
  readonly chainId: number;
  readonly caip2: string;
  /** Display name, as wallets show it. */
  readonly name: string;
  /** Its short name by EIP-3770, as in `oeth:0x…`; null where it has none. */
  readonly shortName: string | null;
  /** Its name on the multichain indexers; null where they do not have it. */
  readonly multichain: string | null;
  /** The last part of its subgraph deployments' names; null where it has none. */
  readonly subgraph: string | null;
  readonly testnet: boolean;
  /** Approximate seconds between two blocks; null if unknown. */
  readonly secondsPerBlock: number | null;
  readonly blockExplorer: string | null;
  readonly aliases: readonly string[];
};

/** A deployment in the manifest. */
export type Deployment<
  P extends string = string,
  S extends StyleName = StyleName,
  Key extends string = string,
  List extends readonly Key[] = readonly Key[],
> = Lifecycle & {
  readonly protocol: P;
  readonly style: S;
  /** The chains it serves: exactly one for a subgraph. */
  readonly chains: List;
  /** The chains it served until they were retired. */
  readonly formerChains?: readonly Key[];
  readonly environments: readonly Environment[];
};

/** Where to send a query, and how. */
export type Endpoint<
  P extends string = string,
  S extends StyleName = StyleName,
  Key extends string = string,
  Name extends string = string,
> = {
  readonly url: string;
  readonly method: "POST";
  /** To send with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further headers by the environment variables that hold their values; for the host of `url` only. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** Null where no key is sent. */
  readonly auth: AuthRule | null;
  /** `dailyQueries` is null if unknown. `maxRows` is the limit of rows in a list, left out if unknown. */
  readonly limits: { readonly dailyQueries: number | null; readonly maxRows?: number };
  /** For people. */
  readonly playground: string | null;
  /** For people. */
  readonly explorer: string | null;
  readonly deployment: Name;
  /** The chains it answers for. */
  readonly chains: readonly Key[];
  /** Type only; absent at run time. The surface whose documents the endpoint answers. */
  readonly __surface?: `${P}/${S}`;
};

/** The endpoints of a surface: `EndpointOf<"lockup/subgraph">`. */
// In a function that also takes a document, the surface is inferred from the document only.
export type EndpointOf<
  Surface extends string,
  Key extends string = string,
  Name extends string = string,
> = Endpoint<string, StyleName, Key, Name> & {
  readonly __surface?: [Surface][Surface extends string ? 0 : never];
};

/** Read the variable `env` where the request is made, and send it as `Authorization: Bearer …` to `host` only. */
export type AuthRule = {
  readonly header: "Authorization";
  readonly scheme: "Bearer";
  readonly env: string;
  readonly host: string;
};

/** Environment variables: `process.env`, `import.meta.env` or an object of your own. */
export type Variables = Readonly<Record<string, unknown>>;

/** A text, or the environment variable that contains it. `or` is its default; `has` must be a part of it. */
export type Text = string | Variable;

/** `read` reads `process.env.NAME` literally, because bundlers replace only such literal reads by values. */
type Variable = {
  readonly env: string;
  readonly or?: string;
  readonly has?: string;
  readonly read?: () => unknown;
};

/** The endpoint of all deployments of a style, or of one deployment. */
export type EndpointRow = {
  readonly url: Text;
  /** The values of `{id}` in `url`, by the key of the chain. */
  readonly ids?: Readonly<Record<string, Text>>;
  /** The variable that holds the API key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly dailyQueries?: number;
  readonly maxRows?: number;
};

/** The links of all deployments of a style, or of one deployment. */
type LinkRow = { readonly playground?: Text; readonly explorer?: Text };

/** How one protocol is served. */
export type Served = {
  readonly protocol: string;
  readonly routes: ProtocolRoutes;
  readonly deployments: Readonly<Record<string, Deployment>>;
  readonly links: Readonly<Record<string, LinkRow>>;
};

/** The part of a project that a client needs: its chains, and where each protocol is served. */
export type Routes = {
  readonly chains: Readonly<Record<string, ChainRoute>>;
  readonly protocols: Readonly<Record<string, ProtocolRoutes>>;
  /** Builds the endpoint of a chain; null if no deployment serves it. */
  readonly endpoint: (routes: Routes, request: EndpointRequest, source: EndpointSource) => Endpoint | null;
};

/** The chains and deployments of a project, without URLs. */
export type ServedRoutes = Pick<Routes, "chains"> & {
  readonly protocols: Readonly<Record<string, Pick<ProtocolRoutes, "deployments">>>;
};

/** The variables of the template of a URL. */
export type EndpointSource = { readonly env?: Variables | undefined };

/** A chain that is served. */
export type ChainRoute = {
  readonly chainId: number;
  /** Approximate; left out if unknown. */
  readonly secondsPerBlock?: number;
  readonly testnet?: true;
  /** The suffix in the names of its subgraphs, if it is not the key. */
  readonly subgraph?: string;
};

/** Where a protocol is served. */
export type ProtocolRoutes = {
  /** The start of the names of deployments; empty if they start with no brand. */
  readonly brand: string;
  /** The values of placeholders in URLs. */
  readonly values: Readonly<Record<string, Text>>;
  readonly deployments: readonly DeploymentRoute[];
  /** By style and environment, or by the name of a deployment and environment: `subgraph production`. */
  readonly endpoints: Readonly<Record<string, EndpointRow>>;
};

/** Deployments of one style that are named alike. */
export type DeploymentRoute = {
  readonly style: StyleName;
  /** With `{suffix}` each chain has a deployment of its own; without it, one deployment serves all chains. */
  readonly name: string;
  readonly chains: readonly string[];
  readonly environments: readonly Environment[];
};

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
