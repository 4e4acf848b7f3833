import type { Text } from "../../packages/client/src/manifest/manifest-types.ts";
import { compareCodeUnits } from "../base/collections.ts";
import { ConfigError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { ENVIRONMENTS, type Environment } from "../dialects/surface.ts";
import type { Chain } from "./chain.ts";
import type { ConfigWithIds, EndpointConfig, IdsConfig } from "./config.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { requireDistinctUrls } from "./endpoints.ts";
import { resolveLifecycle } from "./lifecycle.ts";
import { literalUrl, requirePlaceholder, type UrlTemplate } from "./url-template.ts";
import { idVariable, type SharedSources } from "./variables.ts";

/** What the seed documents of testing URLs: 3000 queries a day. */
const TESTING_DAILY_QUERIES = 3000;

type DeploymentInputs = {
  readonly config: ConfigWithIds;
  readonly shared: SharedSources;
  readonly definitions: readonly ResolvedProtocol[];
  readonly chains: readonly Chain[];
  /** The first word of their names. */
  readonly brand: string;
};

/** Builds, in order of name, a multichain deployment per protocol and a subgraph per protocol and chain with a suffix. */
export function buildDeployments(inputs: DeploymentInputs): Deployment[] {
  const { config, definitions } = inputs;
  checkTemplates(config);
  const deployments = definitions
    .flatMap((definition) => {
      const chains = inputs.chains.filter(({ key }) => definition.chains?.includes(key) ?? true);
      const own = { ...inputs, chains };
      return [
        ...(definition.styles.includes("multichain") ? [multichainDeployment(own, definition)] : []),
        ...(definition.styles.includes("subgraph")
          ? chains.flatMap((chain) => subgraphDeployments(own, definition, chain))
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
    const place = `subgraph.${environment}.url`;
    const isById = typeof url === "string" && url.includes("{id}");
    if (isById && ids === undefined) throw withoutIds(place);
    if (!isById && ids !== undefined && typeof url === "string") throw withUnusedIds(place);
    check(url, ids === undefined ? "{deployment}" : "{id}", place);
    if (isById) requireIdInPath(url, place);
    // A URL that is written out is compared as a whole: something else of it may differ.
    if (typeof url === "object") requireDistinctIds(ids ?? {}, `subgraph.${environment}.ids`);
  }
  check(subgraph?.explorer, "{deployment}", "subgraph.explorer");
}

function withoutIds(place: string): ConfigError {
  const table = place.replace(/url$/, "ids");
  return new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `The template in "${place}" uses {id}, but no ids are configured.`,
    hint: `add ${table}: { <protocol>: { <chain>: "…" } }, or the path of a CSV or JSON file with them.`,
  });
}

function withUnusedIds(place: string): ConfigError {
  const table = place.replace(/url$/, "ids");
  return new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `"${table}" is a table of ids, and the template in "${place}" does not hold {id}, so every deployment would have one URL.`,
    hint: `put {id} into "${place}", where a deployment's id stands: "https://…/{id}". A host that goes by names ({deployment}) needs no ids.`,
  });
}

/** One id of a table is easily that of another row. */
function requireDistinctIds(ids: IdsConfig, place: string): void {
  const owners = new Map<string, string>();
  for (const [protocol, chains = {}] of Object.entries(ids)) {
    for (const [chain, id] of Object.entries(chains)) {
      if (typeof id !== "string") continue;
      const owner = owners.get(id);
      if (owner !== undefined) {
        throw new ConfigError({
          code: "CONFIG_INVALID_VALUE",
          sentence: `"${place}" has one id for ${owner} and for ${protocol} on ${chain}, so one of them would serve the other's data.`,
          hint: "correct one of them.",
        });
      }
      owners.set(id, `${protocol} on ${chain}`);
    }
  }
}

/** Whoever decides the host of a URL decides who gets the key. */
function requireIdInPath(url: string, place: string): void {
  if (!/^[^/]*\/\/[^/]*\{id\}/.test(url)) return;
  throw new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `The template in "${place}" has {id} in its host, so an id would decide who is asked.`,
    hint: "write the host out, and put {id} into the path.",
  });
}

/** What the placeholders of a deployment's URLs stand for. */
type Values = Pick<UrlTemplate, "values" | "deployment">;

