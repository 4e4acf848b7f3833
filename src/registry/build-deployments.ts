import type { Config, DeploymentConfig, EndpointConfig } from "../config/config.ts";
import { ConfigError } from "../errors/config-error.ts";
import type { Chain } from "../model/chain.ts";
import type { AuthRule, Deployment, Endpoint } from "../model/deployment.ts";
import type { Environment, Protocol } from "../model/vocabulary.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { nearestName } from "../utils/nearest-name.ts";
import { redactUrl } from "../utils/redact-url.ts";
import { expandTemplate, requirePlaceholder } from "./expand-template.ts";
import { parseEndpointUrl } from "./parse-endpoint-url.ts";

/** What the seed documents of testing URLs: 3000 queries a day. */
const TESTING_DAILY_QUERIES = 3000;

/**
 * Builds every deployment of the configured protocols over the given chains, in order of name: one multichain
 * deployment per protocol and one subgraph per protocol and chain that has a suffix.
 *
 * @throws ConfigError for a bad template, an insecure URL, an override of an unknown deployment, or two
 *   deployments of one protocol that share a URL.
 */
export function buildDeployments(
  config: Config,
  protocols: readonly Protocol[],
  chains: readonly Chain[],
  brand: string,
): Deployment[] {
  checkTemplates(config);
  const deployments = protocols
    .flatMap((protocol) => [
      multichainDeployment(config, protocol, chains, brand),
      ...chains
        .filter((chain) => chain.subgraphSuffix !== null)
        .map((chain) => subgraphDeployment(config, protocol, chain, brand)),
    ])
    .sort((a, b) => compareCodeUnits(a.name, b.name));
  requireKnownOverrides(config, deployments);
  requireDistinctUrls(deployments);
  return deployments;
}

function checkTemplates({ multichain, subgraph }: Config): void {
  if (multichain) requirePlaceholder(multichain.url, "id", "multichain.url");
  for (const environment of ["production", "testing"] as const) {
    const endpoint = subgraph?.[environment];
    if (endpoint) requirePlaceholder(endpoint.url, "deployment", `subgraph.${environment}.url`);
  }
  if (subgraph?.explorer) requirePlaceholder(subgraph.explorer, "deployment", "subgraph.explorer");
}

function multichainDeployment(
  config: Config,
  protocol: Protocol,
  chains: readonly Chain[],
  brand: string,
): Deployment {
  const name = `${brand}-${protocol}-multichain`;
  const override = config.deployments?.[name] ?? {};
  const shared = config.multichain;
  const place = "multichain.url";
  const values = { host: shared?.host, id: shared?.ids[protocol], protocol };
  const template: EndpointConfig | undefined =
    shared && shared.ids[protocol] !== undefined
      ? { url: expandTemplate(shared.url, values, place), apiKey: shared.apiKey, headers: shared.headers }
      : undefined;
  const link = (own: string | undefined, general: string | undefined, key: string) =>
    own ?? (general ? expandTemplate(general, values, `multichain.${key}`) : null);
  return {
    name,
    protocol,
    style: "multichain",
    chains: chains
      .filter((chain) => chain.multichainName !== null && chain.status === "active")
      .map(({ key }) => key),
    status: override.status ?? "active",
    endpoints: [
      buildEndpoint("production", false, override.production, template, {
        own: `deployments.${name}.production`,
        shared: place,
      }),
    ],
    links: {
      playground: link(override.playground, shared?.playground, "playground"),
      explorer: link(override.explorer, shared?.explorer, "explorer"),
    },
  };
}

