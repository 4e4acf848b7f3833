import type {
  ChainRoute,
  Chain as ChainRow,
  DeploymentRoute,
  Deployment as DeploymentRow,
  EndpointRow,
  ProtocolRoutes,
  Routes,
  Text,
} from "../../packages/client/src/manifest/manifest-types.ts";

import { routeEndpoint } from "../../packages/client/src/manifest/routes.ts";
import { compareCodeUnits, groupBy } from "../base/collections.ts";

import {
  ENVIRONMENTS,
  type Environment,
  IS_PER_CHAIN,
  type Protocol,
  type StyleName,
} from "../dialects/surface.ts";
import type { Chain } from "./chain.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { pickLifecycle } from "./lifecycle.ts";
import type { Project } from "./project.ts";

/** The kinds of endpoints, with the type name and the description of the chains that have one. */
export const ENDPOINT_KINDS = [
  ["multichain", "production", "MultichainChain", "a multichain endpoint"],
  ["subgraph", "production", "SubgraphChain", "a subgraph"],
  ["subgraph", "testing", "TestingChain", "a subgraph with a testing URL"],
] as const;

/** Builds the parts of one protocol's URLs: literal texts, and environment variables by name. */
export function buildSources(
  { brand, multichain }: Project["shared"],
  deployments: readonly Deployment[],
  protocol: Protocol,
): {
  readonly values: Readonly<Record<string, Text | undefined>>;
  readonly endpoints: Readonly<Record<string, EndpointRow>>;
  readonly links: Readonly<Record<string, Deployment["links"]>>;
} {
  const active = deployments.filter(({ status }) => status !== "retired");
  return {
    values: { brand, host: multichain.host, id: multichain.ids[protocol] },
    endpoints: Object.fromEntries([
      ...ENDPOINT_KINDS.flatMap(([style, environment]) => {
        const shared = active
          .filter((deployment) => deployment.style === style)
          .flatMap(({ chains, endpoints }) => endpoints.map((endpoint) => ({ chains, ...endpoint })))
          .filter((endpoint) => endpoint.environment === environment && endpoint.url.isShared);
        const ids = shared.flatMap(({ chains, url: { values } }) =>
          IS_PER_CHAIN[style] && values["id"] !== undefined ? [[chains[0], values["id"]]] : [],
        );
        const [endpoint] = shared;
        const more = ids.length === 0 ? {} : { ids: Object.fromEntries(ids) };
        return endpoint ? [[`${style} ${environment}`, { ...endpointRow(endpoint), ...more }]] : [];
      }),
      ...active.flatMap(({ name, endpoints }) =>
        endpoints
          .filter(({ url }) => !url.isShared)
          .map((endpoint) => [`${name} ${endpoint.environment}`, endpointRow(endpoint)]),
      ),
    ]),
    links: linkRows(active),
  };
}

function endpointRow({ url, apiKey, headers, dailyQueries, maxRows }: Endpoint): EndpointRow {
  const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const literal = all.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  const secret = all.flatMap(([name, value]) => (typeof value === "string" ? [] : [[name, value.env]]));
  return {
    url: url.text,
    ...(apiKey === null ? {} : { key: apiKey.env }),
    ...(literal.length === 0 ? {} : { headers: Object.fromEntries(literal) }),
    ...(secret.length === 0 ? {} : { secretHeaders: Object.fromEntries(secret) }),
    ...(dailyQueries === null ? {} : { dailyQueries }),
    ...(maxRows === null ? {} : { maxRows }),
  };
}

/** The links most deployments of a style have under its name, and others under the names of their deployments. */
function linkRows(deployments: readonly Deployment[]): Record<string, Deployment["links"]> {
  const rows: Record<string, Deployment["links"]> = {};
  for (const [style, group] of groupBy(deployments, (deployment) => deployment.style)) {
    const alike = [...groupBy(group, ({ links }) => JSON.stringify(links)).values()];
    const [usual = []] = alike.sort((a, b) => b.length - a.length);
    const links = usual[0]?.links;
    if (links && (links.playground ?? links.explorer) !== null) rows[style] = links;
    for (const deployment of group) if (!usual.includes(deployment)) rows[deployment.name] = deployment.links;
  }
  return rows;
}

