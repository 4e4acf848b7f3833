import type { Status } from "../model/chain.ts";
import type { HeaderValue } from "../model/deployment.ts";
import type { Protocol } from "../model/vocabulary.ts";

/**
 * What a user writes in `lockflow.config.ts`. Everything is optional: without any host the embedded emulator
 * is the target.
 */
export type Config = {
  /** The first word of deployment names. @default "protocol" */
  readonly brand?: string | undefined;
  /** @default ["lockup", "flow"] */
  readonly protocols?: readonly Protocol[] | undefined;
  readonly multichain?: MultichainConfig | undefined;
  readonly subgraph?: SubgraphConfig | undefined;
  /** Overrides of single deployments by name. */
  readonly deployments?: Readonly<Record<string, DeploymentConfig>> | undefined;
  /** Overridden or added chains by key. */
  readonly chains?: Readonly<Record<string, ChainConfig>> | undefined;
  /** Folder of the operations, from the configuration file. @default "operations" */
  readonly operations?: string | undefined;
  /** Folder of everything generated, from the configuration file. @default "generated" */
  readonly output?: string | undefined;
  /** TypeScript types of scalars by name, besides and before the ones each style knows. */
  readonly scalars?: Readonly<Record<string, string>> | undefined;
  /** The subgraph deployment whose schema becomes the snapshot, instead of what most chains serve. */
  readonly follow?: { readonly [P in Protocol]?: string | undefined } | undefined;
  /** Deployments asked at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Milliseconds a request may take. @default 15000 */
  readonly timeout?: number | undefined;
};

export type MultichainConfig = {
  /** A template that holds `{id}`: `"https://{host}/{id}/v1/graphql"`. */
  readonly url: string;
  /** What `{host}` stands for. */
  readonly host?: string | undefined;
  /** What `{id}` stands for, per protocol. */
  readonly ids: { readonly [P in Protocol]?: string | undefined };
  readonly headers?: Readonly<Record<string, HeaderValue>> | undefined;
  readonly apiKey?: ApiKeyConfig | undefined;
  /** A link template. */
  readonly playground?: string | undefined;
  /** A link template. */
  readonly explorer?: string | undefined;
};

export type SubgraphConfig = {
  readonly production?: EndpointConfig | undefined;
  readonly testing?: EndpointConfig | undefined;
  /** A link template that holds `{deployment}`. */
  readonly explorer?: string | undefined;
};

export type EndpointConfig = {
  /** A template that holds `{deployment}`; in an override of one deployment, a URL. */
  readonly url: string;
  readonly apiKey?: ApiKeyConfig | undefined;
  readonly headers?: Readonly<Record<string, HeaderValue>> | undefined;
  /** Queries allowed a day. @default 3000 for testing, none for production */
  readonly dailyQueries?: number | undefined;
};

/** The environment variable that holds the key, or `false` for an endpoint that takes none. */
export type ApiKeyConfig = { readonly env: string } | false;

export type DeploymentConfig = {
  readonly production?: EndpointConfig | undefined;
  readonly testing?: EndpointConfig | false | undefined;
  readonly playground?: string | undefined;
  readonly explorer?: string | undefined;
  readonly status?: Status | undefined;
};

/** For a chain that is not in the registry, `chainId` and `name` are required. */
export type ChainConfig = {
  readonly chainId?: number | undefined;
  readonly name?: string | undefined;
  /** Its name among the multichain chains, or null to take it off that style. */
  readonly multichainName?: string | null | undefined;
  /** The suffix of its subgraph deployments, or null to take it off that style. */
  readonly subgraphSuffix?: string | null | undefined;
  readonly testing?: boolean | undefined;
  readonly testnet?: boolean | undefined;
  readonly blockExplorer?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly status?: Status | undefined;
};

/**
 * Gives a configuration its type.
 *
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
