import type { ProtocolDefinition } from "../dialects/protocol.ts";
import type {
  DocumentMode,
  Environment,
  Format,
  ImportExtension,
  Runtime,
  StyleName,
} from "../dialects/surface.ts";

export { defineProtocol } from "../dialects/protocol.ts";

/** A text, or the name of an environment variable that contains it. */
export type Text = string | { readonly env: string };

/**
 * The configuration in `lockflow.config.ts`. Everything is optional: without a host, commands use the embedded emulator.
 * Commands throw a `ConfigError` that names an unknown key or a key with an invalid value.
 */
export type Config = {
  /** The first word of deployment names. The value of a variable is used in URLs only. @default "protocol" */
  readonly brand?: Text | undefined;
  /**
   * The protocols that the project reads: a list of built-in protocols, or definitions by key, with `true` for a built-in
   * protocol. @default ["lockup", "flow"]
   */
  readonly protocols?: readonly string[] | Readonly<Record<string, true | ProtocolDefinition>> | undefined;
  /** The chains and styles that the project reads. All others are ignored. @default all */
  readonly only?: OnlyConfig | undefined;
  /** The endpoints of the multichain deployments. Without it and `subgraph`, commands use the emulator. */
  readonly multichain?: MultichainConfig | undefined;
  /** The endpoints of the subgraphs. */
  readonly subgraph?: SubgraphConfig | undefined;
  /** Overrides of single deployments by name: `protocol-lockup-mainnet`. */
  readonly deployments?: Readonly<Record<string, DeploymentConfig>> | undefined;
  /** Overridden or added chains by key: lower-case letters, digits and dashes. */
  readonly chains?: Readonly<Record<string, ChainConfig>> | undefined;
  /** The folder of the operations, relative to the configuration file. @default "operations" */
  readonly operations?: string | undefined;
  /**
   * Files of code whose `graphql(…)` calls and `gql` templates are operations too: patterns relative to the configuration
   * file, with `!` before those to exclude. If several entries match a file, the last one applies. @default none
   */
  readonly documents?: readonly (string | DocumentsConfig)[] | undefined;
  /** The folder of all generated files, relative to the configuration file. @default "generated" */
  readonly output?: string | undefined;
  /** `"ts"` to generate TypeScript, `"js"` to generate ES modules of JavaScript, each with its `.d.ts` beside it. @default "ts" */
  readonly format?: Format | undefined;
  /**
   * The extension in the imports of generated modules: `""` for bundlers, Jest and React Native, `".js"` for Node, `".ts"` if
   * the compiler allows it. `lockflow init` sets it. @default ".js"
   */
  readonly importExtension?: ImportExtension | undefined;
  /**
   * The form of generated documents: `"documentNode"` for clients that need parsed documents (Apollo Client, urql,
   * graphql-request), `"string"` for clients that send text, which is a tenth of the size, or `"both"`. `lockflow init` sets
   * it for the client that the project uses. @default "both"
   */
  readonly documentMode?: DocumentMode | undefined;
  /**
   * What generated modules import at run time: `"package"` for the package `lockflow-client`, or `"emit"` for copies of its
   * modules in `runtime/` of the output folder, without a dependency. @default "package"
   */
  readonly runtime?: Runtime | undefined;
  /**
   * TypeScript types of scalars by name, which override the defaults: `{ Bytes: "string" }`, or
   * `{ Bytes: "../../src/address.js#Address" }` for a type from a module. A type must fit the JSON value of the scalar.
   */
  readonly scalars?: Readonly<Record<string, string>> | undefined;
  /** By protocol, the subgraph deployment whose schema becomes the snapshot. @default the schema of most chains */
  readonly follow?: Readonly<Record<string, string | undefined>> | undefined;
  /** The number of deployments that are requested at the same time, from 1 to 64. @default 8 */
  readonly concurrency?: number | undefined;
  /** The timeout of a request in milliseconds, at most 600000. @default 15000 */
  readonly timeout?: number | undefined;
  /** The JSON schema of a configuration in JSON, for editors. Commands ignore it. @default none */
  readonly $schema?: string | undefined;
};

/** Files of code with documents, and how to read them. */
export type DocumentsConfig = {
  /** A pattern or several, as in `documents`: `"src/lockup/*.ts"`. */
  readonly files: string | readonly string[];
  /** The protocol of the documents. @default every protocol whose schema accepts the document */
  readonly protocol?: string | undefined;
  /** The style of the documents. @default every style whose schema accepts the document */
  readonly style?: StyleName | undefined;
  /** The functions and tags whose arguments are documents. @default ["graphql", "gql"] */
  readonly names?: readonly string[] | undefined;
};

/** The chains and styles that a project reads. */
export type OnlyConfig = {
  /** Keys, ids or other names of chains. @default every chain */
  readonly chains?: readonly (string | number)[] | undefined;
  /** @default both */
  readonly styles?: readonly StyleName[] | undefined;
};

/** The endpoints of the multichain deployments: one URL for each protocol. */
export type MultichainConfig = HostConfig & {
  /** A template with `{id}`: `"https://{host}/{id}/v1/graphql"`. It may also contain `{protocol}`. */
  readonly url: Text;
  /** The value of `{host}`. */
  readonly host?: Text | undefined;
  /** The value of `{id}` for each protocol. */
  readonly ids: Readonly<Record<string, Text | undefined>>;
  /** A template, with the placeholders of `url`, for the link to a query page. */
  readonly playground?: Text | undefined;
  /** A template, with the placeholders of `url`, for the link to the page of the deployment. */
  readonly explorer?: Text | undefined;
};

