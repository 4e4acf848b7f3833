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

/** A text as it is, or the name of the environment variable that holds it. */
export type Text = string | { readonly env: string };

/**
 * What a user writes in `lockflow.config.ts`. Everything is optional: without any host the embedded emulator is asked.
 * When a command reads the file, a `ConfigError` names a key that is not known or has a value of the wrong form.
 */
export type Config = {
  /** The first word of deployment names; one in a variable is that of names in URLs only. @default "protocol" */
  readonly brand?: Text | undefined;
  /**
   * The protocols the project reads: keys of those that ship with Lockflow, or definitions by key, in which `true` stands
   * for one that ships. @default ["lockup", "flow"]
   */
  readonly protocols?: readonly string[] | Readonly<Record<string, true | ProtocolDefinition>> | undefined;
  /** Which chains and styles the project reads; what is not among them does not exist for it. @default all */
  readonly only?: OnlyConfig | undefined;
  /** Where the multichain deployments are. Without it, and without `subgraph`, the emulator is asked. */
  readonly multichain?: MultichainConfig | undefined;
  /** Where the subgraphs are. */
  readonly subgraph?: SubgraphConfig | undefined;
  /** Overrides of single deployments by name: `protocol-lockup-mainnet`. */
  readonly deployments?: Readonly<Record<string, DeploymentConfig>> | undefined;
  /** Overridden or added chains by key: lower-case letters, digits and dashes. */
  readonly chains?: Readonly<Record<string, ChainConfig>> | undefined;
  /** Folder of the operations, from the configuration file. @default "operations" */
  readonly operations?: string | undefined;
  /**
   * Files of code whose `graphql(…)` calls and `gql` templates are operations too: patterns from the configuration's
   * folder, and `!` before those to leave out. Of several entries that match a file, the last counts. @default none
   */
  readonly documents?: readonly (string | DocumentsConfig)[] | undefined;
  /** Folder of everything generated, from the configuration file. @default "generated" */
  readonly output?: string | undefined;
  /** `"ts"` to generate TypeScript, `"js"` to generate ES modules of JavaScript, each with its `.d.ts` beside it. @default "ts" */
  readonly format?: Format | undefined;
  /**
   * How generated modules name each other: `""` for bundlers, Jest and React Native, `".js"` for Node, `".ts"` where the
   * compiler allows it. `lockflow init` writes it. @default ".js"
   */
  readonly importExtension?: ImportExtension | undefined;
  /**
   * Which documents are generated: `"documentNode"` for clients that take parsed documents (Apollo Client, urql,
   * graphql-request), `"string"` for those that send text, which are a tenth of the size, or `"both"`. `lockflow init` writes
   * what the project's client takes. @default "both"
   */
  readonly documentMode?: DocumentMode | undefined;
  /**
   * What generated modules import at run time: `"package"`, the package `lockflow-client`, or `"emit"`, copies of its modules in
   * `runtime/` of the output folder, for projects that want no dependency. @default "package"
   */
  readonly runtime?: Runtime | undefined;
  /**
   * TypeScript types of scalars by name, before those each style knows: `{ Bytes: "string" }`, or
   * `{ Bytes: "../../src/address.js#Address" }` for a module's. What contradicts the JSON that arrives is refused.
   */
  readonly scalars?: Readonly<Record<string, string>> | undefined;
  /** The name of the subgraph deployment whose schema becomes the snapshot. @default what most chains serve */
  readonly follow?: Readonly<Record<string, string | undefined>> | undefined;
  /** Deployments asked at the same time, from 1 to 64. @default 8 */
  readonly concurrency?: number | undefined;
  /** Milliseconds a request may take, at most 600000. @default 15000 */
  readonly timeout?: number | undefined;
};

/** Files of code with documents in them, and what these are. */
export type DocumentsConfig = {
  /** A pattern, or several, as `documents` itself takes them: `"src/lockup/*.ts"`. */
  readonly files: string | readonly string[];
  /** The protocol of their documents. @default those whose schema accepts a document */
  readonly protocol?: string | undefined;
  /** The style of their documents. @default those whose schema accepts a document */
  readonly style?: StyleName | undefined;
  /** The functions and tags that are given documents. @default ["graphql", "gql"] */
  readonly names?: readonly string[] | undefined;
};

/** What of everything a project reads. */
export type OnlyConfig = {
  /** Keys, ids or other names of chains. @default every chain */
  readonly chains?: readonly (string | number)[] | undefined;
  /** @default both */
  readonly styles?: readonly StyleName[] | undefined;
};

/** Where the multichain deployments are: one URL for each protocol. */
export type MultichainConfig = {
  /** A template that holds `{id}`: `"https://{host}/{id}/v1/graphql"`. It may hold `{protocol}` too. */
  readonly url: Text;
  /** What `{host}` stands for. */
  readonly host?: Text | undefined;
  /** What `{id}` stands for, per protocol. */
  readonly ids: Readonly<Record<string, Text | undefined>>;
  /** Headers to send by name, besides those Lockflow sets. A secret is the name of its variable. @default none */
  readonly headers?: Readonly<Record<string, Text>> | undefined;
  /** Sent to this host, and to no other. @default none is sent */
  readonly apiKey?: ApiKeyConfig | undefined;
  /**
   * The most rows that the host gives of a list, whatever is asked for: it cuts longer ones and says nothing. Where it is
   * known, the client's pages end with a short one. @default not known
   */
  readonly maxRows?: number | undefined;
  /** A template, with the placeholders of `url`, of a link to a page for trying queries. */
  readonly playground?: Text | undefined;
  /** A template, with the placeholders of `url`, of a link to the deployment's own page. */
  readonly explorer?: Text | undefined;
};