function subgraphDeployment(config: Config, protocol: Protocol, chain: Chain, brand: string): Deployment {
  const suffix = chain.subgraphSuffix ?? "";
  const name = `${brand}-${protocol}-${suffix}`;
  const override: DeploymentConfig = config.deployments?.[name] ?? {};
  const values = { deployment: name, protocol, suffix, chain: chain.key, chainId: String(chain.chainId) };
  const endpoint = (environment: Environment) => {
    const own = override[environment];
    const shared = config.subgraph?.[environment];
    const place = `subgraph.${environment}.url`;
    const template = shared && { ...shared, url: expandTemplate(shared.url, values, place) };
    return buildEndpoint(
      environment,
      environment === "production",
      own === false ? undefined : own,
      template,
      {
        own: `deployments.${name}.${environment}`,
        shared: place,
      },
    );
  };
  const hasTesting = override.testing === undefined ? chain.testing : override.testing !== false;
  const explorer = config.subgraph?.explorer;
  return {
    name,
    protocol,
    style: "subgraph",
    chains: [chain.key],
    status: override.status ?? chain.status,
    endpoints: hasTesting ? [endpoint("testing"), endpoint("production")] : [endpoint("production")],
    links: {
      playground: override.playground ?? null,
      explorer:
        override.explorer ??
        // The chains without a testing URL have no explorer URL either.
        (explorer && chain.testing ? expandTemplate(explorer, values, "subgraph.explorer") : null),
    },
  };
}

function buildEndpoint(
  environment: Environment,
  requiresKey: boolean,
  own: EndpointConfig | undefined,
  template: EndpointConfig | undefined,
  places: { readonly own: string; readonly shared: string },
): Endpoint {
  const given = own ?? template;
  const url = given ? parseEndpointUrl(given.url, own ? `${places.own}.url` : places.shared) : null;
  const defaultLimit = environment === "testing" ? TESTING_DAILY_QUERIES : null;
  return {
    environment,
    url,
    requiresKey: requiresKey && own?.apiKey !== false,
    auth: authRule(url, own, template),
    headers: given?.headers ?? {},
    dailyQueries: own?.dailyQueries ?? template?.dailyQueries ?? defaultLimit,
  };
}

/**
 * A key goes to the host it was configured for and to no other: an override on another host inherits none,
 * so that a provider's key is never sent to a chain's own host.
 */
function authRule(
  url: string | null,
  own: EndpointConfig | undefined,
  template: EndpointConfig | undefined,
): AuthRule {
  if (url === null) return { kind: "none" };
  const host = new URL(url).host;
  if (own?.apiKey !== undefined) return bearer(own.apiKey, host);
  if (template?.apiKey === undefined) return { kind: "none" };
  return new URL(template.url).host === host ? bearer(template.apiKey, host) : { kind: "none" };
}

function bearer(apiKey: { readonly env: string } | false, host: string): AuthRule {
  return apiKey === false ? { kind: "none" } : { kind: "bearer", env: apiKey.env, host };
}

function requireKnownOverrides(config: Config, deployments: readonly Deployment[]): void {
  const names = new Set(deployments.map((deployment) => deployment.name));
  for (const name of Object.keys(config.deployments ?? {})) {
    if (names.has(name)) continue;
    const nearest = nearestName(name, names);
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_DEPLOYMENT",
      sentence: `"deployments" names "${name}", which is no deployment.`,
      hint: `${nearest ? `did you mean "${nearest}"? ` : ""}a deployment of another chain needs that chain under "chains" first.`,
    });
  }
}

/** Two deployments behind one URL serve one chain's data as another's, silently. */
function requireDistinctUrls(deployments: readonly Deployment[]): void {
  const seen = new Map<string, string>();
  for (const deployment of deployments) {
    if (deployment.status === "retired") continue;
    for (const { url } of deployment.endpoints) {
      if (url === null) continue;
      const key = `${deployment.protocol} ${url.replace(/[/?]+$/, "")}`;
      const other = seen.get(key);
      if (other !== undefined && other !== deployment.name) {
        throw new ConfigError({
          code: "CONFIG_DUPLICATE_URL",
          sentence: `"${other}" and "${deployment.name}" have one URL, so one of them would serve the other's data.`,
          context: [`URL: ${redactUrl(url)}`],
          hint: 'correct one of them under "deployments".',
        });
      }
      seen.set(key, deployment.name);
    }
  }
}
