import { readText } from "./build-url.ts";
import { fillEndpoint } from "./fill-endpoint.ts";
import { refuseName } from "./find-chain.ts";
import type { Chain, Deployment, Endpoint, Lifecycle, Served, Text, Variables } from "./manifest-types.ts";

/** Builds the requested endpoint. Its URL and links may contain variables, by default those of the platform. */
export function buildEndpoint<Key extends string, Name extends string>(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  question: EndpointQuestion,
  env: Variables | undefined,
): Endpoint<never, never, Key, Name> {
  const { served, name, deployment, environment } = findEndpoint(all, chains, question);
  const { protocol, routes, links } = served;
  const { style, chains: keys, environments } = deployment;
  const [key = ""] = keys;
  const { chainId, subgraph } = chains[key] ?? {};
  const place: Readonly<Record<string, string>> =
    keys.length === 1 ? { chain: key, chainId: String(chainId), suffix: String(subgraph) } : {};
  const source = { protocol, style, environment, environments, name, routes, chains: keys, place };
  const { endpoint, fill } = fillEndpoint(source, env);
  const { playground, explorer } = links[name] ?? links[style] ?? {};
  const link = (text: Text | undefined) =>
    text === undefined || readText(text, env) === undefined ? null : fill(text).href;
  const { __surface: _, ...rest } = endpoint;
  return {
    ...rest,
    playground: link(playground),
    explorer: link(explorer),
    deployment: name as Name,
    chains: keys as readonly Key[],
  };
}

/** Whether the requested endpoint exists. */
export function isServed(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  question: EndpointQuestion,
): boolean {
  try {
    findEndpoint(all, chains, question);
    return true;
  } catch {
    return false;
  }
}

/** The endpoint that a caller requests. Untyped callers may pass anything. */
type EndpointQuestion = {
  readonly protocol?: unknown;
  readonly style?: unknown;
  readonly chain?: unknown;
  readonly environment?: unknown;
};

/** An endpoint that exists. */
type FoundEndpoint = {
  readonly served: Served;
  readonly name: string;
  readonly deployment: Deployment;
  readonly environment: string;
};

/** Finds the endpoint of a request. Throws an error that lists the known names if there is none. */
function findEndpoint(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  { protocol, style, chain: given, environment = "production", ...strays }: EndpointQuestion,
): FoundEndpoint {
  const stray = Object.keys(strays)[0];
  if (stray !== undefined) return refuseName("an option", stray, OPTIONS);
  const protocols = all.map((row) => row.protocol);
  const served = all[protocols.indexOf(protocol as string)];
  if (!served) return refuseName("a protocol", protocol, protocols);
  // Only numbers are ids: the text "137" could be the name of another chain.
  const chain = Object.keys(chains).filter((key) => chains[key]?.chainId === given)[0] ?? given;
  const { deployments } = served;
  const names = Object.keys(deployments);
  const isActive = (name: string) => deployments[name]?.status !== "retired";
  const styleOf = (name: string) => deployments[name]?.style ?? "";
  const serves = (name: string) => deployments[name]?.chains.some((key) => key === chain);
  const usable = names.filter(isActive);
  const ofStyle = usable.filter((name) => styleOf(name) === style);
  const [lost = ""] = names.filter(
    (name) =>
      !isActive(name) && styleOf(name) === style && (serves(name) || (chain === undefined && !ofStyle[0])),
  );
  // A deployment may have stopped serving a chain.
  const [without] = ofStyle.filter((name) => deployments[name]?.formerChains?.some((key) => key === chain));
  const end = deployments[lost] ?? (without && chains[chain as string]);
  const anyMore = end ? ` any more (${describeStatus(end)})` : "";
  if (!ofStyle[0]) return refuseName(`a style${anyMore}`, style, usable.map(styleOf));
  const [name = "", ...others] = chain === undefined ? ofStyle : ofStyle.filter(serves);
  const deployment = others.length > 0 ? undefined : deployments[name];
  if (!deployment) {
    return refuseName(
      `a chain of ${protocol} in ${style} style${anyMore}`,
      given,
      ofStyle.flatMap((other) => deployments[other]?.chains ?? []),
    );
  }
  return deployment.environments.some((allowed) => allowed === environment)
    ? { served, name: name as string, deployment, environment: String(environment) }
    : refuseName(`an environment of ${name}`, environment, deployment.environments);
}

const OPTIONS: readonly string[] = ["protocol", "style", "chain", "environment"];

/** Describes the state of a deployment or a chain in a clause: `retired in 2025-07: low usage; use a-b-c`. */
export function describeStatus({ status, since, reason, replacedBy }: Lifecycle): string {
  // A day is longer than a month.
  const word = status === "dormant" ? "since" : since?.[7] ? "on" : "in";
  return (
    status +
    (since ? ` ${word} ${since}` : "") +
    (reason ? `: ${reason}` : "") +
    (replacedBy ? `; use ${replacedBy}` : "")
  );
}
