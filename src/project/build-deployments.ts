import type { Text } from "../../packages/client/src/manifest/manifest-types.ts";
import { compareCodeUnits } from "../base/collections.ts";
import { ConfigError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { ENVIRONMENTS, type Environment, type StyleName } from "../dialects/surface.ts";
import type { Chain } from "./chain.ts";
import type { ConfigWithIds, DeploymentConfig, EndpointConfig, IdsConfig } from "./config.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { requireDistinctUrls } from "./distinct-urls.ts";
import { resolveLifecycle } from "./lifecycle.ts";
import { badTemplate, literalUrl, requirePlaceholder, type UrlTemplate } from "./url-template.ts";
import { idVariable, MULTICHAIN_URL, type SharedSources } from "./variables.ts";

/** The documented limit of testing URLs. */
const TESTING_DAILY_QUERIES = 3000;

type DeploymentInputs = {
  readonly config: ConfigWithIds;
  readonly shared: SharedSources;
  readonly definitions: readonly ResolvedProtocol[];
  readonly chains: readonly Chain[];
  /** The first word of their names. */
  readonly brand: string;
};

/** Builds a multichain deployment per protocol, and a subgraph per protocol and chain with a suffix, in order of name. */
export function buildDeployments(inputs: DeploymentInputs): Deployment[] {
  const { config, definitions } = inputs;
  checkTemplates(config);
  const deployments = definitions
    .flatMap((definition) => {
      const chains = inputs.chains.filter(({ key }) => definition.chains?.includes(key) ?? true);
      const context = { ...inputs, chains };
      return [
        ...(definition.styles.includes("multichain") ? [multichainDeployment(context, definition)] : []),
        ...(definition.styles.includes("subgraph")
          ? chains.flatMap((chain) => subgraphDeployments(context, definition, chain))
          : []),
      ];
    })
    .sort((a, b) => compareCodeUnits(a.name, b.name));
  requireDistinctNames(deployments);
  requireKnownOverrides(config, deployments);
  requireReplacements(deployments);
  requireDistinctUrls(
    deployments.flatMap((deployment) =>
      deployment.endpoints.map((endpoint) => ({ deployment, url: literalUrl(endpoint.url) })),
    ),
  );
  return deployments;
}

function checkTemplates({ multichain, subgraph }: ConfigWithIds): void {
  const check = (text: Text | undefined, placeholder: string, place: string) => {
    if (typeof text === "string") requirePlaceholder(text, placeholder, place);
  };
  check(multichain?.url, "{id}", "multichain.url");
  for (const environment of ENVIRONMENTS) {
    const { url, ids } = subgraph?.[environment] ?? {};
    const [place, table] = [`subgraph.${environment}.url`, `subgraph.${environment}.ids`];
    const isById = typeof url === "string" && url.includes("{id}");
    if (isById && ids === undefined) {
      throw badTemplate(
        `The template in "${place}" uses {id}, but no ids are configured.`,
        `add ${table}: { <protocol>: { <chain>: "…" } }, or the path of a CSV or JSON file with them.`,
      );
    }
    if (!isById && ids !== undefined && typeof url === "string") {
      throw badTemplate(
        `"${table}" is set, but the template in "${place}" does not contain {id}, so every deployment would have the same URL.`,
        `put {id} into "${place}": "https://…/{id}". A template with {deployment} needs no ids.`,
      );
    }
    check(url, ids === undefined ? "{deployment}" : "{id}", place);
    // The key is sent to the host of the URL.
    if (isById && /^[^/]*\/\/[^/]*\{id\}/.test(url)) {
      throw badTemplate(
        `The template in "${place}" has {id} in its host, so an id could send the key to another host.`,
        "write the host as text, and put {id} into the path.",
      );
    }
    // The URLs of a literal template are compared as a whole, because other parts of them may differ.
    if (typeof url === "object") requireDistinctIds(ids ?? {}, table);
  }
  check(subgraph?.explorer, "{deployment}", "subgraph.explorer");
}

/** Throws if a table has one id for two deployments, which is a common mistake of copying. */
function requireDistinctIds(ids: IdsConfig, place: string): void {
  const owners = new Map<string, string>();
  for (const [protocol, chains = {}] of Object.entries(ids)) {
    for (const [chain, id] of Object.entries(chains)) {
      if (typeof id !== "string") continue;
      const owner = owners.get(id);
      if (owner !== undefined) {
        throw new ConfigError({
          code: "CONFIG_INVALID_VALUE",
          sentence: `"${place}" has the same id for ${owner} and ${protocol} on ${chain}, so one of them would return the other's data.`,
          hint: "correct one of them.",
        });
      }
      owners.set(id, `${protocol} on ${chain}`);
    }
  }
}

type Values = Pick<UrlTemplate, "values" | "deployment">;

function multichainDeployment(
  { config, shared: { multichain }, chains, brand }: DeploymentInputs,
  { key: protocol, deployment }: ResolvedProtocol,
): Deployment {
  const name = fillName(deployment, { brand, protocol, suffix: "multichain" });
  const covered = chains.filter(({ multichainName }) => multichainName !== null);
  const former = covered.filter(({ status }) => status === "retired");
  const override = config.deployments?.[name] ?? {};
  const configuredId = config.multichain?.ids[protocol];
  const values: Values = {
    values: { host: multichain.host, id: multichain.ids[protocol], protocol },
    deployment: null,
  };
  const defaults = [
    ...(config.multichain === undefined ? [MULTICHAIN_URL] : []),
    ...(configuredId === undefined ? [idVariable(protocol)] : []),
  ];
  const template = sharedTemplate(multichain.url, values, { has: "{id}", place: "multichain.url", defaults });
  return {
    name,
    protocol,
    style: "multichain",
    chains: covered.filter(({ status }) => status !== "retired").map(({ key }) => key),
    ...(former.length > 0 && { formerChains: former.map(({ key }) => key) }),
    ...resolveLifecycle(`deployments.${name}`, override, { status: "active" }),
    endpoints: [buildEndpoint({ name, environment: "production", override, shared: multichain, template })],
    links: resolveLinks({
      place: `deployments.${name}`,
      override,
      style: "multichain",
      shared: configuredId === undefined ? {} : multichain,
      values,
    }),
  };
}

function subgraphDeployments(
  { config, shared: { brand: brandInUrls, subgraph }, brand }: DeploymentInputs,
  { key: protocol, deployment }: ResolvedProtocol,
  chain: Chain,
): Deployment[] {
  const { key, chainId, subgraphSuffix: suffix, testing } = chain;
  if (suffix === null) {
    requireNoIds(config, protocol, key);
    return [];
  }
  const name = fillName(deployment, { brand, protocol, suffix });
  const override = config.deployments?.[name] ?? {};
  const values: Values = {
    values: { brand: brandInUrls, protocol, suffix, chain: key, chainId: String(chainId) },
    deployment: fillName(deployment, { brand: "{brand}", protocol, suffix }),
  };
  const endpoints = (environment: Environment): Endpoint[] => {
    const shared = subgraph[environment];
    const place = `subgraph.${environment}.url`;
    const configured = config.subgraph?.[environment];
    const defaults = configured === undefined && typeof shared.url === "object" ? [shared.url.env] : [];
    const endpoint = { name, environment, override, shared };
    if (configured?.ids === undefined) {
      const template = sharedTemplate(shared.url, values, { has: "{deployment}", place, defaults });
      return [buildEndpoint({ ...endpoint, template })];
    }
    const id = configured.ids[protocol]?.[key];
    if (id === undefined && !override[environment]) return [];
    // A deployment without an id has its own URL, and only the host of the template is compared with it.
    const withId = { ...values, values: { ...values.values, id: id ?? "none" } };
    const template = sharedTemplate(shared.url, withId, { has: "{id}", place, defaults });
    return [buildEndpoint({ ...endpoint, template })];
  };
  const hasTesting = override.testing === undefined ? testing : override.testing !== false;
  return [
    {
      name,
      protocol,
      style: "subgraph",
      chains: [key],
      ...resolveLifecycle(`deployments.${name}`, override, chain),
      endpoints: [...(hasTesting ? endpoints("testing") : []), ...endpoints("production")],
      links: resolveLinks({
        place: `deployments.${name}`,
        override,
        style: "subgraph",
        // The chains without a testing URL have no explorer URL either.
        shared: { explorer: testing ? config.subgraph?.explorer : undefined },
        values,
      }),
    },
  ];
}

/** Throws for an id of a subgraph that does not exist, because nothing would use it. */
function requireNoIds({ subgraph }: ConfigWithIds, protocol: string, chain: string): void {
  const environment = ENVIRONMENTS.find((name) => subgraph?.[name]?.ids?.[protocol]?.[chain] !== undefined);
  if (environment === undefined) return;
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `"subgraph.${environment}.ids.${protocol}.${chain}" is set, but ${chain} has no subgraph.`,
    hint: `give the chain a suffix, chains: { ${/^[a-z0-9]+$/.test(chain) ? chain : `"${chain}"`}: { subgraphSuffix: "${chain}" } }, or remove the id.`,
  });
}

