import { compareCodeUnits } from "../base/compare-code-units.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import type { Text } from "../runtime/manifest-types.ts";
import type { Chain } from "./chain.ts";
import type { ApiKeyConfig, Config, DeploymentConfig, EndpointConfig } from "./config.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { requireDistinctUrls } from "./read-urls.ts";
import type { SharedSources } from "./resolve-shared.ts";
import { literalUrl, requirePlaceholder, type UrlTemplate } from "./url-template.ts";
import { idVariable, MULTICHAIN_URL, SUBGRAPH_PRODUCTION_URL, SUBGRAPH_TESTING_URL } from "./variables.ts";
import type { Environment, Protocol } from "./vocabulary.ts";

/** What the seed documents of testing URLs: 3000 queries a day. */
const TESTING_DAILY_QUERIES = 3000;

/** What deployments are built of. */
export type DeploymentInputs = {
  readonly config: Config;
  readonly shared: SharedSources;
  readonly protocols: readonly Protocol[];
  readonly chains: readonly Chain[];
  /** The first word of their names. */
  readonly brand: string;
};

/**
 * Builds every deployment of the configured protocols over the given chains, in order of name: one multichain
 * deployment per protocol and one subgraph per protocol and chain that has a suffix.
 *
 * @throws ConfigError for a bad template, an insecure URL, an override of an unknown deployment, or two
 *   deployments of one protocol that share a URL.
 */
export function buildDeployments(inputs: DeploymentInputs): Deployment[] {
  const { config, protocols, chains } = inputs;
  checkTemplates(config);
  const deployments = protocols
    .flatMap((protocol) => [
      multichainDeployment(inputs, protocol),
      ...chains.flatMap((chain) =>
        chain.subgraphSuffix === null
          ? []
          : [subgraphDeployment(inputs, protocol, chain, chain.subgraphSuffix)],
      ),
    ])
    .sort((a, b) => compareCodeUnits(a.name, b.name));
  requireKnownOverrides(config, deployments);
  requireDistinctUrls(
    deployments.flatMap((deployment) =>
      deployment.endpoints.map((endpoint) => ({ deployment, url: literalUrl(endpoint.url) })),
    ),
  );
  return deployments;
}

function checkTemplates({ multichain, subgraph }: Config): void {
  const check = (text: Text | undefined, placeholder: string, place: string) => {
    if (typeof text === "string") requirePlaceholder(text, placeholder, place);
  };
  check(multichain?.url, "{id}", "multichain.url");
  for (const environment of ["production", "testing"] as const) {
    check(subgraph?.[environment]?.url, "{deployment}", `subgraph.${environment}.url`);
  }
  check(subgraph?.explorer, "{deployment}", "subgraph.explorer");
}

/** What the placeholders of a deployment's URLs stand for. */
type Values = Pick<UrlTemplate, "values" | "deployment">;

/** An endpoint as configured, with the template its URL is made of. */
type Source = Omit<EndpointConfig, "url"> & { readonly template: UrlTemplate };

function multichainDeployment(
  { config, shared: { multichain }, chains, brand }: DeploymentInputs,
  protocol: Protocol,
): Deployment {
  const name = `${brand}-${protocol}-multichain`;
  const override = config.deployments?.[name] ?? {};
  const ownId = config.multichain?.ids[protocol];
  const values: Values = {
    values: { host: multichain.host, id: multichain.ids[protocol], protocol },
    deployment: null,
  };
  const defaults = [
    ...(config.multichain ? [] : [MULTICHAIN_URL]),
    ...(ownId === undefined ? [idVariable(protocol)] : []),
  ];
  const link = (own: Text | undefined, general: Text | undefined, kind: string) =>
    checkedLink(own ?? general, values, own ? `deployments.${name}.${kind}` : `multichain.${kind}`);
  return {
    name,
    protocol,
    style: "multichain",
    chains: chains
      .filter((chain) => chain.multichainName !== null && chain.status === "active")
      .map(({ key }) => key),
    status: override.status ?? "active",
    endpoints: [
      buildEndpoint(
        "production",
        false,
        ownSource(override.production, values, `deployments.${name}.production.url`),
        {
          ...multichain,
          template: sharedTemplate(multichain.url, values, "{id}", "multichain.url", defaults),
        },
      ),
    ],
    links: {
      playground: link(override.playground, ownId && multichain.playground, "playground"),
      explorer: link(override.explorer, ownId && multichain.explorer, "explorer"),
    },
  };
}

