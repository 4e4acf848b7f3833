import { readText } from "../../packages/client/src/manifest/build-url.ts";
import type { Text } from "../../packages/client/src/manifest/manifest-types.ts";
import { compareCodeUnits } from "../base/collections.ts";
import { nearestName } from "../base/text.ts";
import type { Environment, Protocol } from "../dialects/surface.ts";
import type { Config, EndpointConfig, MultichainConfig, SubgraphConfig } from "./config.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { BUILT_IN_PROTOCOLS } from "./protocols.ts";
import { literalUrl, variablesOf } from "./url-template.ts";

// Defaults for hosts, ids and keys that are not configured. The manifest and every command read them.

/** A template with `{id}`. */
export const MULTICHAIN_URL = "LOCKFLOW_MULTICHAIN_URL";
/** A template with `{deployment}`. */
export const SUBGRAPH_PRODUCTION_URL = "LOCKFLOW_SUBGRAPH_PRODUCTION_URL";
/** The key for the host of `SUBGRAPH_PRODUCTION_URL`. */
export const SUBGRAPH_API_KEY = "LOCKFLOW_SUBGRAPH_API_KEY";
/** A template with `{deployment}`. */
export const SUBGRAPH_TESTING_URL = "LOCKFLOW_SUBGRAPH_TESTING_URL";
/** The first word of deployment names in URLs. */
export const BRAND = "LOCKFLOW_BRAND";

/** Returns the variable of the id in the multichain URL of a protocol. */
export function idVariable(protocol: Protocol): string {
  return `${PREFIX}${protocol.toUpperCase().replaceAll("-", "_")}_ID`;
}

const PREFIX = "LOCKFLOW_";

/** Returns all default variables, in the order of `.env.example`. */
export function defaultVariables(protocols: readonly Protocol[]): string[] {
  return [
    MULTICHAIN_URL,
    ...protocols.map(idVariable),
    SUBGRAPH_PRODUCTION_URL,
    SUBGRAPH_API_KEY,
    SUBGRAPH_TESTING_URL,
    BRAND,
  ];
}

/** Environment variables by name. */
export type Environ = Readonly<Record<string, string | undefined>>;

/** Returns whether the configuration or at least one default variable sets the URL of an endpoint. */
export function isConfigured({ url: { defaults } }: Endpoint, env: Environ): boolean {
  return defaults.length === 0 || defaults.some((name) => readText({ env: name }, env) !== undefined);
}

type Deployed = { readonly deployments: readonly Deployment[] };

/** Returns whether any endpoint is configured. If not, commands use the embedded emulator. */
export function hasHost({ deployments }: Deployed, env: Environ): boolean {
  return deployments.some(({ endpoints }) => endpoints.some((endpoint) => isConfigured(endpoint, env)));
}

/** A variable that an endpoint needs. A key is sent as `Authorization: Bearer`, the value of a header unchanged. */
export type EndpointVariable = { readonly name: string; readonly kind: "key" | "header" | "url" };

/** Returns the variables that a request to an endpoint reads; of variables with a default only those that are set. */
export function endpointVariables(endpoint: Endpoint, env: Environ): EndpointVariable[] {
  const { text, values } = endpoint.url;
  const isLiteral = literalUrl(endpoint.url) !== null;
  const read = [text, ...Object.values(values)].filter((value) =>
    typeof value === "object" && value.or !== undefined
      ? readText({ env: value.env }, env) !== undefined
      : !isLiteral,
  );
  return [...secretVariables(endpoint), ...named(read, "url")];
}

/** Returns the variables of an endpoint whose values are secrets. */
export function secretVariables({ apiKey, headers }: Endpoint): EndpointVariable[] {
  return [...named(apiKey === null ? [] : [apiKey], "key"), ...named(Object.values(headers), "header")];
}

function named(texts: readonly (Text | undefined)[], kind: EndpointVariable["kind"]): EndpointVariable[] {
  const names = new Set(texts.flatMap((text) => (typeof text === "object" ? [text.env] : [])));
  return [...names].map((name) => ({ name, kind }));
}

/** Returns every variable that a project may read: default variables first, the others in order of name. */
export function projectVariables({
  deployments,
  protocols,
}: Deployed & { readonly protocols: readonly Protocol[] }): string[] {
  const endpoints = deployments.flatMap((deployment) => deployment.endpoints);
  const names = new Set([
    ...endpoints.flatMap(secretVariables).map(({ name }) => name),
    ...endpoints.flatMap(({ url }) => variablesOf(url)),
  ]);
  const ours = defaultVariables(protocols);
  const others = [...names].filter((name) => !ours.includes(name)).sort(compareCodeUnits);
  return [...ours.filter((name) => names.has(name)), ...others];
}

/** A variable with our prefix that is set and not used by any endpoint of a project. */
export type UnreadVariable = {
  readonly name: string;
  /** The variable that was probably meant; null if the name is known or not similar to any. */
  readonly nearest: string | null;
};

/** Finds the variables with our prefix that are not used, in order of name, without their values. */
export function findUnreadVariables(
  { deployments, protocols }: Deployed & { readonly protocols: readonly Protocol[] },
  env: Environ,
): UnreadVariable[] {
  const read = new Set(
    deployments
      .flatMap(({ endpoints }) => endpoints.filter((endpoint) => isConfigured(endpoint, env)))
      .flatMap((endpoint) => endpointVariables(endpoint, env).map(({ name }) => name)),
  );
  const names = defaultVariables([...new Set([...BUILT_IN_PROTOCOLS, ...protocols])]);
  // The common prefix would make all names similar.
  const endings = names.map((name) => name.slice(PREFIX.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && (env[name] ?? "").trim() !== "" && !read.has(name))
    .sort(compareCodeUnits)
    .map((name) => {
      const nearest = names.includes(name) ? null : nearestName(name.slice(PREFIX.length), endings);
      return { name, nearest: nearest && `${PREFIX}${nearest}` };
    });
}

/** The settings of all deployments: as configured, or the default variables. */
export type SharedSources = {
  readonly brand: Text;
  readonly multichain: MultichainConfig & { readonly ids: Readonly<Record<Protocol, Text>> };
  readonly subgraph: SubgraphConfig & { readonly [E in Environment]: EndpointConfig };
};

/** @param brand the first word of deployment names, unless a variable sets another. */
export function resolveShared(
  { brand: word, multichain, subgraph }: Config,
  brand: string,
  protocols: readonly Protocol[],
): SharedSources {
  const ids = multichain?.ids ?? {};
  return {
    brand: word ?? { env: BRAND, or: brand },
    multichain: {
      url: { env: MULTICHAIN_URL },
      ...multichain,
      ids: Object.fromEntries(
        protocols.map((protocol) => [protocol, ids[protocol] ?? { env: idVariable(protocol) }]),
      ),
    },
    subgraph: {
      production: subgraph?.production ?? {
        url: { env: SUBGRAPH_PRODUCTION_URL },
        apiKey: { env: SUBGRAPH_API_KEY },
      },
      testing: subgraph?.testing ?? { url: { env: SUBGRAPH_TESTING_URL } },
      explorer: subgraph?.explorer,
    },
  };
}