function fillName(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

function requireDistinctNames(deployments: readonly Deployment[]): void {
  const owners = new Map<string, string>();
  for (const { name, protocol } of deployments) {
    const owner = owners.get(name);
    if (owner !== undefined) {
      throw new ConfigError({
        code: "CONFIG_INVALID_VALUE",
        sentence: `Two deployments have the name "${name}": ${owner === protocol ? `${owner} on two chains` : `${owner} and ${protocol}`}.`,
        hint: `set another name: protocols.${protocol}.deployment.`,
      });
    }
    owners.set(name, protocol);
  }
}

/** @param options `has` is the placeholder that distinguishes the URLs of deployments. */
function sharedTemplate(
  url: Text,
  { values, deployment }: Values,
  { has, ...options }: { readonly has: string } & Pick<UrlTemplate, "place" | "defaults">,
): UrlTemplate {
  const text = typeof url === "string" ? url : { ...url, has };
  return { text, values, deployment, isShared: true, ...options };
}

function ownTemplate(text: Text, { values, deployment }: Values, place: string): UrlTemplate {
  return { text, values, deployment, isShared: false, place, defaults: [] };
}

type Links = Pick<DeploymentConfig, "playground" | "explorer">;

/** Returns the links of a deployment, else those of its style. Throws if a URL is known and not valid. */
function resolveLinks({
  place,
  override,
  style,
  shared,
  values,
}: {
  readonly place: string;
  readonly override: Links;
  readonly style: StyleName;
  readonly shared: Links;
  readonly values: Values;
}): Deployment["links"] {
  const link = (kind: keyof Links) => {
    const text = override[kind] ?? shared[kind];
    if (text === undefined) return null;
    literalUrl(ownTemplate(text, values, `${override[kind] === undefined ? style : place}.${kind}`));
    return text;
  };
  return { playground: link("playground"), explorer: link("explorer") };
}

function buildEndpoint({
  name,
  environment,
  override,
  shared,
  template,
}: {
  readonly name: string;
  readonly environment: Environment;
  readonly override: DeploymentConfig;
  /** The configuration of all deployments of the style. */
  readonly shared: Omit<EndpointConfig, "url">;
  readonly template: UrlTemplate;
}): Endpoint {
  const endpoint = override[environment] || undefined;
  const url = endpoint
    ? ownTemplate(endpoint.url, template, `deployments.${name}.${environment}.url`)
    : template;
  // A key is sent only to the host that it is configured for.
  const apiKey = endpoint?.apiKey ?? (!endpoint || isSameHost(url, template) ? shared.apiKey : false);
  return {
    environment,
    url,
    // Only the gateways of subgraphs require a key.
    requiresKey: template.deployment !== null && environment === "production" && endpoint?.apiKey !== false,
    apiKey: apiKey || null,
    headers: (endpoint ?? shared).headers ?? {},
    dailyQueries:
      endpoint?.dailyQueries ??
      shared.dailyQueries ??
      (environment === "testing" ? TESTING_DAILY_QUERIES : null),
    maxRows: (endpoint ?? shared).maxRows ?? null,
  };
}

/** Returns false if one of the hosts is not known yet. */
function isSameHost(template: UrlTemplate, other: UrlTemplate): boolean {
  const [url, otherUrl] = [literalUrl(template), literalUrl(other)];
  return url !== null && otherUrl !== null && new URL(url).host === new URL(otherUrl).host;
}

function requireKnownOverrides(config: ConfigWithIds, deployments: readonly Deployment[]): void {
  const names = new Set(deployments.map((deployment) => deployment.name));
  const name = Object.keys(config.deployments ?? {}).find((key) => !names.has(key));
  if (name === undefined) return;
  const nearest = nearestName(name, names);
  throw new ConfigError({
    code: "CONFIG_UNKNOWN_DEPLOYMENT",
    sentence: `"deployments" names "${name}", which is not a deployment.`,
    hint: `${nearest ? `did you mean "${nearest}"? ` : ""}a deployment of another chain needs that chain under "chains" first.`,
  });
}

/** Throws if the replacement of a deployment does not exist, is retired, or is the deployment itself. */
export function requireReplacements(deployments: readonly Deployment[]): void {
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]));
  for (const { name, replacedBy } of deployments) {
    if (replacedBy === undefined) continue;
    const other = byName.get(replacedBy);
    if (other !== undefined && other.name !== name && other.status !== "retired") continue;
    const others = [...byName.keys()].filter((other) => other !== name);
    const nearest = other ? null : nearestName(replacedBy, others);
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_DEPLOYMENT",
      sentence: `"deployments.${name}.replacedBy" names "${replacedBy}", which is ${other === undefined ? "not a deployment" : other.name === name ? "itself" : "retired"}.`,
      hint: nearest === null ? "name the deployment to use instead." : `did you mean "${nearest}"?`,
    });
  }
}