/** The variable of a subgraph's URL, where the configuration names none. */
const SUBGRAPH_URL: Readonly<Record<Environment, string>> = {
  production: SUBGRAPH_PRODUCTION_URL,
  testing: SUBGRAPH_TESTING_URL,
};

function subgraphDeployment(
  { config, shared: sources, brand }: DeploymentInputs,
  protocol: Protocol,
  chain: Chain,
  suffix: string,
): Deployment {
  const name = `${brand}-${protocol}-${suffix}`;
  const override: DeploymentConfig = config.deployments?.[name] ?? {};
  const values: Values = {
    values: { brand: sources.brand, protocol, suffix, chain: chain.key, chainId: String(chain.chainId) },
    deployment: `{brand}-${protocol}-${suffix}`,
  };
  const endpoint = (environment: Environment) => {
    const own = override[environment] || undefined;
    const shared = sources.subgraph[environment];
    const defaults = config.subgraph?.[environment] ? [] : [SUBGRAPH_URL[environment]];
    const place = `subgraph.${environment}.url`;
    return buildEndpoint(
      environment,
      environment === "production",
      ownSource(own, values, `deployments.${name}.${environment}.url`),
      { ...shared, template: sharedTemplate(shared.url, values, "{deployment}", place, defaults) },
    );
  };
  const hasTesting = override.testing === undefined ? chain.testing : override.testing !== false;
  return {
    name,
    protocol,
    style: "subgraph",
    chains: [chain.key],
    status: override.status ?? chain.status,
    endpoints: hasTesting ? [endpoint("testing"), endpoint("production")] : [endpoint("production")],
    links: {
      playground: checkedLink(override.playground, values, `deployments.${name}.playground`),
      explorer: override.explorer
        ? checkedLink(override.explorer, values, `deployments.${name}.explorer`)
        : // The chains without a testing URL have no explorer URL either.
          checkedLink(chain.testing ? config.subgraph?.explorer : undefined, values, "subgraph.explorer"),
    },
  };
}

/** @param has the placeholder without which several deployments would have this one URL. */
function sharedTemplate(
  url: Text,
  values: Values,
  has: string,
  place: string,
  defaults: readonly string[],
): UrlTemplate {
  const text = typeof url === "string" ? url : { ...url, has };
  return { text, ...values, isShared: true, place, defaults };
}

function ownTemplate(text: Text, values: Values, place: string): UrlTemplate {
  return { text, ...values, isShared: false, place, defaults: [] };
}

function ownSource(own: EndpointConfig | undefined, values: Values, place: string): Source | undefined {
  return own && { ...own, template: ownTemplate(own.url, values, place) };
}

/** A link as configured, once what is known of it makes a URL. */
function checkedLink(text: Text | undefined, values: Values, place: string): Text | null {
  if (text !== undefined) literalUrl(ownTemplate(text, values, place));
  return text ?? null;
}

function buildEndpoint(
  environment: Environment,
  requiresKey: boolean,
  own: Source | undefined,
  shared: Source,
): Endpoint {
  const { template, headers = {} } = own ?? shared;
  const defaultLimit = environment === "testing" ? TESTING_DAILY_QUERIES : null;
  return {
    environment,
    url: template,
    requiresKey: requiresKey && own?.apiKey !== false,
    apiKey: keyOf(own, shared) || null,
    headers,
    dailyQueries: own?.dailyQueries ?? shared.dailyQueries ?? defaultLimit,
  };
}

/**
 * A key goes to the host it was configured for and to no other: an override on another host inherits none,
 * so that a provider's key is never sent to a chain's own host. One whose host is not known yet may be on any.
 */
function keyOf(own: Source | undefined, shared: Source): ApiKeyConfig | undefined {
  if (own?.apiKey !== undefined) return own.apiKey;
  if (own === undefined) return shared.apiKey;
  const [ownUrl, sharedUrl] = [literalUrl(own.template), literalUrl(shared.template)];
  const isSameHost =
    ownUrl !== null && sharedUrl !== null && new URL(ownUrl).host === new URL(sharedUrl).host;
  return isSameHost ? shared.apiKey : false;
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