function multichainDeployment(
  { config, shared: { multichain }, chains, brand }: DeploymentInputs,
  { key: protocol, deployment }: ResolvedProtocol,
): Deployment {
  const name = fillName(deployment, { brand, protocol, suffix: "multichain" });
  const covered = chains.filter(({ multichainName }) => multichainName !== null);
  const former = covered.filter(({ status }) => status === "retired");
  const override = config.deployments?.[name] ?? {};
  const ownId = config.multichain?.ids[protocol];
  const values: Values = {
    values: { host: multichain.host, id: multichain.ids[protocol], protocol },
    deployment: null,
  };
  const isGiven = config.multichain !== undefined;
  const shared = sharedTemplate(multichain.url, values, { has: "{id}", place: "multichain.url", isGiven });
  const defaults = [...shared.defaults, ...(ownId === undefined ? [idVariable(protocol)] : [])];
  const link = (kind: "playground" | "explorer") =>
    checkedLink(values, [
      { text: override[kind], place: `deployments.${name}.${kind}` },
      { text: ownId && multichain[kind], place: `multichain.${kind}` },
    ]);
  return {
    name,
    protocol,
    style: "multichain",
    chains: covered.filter(({ status }) => status !== "retired").map(({ key }) => key),
    ...(former.length > 0 && { formerChains: former.map(({ key }) => key) }),
    ...resolveLifecycle(`deployments.${name}`, override, { status: "active" }),
    endpoints: [
      buildEndpoint({
        environment: "production",
        requiresKey: false,
        own: override.production,
        ownPlace: `deployments.${name}.production.url`,
        shared: multichain,
        template: { ...shared, defaults },
      }),
    ],
    links: { playground: link("playground"), explorer: link("explorer") },
  };
}

function subgraphDeployments(
  { config, shared: sources, brand }: DeploymentInputs,
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
    values: { brand: sources.brand, protocol, suffix, chain: key, chainId: String(chainId) },
    // In a URL a name may begin with another brand than in files.
    deployment: fillName(deployment, { brand: "{brand}", protocol, suffix }),
  };
  const endpoints = (environment: Environment): Endpoint[] => {
    const shared = sources.subgraph[environment];
    const place = `subgraph.${environment}.url`;
    const isGiven = config.subgraph?.[environment];
    const id = isGiven?.ids?.[protocol]?.[key];
    const own = override[environment] || undefined;
    if (isGiven?.ids !== undefined && id === undefined && own === undefined) return [];
    const has = isGiven?.ids === undefined ? "{deployment}" : "{id}";
    // One without an id has a URL of its own, whose host is compared with that of the others.
    const known =
      isGiven?.ids === undefined ? values : { ...values, values: { ...values.values, id: id ?? "none" } };
    return [
      buildEndpoint({
        environment,
        requiresKey: environment === "production",
        own,
        ownPlace: `deployments.${name}.${environment}.url`,
        shared,
        template: sharedTemplate(shared.url, known, { has, place, isGiven: isGiven !== undefined }),
      }),
    ];
  };
  // The chains without a testing URL have no explorer URL either.
  const explorer = testing ? config.subgraph?.explorer : undefined;
  const hasTesting = override.testing === undefined ? testing : override.testing !== false;
  return [
    {
      name,
      protocol,
      style: "subgraph",
      chains: [key],
      ...resolveLifecycle(`deployments.${name}`, override, chain),
      endpoints: [...(hasTesting ? endpoints("testing") : []), ...endpoints("production")],
      links: {
        playground: checkedLink(values, [
          { text: override.playground, place: `deployments.${name}.playground` },
        ]),
        explorer: checkedLink(values, [
          { text: override.explorer, place: `deployments.${name}.explorer` },
          { text: explorer, place: "subgraph.explorer" },
        ]),
      },
    },
  ];
}

/** An id of a subgraph that there is not would be read by nobody. */
function requireNoIds({ subgraph }: ConfigWithIds, protocol: string, chain: string): void {
  const environment = ENVIRONMENTS.find((one) => subgraph?.[one]?.ids?.[protocol]?.[chain] !== undefined);
  if (environment === undefined) return;
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `"subgraph.${environment}.ids.${protocol}.${chain}" is the id of a subgraph, and ${chain} has none.`,
    hint: `give the chain a suffix, chains: { ${/^[a-z0-9]+$/.test(chain) ? chain : `"${chain}"`}: { subgraphSuffix: "${chain}" } }, or take the id away.`,
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
        sentence: `"${name}" would be the name of two deployments, of ${owner}${owner === protocol ? ", on two chains" : ` and of ${protocol}`}.`,
        hint: `give one of them names of its own: protocols.${protocol}.deployment.`,
      });
    }
    owners.set(name, protocol);
  }
}

