import { compareCodeUnits } from "../base/compare-code-units.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import { readText } from "../runtime/build-url.ts";
import type { Chain } from "./chain.ts";
import type { ApiKeyConfig, Config, DeploymentConfig, EndpointConfig } from "./config.ts";
import {
  idVariable,
  MULTICHAIN_URL,
  SUBGRAPH_PRODUCTION_URL,
  SUBGRAPH_TESTING_URL,
} from "./default-variables.ts";
import type { AuthRule, Deployment, Endpoint, Text, TextSource, UrlTemplate } from "./deployment.ts";
import { expandTemplate, requirePlaceholder } from "./expand-template.ts";
import { parseEndpointUrl } from "./parse-endpoint-url.ts";
import { requireDistinctUrls } from "./require-distinct-urls.ts";
import type { SharedSources } from "./resolve-shared.ts";
import type { Environment, Protocol } from "./vocabulary.ts";

/** What the seed documents of testing URLs: 3000 queries a day. */
const TESTING_DAILY_QUERIES = 3000;

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
      ...chains
        .filter((chain) => chain.subgraphSuffix !== null)
        .map((chain) => subgraphDeployment(inputs, protocol, chain)),
    ])
    .sort((a, b) => compareCodeUnits(a.name, b.name));
  requireKnownOverrides(config, deployments);
  requireDistinctUrls(
    deployments.flatMap((deployment) => deployment.endpoints.map(({ url }) => ({ deployment, url }))),
  );
  return deployments;
}

/** What deployments are built of. */
export type DeploymentInputs = {
  readonly config: Config;
  readonly shared: SharedSources;
  readonly protocols: readonly Protocol[];
  readonly chains: readonly Chain[];
  /** The first word of their names. */
  readonly brand: string;
};

function checkTemplates({ multichain, subgraph }: Config): void {
  const check = (text: Text | undefined, placeholder: string, place: string) => {
    if (typeof text === "string") requirePlaceholder(text, placeholder, place);
  };
  check(multichain?.url, "id", "multichain.url");
  for (const environment of ["production", "testing"] as const) {
    check(subgraph?.[environment]?.url, "deployment", `subgraph.${environment}.url`);
  }
  check(subgraph?.explorer, "deployment", "subgraph.explorer");
}

/** An endpoint as configured, with the template its URL is made of. */
type Source = Omit<EndpointConfig, "url"> & { readonly template: UrlTemplate };

function multichainDeployment(
  { config, shared: { multichain }, chains, brand }: DeploymentInputs,
  protocol: Protocol,
): Deployment {
  const name = `${brand}-${protocol}-multichain`;
  const override = config.deployments?.[name] ?? {};
  const ownId = config.multichain?.ids[protocol];
  const values = { host: pieces(multichain.host), id: [multichain.ids[protocol]], protocol: [protocol] };
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
          template: { text: multichain.url, values, requires: "id", place: "multichain.url", defaults },
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
): Deployment {
  const suffix = chain.subgraphSuffix ?? "";
  const name = `${brand}-${protocol}-${suffix}`;
  const override: DeploymentConfig = config.deployments?.[name] ?? {};
  const values = {
    deployment: [sources.brand, `-${protocol}-${suffix}`],
    protocol: [protocol],
    suffix: [suffix],
    chain: [chain.key],
    chainId: [String(chain.chainId)],
  };
  const endpoint = (environment: Environment) => {
    const own = override[environment] || undefined;
    const shared = sources.subgraph[environment];
    const place = `subgraph.${environment}.url`;
    const defaults = config.subgraph?.[environment] ? [] : [SUBGRAPH_URL[environment]];
    return buildEndpoint(
      environment,
      environment === "production",
      ownSource(own, values, `deployments.${name}.${environment}.url`),
      { ...shared, template: { text: shared.url, values, requires: "deployment", place, defaults } },
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

function pieces(text: Text | undefined): readonly Text[] | undefined {
  return text === undefined ? undefined : [text];
}

function ownSource(
  own: EndpointConfig | undefined,
  values: UrlTemplate["values"],
  place: string,
): Source | undefined {
  return own && { ...own, template: { text: own.url, values, requires: null, place, defaults: [] } };
}

/** A link as configured, once what is known of it makes a URL. */
function checkedLink(text: Text | undefined, values: UrlTemplate["values"], place: string): Text | null {
  if (text !== undefined) literalUrl({ text, values, requires: null, place, defaults: [] });
  return text ?? null;
}

function buildEndpoint(
  environment: Environment,
  requiresKey: boolean,
  own: Source | undefined,
  shared: Source,
): Endpoint {
  const given = own ?? shared;
  const url = literalUrl(given.template);
  const defaultLimit = environment === "testing" ? TESTING_DAILY_QUERIES : null;
  return {
    environment,
    url,
    template: given.template,
    requiresKey: requiresKey && own?.apiKey !== false,
    auth: authRule(url, own, shared),
    headers: given.headers ?? {},
    dailyQueries: own?.dailyQueries ?? shared.dailyQueries ?? defaultLimit,
  };
}

/** The URL of a template, or null where environment variables decide it. One that may stand aside does. */
function literalUrl(template: UrlTemplate): string | null {
  const url = expandTemplate(template, (text) => readText(text, {}) ?? null);
  if (url !== null) return parseEndpointUrl(url, template.place, url);
  // What is written out goes into the manifest, whatever the variables hold.
  const { text, place } = template;
  const likely = typeof text === "string" ? expandTemplate(template, readAnything) : null;
  if (likely !== null) parseEndpointUrl(likely, place, likely);
  return null;
}

function readAnything(text: TextSource): string {
  return readText(text, {}) ?? "variable";
}

/**
 * A key goes to the host it was configured for and to no other: an override on another host inherits none,
 * so that a provider's key is never sent to a chain's own host. One whose host is not known yet may be on any.
 */
function authRule(url: string | null, own: Source | undefined, shared: Source): AuthRule {
  const host = url === null ? null : new URL(url).host;
  if (own === undefined) return bearer(shared.apiKey, host);
  if (own.apiKey !== undefined) return bearer(own.apiKey, host);
  const sharedUrl = literalUrl(shared.template);
  if (host === null || sharedUrl === null || new URL(sharedUrl).host !== host) return { kind: "none" };
  return bearer(shared.apiKey, host);
}

function bearer(apiKey: ApiKeyConfig | undefined, host: string | null): AuthRule {
  return apiKey ? { kind: "bearer", env: apiKey.env, host } : { kind: "none" };
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