/** A chain as the manifest lists it. */
export function chainRow(chain: Chain): ChainRow {
  return {
    name: chain.name,
    chainId: chain.chainId,
    caip2: `eip155:${chain.chainId}`,
    shortName: chain.shortName,
    multichain: chain.multichainName,
    subgraph: chain.subgraphSuffix,
    testnet: chain.testnet,
    secondsPerBlock: chain.secondsPerBlock,
    blockExplorer: chain.blockExplorer,
    aliases: chain.aliases,
    ...pickLifecycle(chain),
  };
}

/** A deployment as the manifest lists it. */
export function deploymentRow(deployment: Deployment): DeploymentRow {
  const { protocol, style, chains, formerChains, endpoints } = deployment;
  const environments = environmentsOf(endpoints);
  // Differing members first: this compresses best.
  return {
    chains,
    protocol,
    style,
    environments,
    ...(formerChains && { formerChains }),
    ...pickLifecycle(deployment),
  };
}

/** The keys of the chains that have an endpoint of a style in an environment, in code-unit order. */
export function servedChains(
  deployments: readonly Deployment[],
  style: StyleName,
  environment: Environment,
): string[] {
  return deployments
    .filter((deployment) => deployment.style === style && deployment.status !== "retired")
    .flatMap(({ endpoints, chains }) =>
      endpoints.some((endpoint) => endpoint.environment === environment) ? chains : [],
    )
    .sort(compareCodeUnits);
}

/** Builds the routes of a project, which its client needs. */
export function buildRoutes({
  brand,
  shared,
  chains,
  deployments,
  definitions,
}: Pick<Project, "brand" | "shared" | "chains" | "deployments" | "definitions">): Routes {
  const active = deployments.filter(({ status }) => status !== "retired");
  const protocols = definitions.map((definition): [string, ProtocolRoutes] => {
    const ofProtocol = active.filter(({ protocol }) => protocol === definition.key);
    const { values, endpoints } = buildSources(shared, ofProtocol, definition.key);
    const routes: ProtocolRoutes = {
      brand: definition.deployment.startsWith("{brand}") ? brand : "",
      values: Object.fromEntries(Object.entries(values).flatMap(entryOf)),
      deployments: deploymentRoutes(ofProtocol, chains),
      endpoints,
    };
    return [definition.key, routes];
  });
  const served = new Set(active.flatMap((deployment) => deployment.chains));
  const rows = chains.filter(({ key }) => served.has(key)).map((chain) => [chain.key, chainRoute(chain)]);
  const endpoint = routeEndpoint;
  return { chains: Object.fromEntries(rows), protocols: Object.fromEntries(protocols), endpoint };
}

function chainRoute({ key, chainId, secondsPerBlock, testnet, subgraphSuffix }: Chain): ChainRoute {
  return {
    chainId,
    ...(secondsPerBlock !== null && { secondsPerBlock }),
    ...(testnet && { testnet }),
    ...(subgraphSuffix !== null && subgraphSuffix !== key && { subgraph: subgraphSuffix }),
  };
}

/** Joins deployments whose names follow one rule and which have the same environments. */
export function deploymentRoutes(
  deployments: readonly Deployment[],
  chains: readonly Chain[],
): DeploymentRoute[] {
  const suffixes = new Map(chains.map(({ key, subgraphSuffix }) => [key, subgraphSuffix]));
  const routes = new Map<string, DeploymentRoute>();
  for (const { name, style, chains: keys, endpoints } of deployments) {
    const environments = environmentsOf(endpoints);
    const suffix = IS_PER_CHAIN[style] ? suffixes.get(keys[0] ?? "") : null;
    const rule = suffix != null && name.endsWith(suffix) ? `${name.slice(0, -suffix.length)}{suffix}` : name;
    const id = JSON.stringify([style, rule, environments]);
    const chains = routes.get(id)?.chains ?? [];
    routes.set(id, { style, name: rule, chains: [...chains, ...keys], environments });
  }
  return [...routes.values()];
}

function environmentsOf(endpoints: Deployment["endpoints"]): Environment[] {
  return ENVIRONMENTS.filter((name) => endpoints.some(({ environment }) => environment === name));
}

function entryOf([key, text]: [string, Text | null | undefined]): [string, Text][] {
  return text == null ? [] : [[key, text]];
}
