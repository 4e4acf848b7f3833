import type { Text } from "../../packages/client/src/manifest/manifest-types.ts";
import { compareCodeUnits } from "../base/collections.ts";
import { ConfigError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { ENVIRONMENTS, type Environment } from "../dialects/surface.ts";
import type { Chain } from "./chain.ts";
import type { ConfigWithIds, EndpointConfig, IdsConfig } from "./config.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { requireDistinctUrls } from "./distinct-urls.ts";
import { resolveLifecycle } from "./lifecycle.ts";
import { literalUrl, requirePlaceholder, type UrlTemplate } from "./url-template.ts";
import { idVariable, type SharedSources } from "./variables.ts";

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
    const place = `subgraph.${environment}.url`;
    const isById = typeof url === "string" && url.includes("{id}");
    if (isById && ids === undefined) throw withoutIds(place);
    if (!isById && ids !== undefined && typeof url === "string") throw withUnusedIds(place);
    check(url, ids === undefined ? "{deployment}" : "{id}", place);
    if (isById) requireIdInPath(url, place);
    // The URLs of a literal template are compared as a whole, because other parts of them may differ.
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
    sentence: `"${table}" is set, but the template in "${place}" does not contain {id}, so every deployment would have the same URL.`,
    hint: `put {id} into "${place}": "https://…/{id}". A template with {deployment} needs no ids.`,
  });
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

/** Throws if an id would select the host of a URL, because the key is sent to that host. */
function requireIdInPath(url: string, place: string): void {
  if (!/^[^/]*\/\/[^/]*\{id\}/.test(url)) return;
  throw new ConfigError({
    code: "CONFIG_BAD_TEMPLATE",
    sentence: `The template in "${place}" has {id} in its host, so an id could send the key to another host.`,
    hint: "write the host as text, and put {id} into the path.",
  });
}

/** The values of placeholders in the URLs of a deployment. */
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
    // The brand in URLs may differ from the brand in files.
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
    // A deployment without an id has its own URL, and only the host of the template is compared with it.
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

type SharedPlace = {
  /** The placeholder that distinguishes the URLs of deployments. */
  readonly has: string;
  readonly place: string;
  /** Whether the configuration has this part; then no default variable is read. */
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

/** Returns the first configured link. Throws if its URL is known and not valid. */
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
  /** The override for this deployment, and its place in the configuration. */
  readonly own: EndpointConfig | undefined;
  readonly ownPlace: string;
  /** The configuration of all deployments of the style. */
  readonly shared: Omit<EndpointConfig, "url">;
  readonly template: UrlTemplate;
};

function buildEndpoint(inputs: EndpointInputs): Endpoint {
  const { environment, requiresKey, own, ownPlace, shared, template } = inputs;
  const url = own ? ownTemplate(own.url, template, ownPlace) : template;
  // A key is sent only to the host that it is configured for.
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