/** Where the subgraphs are: one template for all chains, in each environment. */
export type SubgraphConfig = {
  /** The gateway, which usually wants a key. */
  readonly production?: SubgraphEndpointConfig | undefined;
  /** Asked first by `introspect` and `sync`, for the deployments that have one. */
  readonly testing?: SubgraphEndpointConfig | undefined;
  /** A template that holds `{deployment}`, of a link to the deployment's own page. */
  readonly explorer?: Text | undefined;
};

/** The URL of one environment of all subgraphs. */
export type SubgraphEndpointConfig = EndpointConfig & {
  /**
   * The values of `{id}` in the URL, per protocol and chain, or the path of a CSV or JSON file with them, from the
   * configuration file. A gateway with opaque ids has `{id}` in its URL instead of `{deployment}`. A deployment without an
   * id has no URL here. @default the URL contains `{deployment}`
   */
  readonly ids?: IdsConfig | string | undefined;
};

/** Opaque ids of subgraphs, per protocol and key of the chain. */
export type IdsConfig = Readonly<Record<string, Readonly<Record<string, Text>> | undefined>>;

/** A configuration whose files of ids are read. */
export type ConfigWithIds = { readonly [K in Exclude<keyof Config, "subgraph">]?: Config[K] } & {
  readonly subgraph?:
    | ({ readonly [K in Exclude<keyof SubgraphConfig, Environment>]?: SubgraphConfig[K] } & {
        readonly [E in Environment]?: (EndpointConfig & { readonly ids?: IdsConfig | undefined }) | undefined;
      })
    | undefined;
};

/** The URL of one environment, and what a request to it needs. */
export type EndpointConfig = {
  /**
   * A template that holds `{deployment}`, and may hold `{protocol}`, `{suffix}`, `{chain}` (our key) and `{chainId}`;
   * of a single deployment, a URL. It has to use https, except on this machine.
   */
  readonly url: Text;
  /** Sent to this host, and to no other. @default none is sent */
  readonly apiKey?: ApiKeyConfig | undefined;
  /** Headers to send by name, besides those Lockflow sets. A secret is the name of its variable. @default none */
  readonly headers?: Readonly<Record<string, Text>> | undefined;
  /** Queries allowed a day. @default 3000 for testing, none for production */
  readonly dailyQueries?: number | undefined;
  /**
   * The most rows that the host gives of a list, whatever is asked for: it cuts longer ones and says nothing. Where it is
   * known, the client's pages end with a short one. @default not known
   */
  readonly maxRows?: number | undefined;
};

/** The variable of the key that is sent as `Authorization: Bearer`, or `false` for an endpoint that takes none. */
export type ApiKeyConfig = { readonly env: string } | false;

/** What is different about one deployment. What is left out is as for all of its style. */
export type DeploymentConfig = {
  /** Its own production URL. */
  readonly production?: EndpointConfig | undefined;
  /** Its own testing URL; false when it has none. */
  readonly testing?: EndpointConfig | false | undefined;
  /** A link to a page for trying queries. */
  readonly playground?: Text | undefined;
  /** A link to its own page. */
  readonly explorer?: Text | undefined;
  /** @default that of its chain; "active" for a multichain deployment */
  readonly status?: Status | undefined;
  /** Since when it is dormant or retired: a month or a day, `2025-07` or `2025-07-31`. */
  readonly since?: string | undefined;
  /** Why, as a clause: `"nobody pays for it any more"`. */
  readonly reason?: string | undefined;
  /** The name of the deployment to use in its place. */
  readonly replacedBy?: string | undefined;
};

/** What differs from the registry; a chain that is not in it needs `chainId` and `name`, and has the defaults below. */
export type ChainConfig = {
  /** The id of the network, as wallets show it: 8453. */
  readonly chainId?: number | undefined;
  /** The name to show to people. */
  readonly name?: string | undefined;
  /** Its short name by EIP-3770: `"oeth"`. @default null */
  readonly shortName?: string | null | undefined;
  /** Its name among the multichain chains, or null to take it off that style. @default null */
  readonly multichainName?: string | null | undefined;
  /** The suffix of its subgraph deployments, or null to take it off that style. @default null */
  readonly subgraphSuffix?: string | null | undefined;
  /** Whether its subgraphs have testing URLs. @default true */
  readonly testing?: boolean | undefined;
  /** Whether it is a test network. @default false */
  readonly testnet?: boolean | undefined;
  /** About how many seconds lie between two blocks. @default null */
  readonly secondsPerBlock?: number | null | undefined;
  /** The URL of the chain's block explorer, or null where it has none. @default null */
  readonly blockExplorer?: string | null | undefined;
  /** Further names by which it may be called. @default [] */
  readonly aliases?: readonly string[] | undefined;
  /**
   * A dormant chain has no new blocks. A retired one stays in the manifest, and its schemas are not asked for any more.
   * Its subgraph deployments are what it is. @default "active"
   */
  readonly status?: Status | undefined;
  /** Since when it is dormant or retired: a month or a day, `2025-07` or `2025-07-31`. */
  readonly since?: string | undefined;
  /** Why, as a clause: `"the chain was shut down"`. */
  readonly reason?: string | undefined;
};

/**
 * Gives a configuration its type, and nothing else: it is checked when a command reads the file.
 *
 * @param config the configuration; docs/configuration.md tells its keys by what they are for.
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
 * Whether it is in use.
 * - `dormant`: served and asked as before, but neither a missing answer nor a missing block is reported.
 * - `retired`: known and named in the manifest, and asked only whether it still answers.
 */
export type Status = "active" | "dormant" | "retired";