type SharedPlace = {
  /** The placeholder that distinguishes the URLs of deployments. */
  readonly has: string;
  readonly place: string;
  /** Whether the configuration has this part, so that no default variable is read. */
  readonly isGiven: boolean;
};

function sharedTemplate(url: Text, values: Values, { has, place, isGiven }: SharedPlace): UrlTemplate {
  const isText = typeof url === "string";
  const defaults = isGiven || isText ? [] : [url.env];
  return { text: isText ? url : { ...url, has }, ...values, isShared: true, place, defaults };
}

function ownTemplate(text: Text, { values, deployment }: Values, place: string): UrlTemplate {
  return { text, values, deployment, isShared: false, place, defaults: [] };
}

/** Returns the first link that is configured, once its URL is checked as far as its values are known. */
function checkedLink(
  values: Values,
  links: readonly { readonly text: Text | undefined; readonly place: string }[],
): Text | null {
  for (const { text, place } of links) {
    if (text === undefined) continue;
    literalUrl(ownTemplate(text, values, place));
    return text;
  }
  return null;
}

type EndpointInputs = {
  readonly environment: Environment;
  readonly requiresKey: boolean;
  /** The override of a single deployment, and its place in the configuration. */
  readonly own: EndpointConfig | undefined;
  readonly ownPlace: string;
  /** The configuration of all deployments of the style. */
  readonly shared: Omit<EndpointConfig, "url">;
  readonly template: UrlTemplate;
};

function buildEndpoint(inputs: EndpointInputs): Endpoint {
  const { environment, requiresKey, own, ownPlace, shared, template } = inputs;
  const url = own ? ownTemplate(own.url, template, ownPlace) : template;
  // A key is only sent to the host that it is configured for.
  const apiKey = own?.apiKey ?? (!own || isSameHost(url, template) ? shared.apiKey : false);
  return {
    environment,
    url,
    requiresKey: requiresKey && own?.apiKey !== false,
    apiKey: apiKey || null,
    headers: (own ?? shared).headers ?? {},
    dailyQueries:
      own?.dailyQueries ?? shared.dailyQueries ?? (environment === "testing" ? TESTING_DAILY_QUERIES : null),
    maxRows: (own ?? shared).maxRows ?? null,
  };
}

/** One whose host is not known yet may be on any. */
function isSameHost(one: UrlTemplate, other: UrlTemplate): boolean {
  const [url, otherUrl] = [literalUrl(one), literalUrl(other)];
  return url !== null && otherUrl !== null && new URL(url).host === new URL(otherUrl).host;
}

function requireKnownOverrides(config: ConfigWithIds, deployments: readonly Deployment[]): void {
  const names = new Set(deployments.map((deployment) => deployment.name));
  const name = Object.keys(config.deployments ?? {}).find((one) => !names.has(one));
  if (name === undefined) return;
  const nearest = nearestName(name, names);
  throw new ConfigError({
    code: "CONFIG_UNKNOWN_DEPLOYMENT",
    sentence: `"deployments" names "${name}", which is no deployment.`,
    hint: `${nearest ? `did you mean "${nearest}"? ` : ""}a deployment of another chain needs that chain under "chains" first.`,
  });
}

/** Requires that what a deployment was replaced by is a deployment, is another one and is in use. */
export function requireReplacements(deployments: readonly Deployment[]): void {
  const byName = new Map(deployments.map((deployment) => [deployment.name, deployment]));
  for (const { name, replacedBy } of deployments) {
    if (replacedBy === undefined) continue;
    const other = byName.get(replacedBy);
    if (other !== undefined && other.name !== name && other.status !== "retired") continue;
    const others = [...byName.keys()].filter((one) => one !== name);
    const nearest = other ? null : nearestName(replacedBy, others);
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_DEPLOYMENT",
      sentence: `"deployments.${name}.replacedBy" names "${replacedBy}", which is ${other === undefined ? "no deployment" : other.name === name ? "itself" : "retired"}.`,
      hint: nearest === null ? "name the deployment to use in its place." : `did you mean "${nearest}"?`,
    });
  }
}