/** The endpoints of the subgraphs: one template for all chains in each environment. */
export type SubgraphConfig = {
  /** The gateway, which usually requires a key. */
  readonly production?: SubgraphEndpointConfig | undefined;
  /** The testing endpoints, which `introspect` and `sync` prefer. */
  readonly testing?: SubgraphEndpointConfig | undefined;
  /** A template with `{deployment}` for the link to the page of the deployment. */
  readonly explorer?: Text | undefined;
};

/** The URL of one environment of all subgraphs. */
export type SubgraphEndpointConfig = EndpointConfig & {
  /**
   * The values of `{id}` in the URL by protocol and chain, or the path of a CSV or JSON file with them, relative to the
   * configuration file. Use `{id}` instead of `{deployment}` for a gateway with opaque ids. A deployment without an id has
   * no URL in this environment. @default the URL contains `{deployment}`
   */
  readonly ids?: IdsConfig | string | undefined;
};

/** Opaque ids of subgraphs by protocol and key of the chain. */
export type IdsConfig = Readonly<Record<string, Readonly<Record<string, Text>> | undefined>>;

/** A configuration after its files of ids are read. */
export type ConfigWithIds = { readonly [K in Exclude<keyof Config, "subgraph">]?: Config[K] } & {
  readonly subgraph?:
    | ({ readonly [K in Exclude<keyof SubgraphConfig, Environment>]?: SubgraphConfig[K] } & {
        readonly [E in Environment]?: (EndpointConfig & { readonly ids?: IdsConfig | undefined }) | undefined;
      })
    | undefined;
};

/** The URL of one environment, its key and headers, and its limits. */
export type EndpointConfig = HostConfig & {
  /**
   * A template with `{deployment}`. It may also contain `{protocol}`, `{suffix}`, `{chain}` (the key) and `{chainId}`. For a
   * single deployment, a URL. It must use https, except on this machine.
   */
  readonly url: Text;
  /** The maximum number of queries a day. @default 3000 for testing, no limit for production */
  readonly dailyQueries?: number | undefined;
};

/** The key and headers of a host, and its limit. */
export type HostConfig = {
  /** The API key, which is sent to this host only. @default none */
  readonly apiKey?: ApiKeyConfig | undefined;
  /** Additional request headers by name. Secrets must be in variables. @default none */
  readonly headers?: Readonly<Record<string, Text>> | undefined;
  /**
   * The maximum number of rows that the host returns for a list: it silently cuts longer lists. If it is set, a shorter page
   * is the last page for the client. @default unknown
   */
  readonly maxRows?: number | undefined;
};

/** The variable of the key that is sent as `Authorization: Bearer`, or `false` to send none. */
export type ApiKeyConfig = { readonly env: string } | false;

/** Overrides for one deployment. Keys that are left out are as for its style. */
export type DeploymentConfig = LifecycleConfig & {
  /** Its own production URL. */
  readonly production?: EndpointConfig | undefined;
  /** Its own testing URL; false if it has none. */
  readonly testing?: EndpointConfig | false | undefined;
  /** A link to a query page. */
  readonly playground?: Text | undefined;
  /** A link to the page of the deployment. */
  readonly explorer?: Text | undefined;
  /** The name of the deployment to use instead. */
  readonly replacedBy?: string | undefined;
};

/** Overrides for a chain of the registry, or a new chain. A new chain needs `chainId` and `name`. */
export type ChainConfig = LifecycleConfig & {
  /** The id of the network, as wallets show it: 8453. */
  readonly chainId?: number | undefined;
  /** The name to show to people. */
  readonly name?: string | undefined;
  /** Its short name by EIP-3770: `"oeth"`. @default null */
  readonly shortName?: string | null | undefined;
  /** Its name in the multichain indexers; null to remove it from that style. @default null */
  readonly multichainName?: string | null | undefined;
  /** The suffix of its subgraph deployments; null to remove it from that style. @default null */
  readonly subgraphSuffix?: string | null | undefined;
  /** Whether its subgraphs have testing URLs. @default true */
  readonly testing?: boolean | undefined;
  /** Whether it is a test network. @default false */
  readonly testnet?: boolean | undefined;
  /** The average number of seconds between two blocks. @default null */
  readonly secondsPerBlock?: number | null | undefined;
  /** The URL of the chain's block explorer; null if it has none. @default null */
  readonly blockExplorer?: string | null | undefined;
  /** Other names of the chain. @default [] */
  readonly aliases?: readonly string[] | undefined;
};

/** Whether a chain or a deployment is in use, since when and why. */
export type LifecycleConfig = {
  /**
   * A dormant chain has no new blocks. A retired one stays in the manifest, but its schemas are no longer requested.
   * @default "active"; for a subgraph, the status of its chain
   */
  readonly status?: Status | undefined;
  /** The month or day from which it is dormant or retired: `2025-07` or `2025-07-31`. */
  readonly since?: string | undefined;
  /** Why it is dormant or retired, as a clause: `"the chain was shut down"`. */
  readonly reason?: string | undefined;
};

/**
 * Types a configuration. It does not check values: a command does that when it reads the file.
 *
 * @param config the configuration; docs/configuration.md describes its keys.
 * @returns the same object.
 * @example
 * ```ts
 * import { defineConfig } from "lockflow";
 *
 * export default defineConfig({
 *   subgraph: { testing: { url: "https://testing.example/{deployment}/latest" } },
 * });
 * ```
 */
export function defineConfig(config: Config): Config {
  return config;
}

/**
 * Whether a chain or a deployment is in use.
 * - `dormant`: requested like an active one, but missing answers and missing blocks are not reported.
 * - `retired`: listed in the manifest, and requested only to check whether it still answers.
 */
export type Status = "active" | "dormant" | "retired";
