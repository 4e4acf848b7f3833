import { readText } from "./build-url.ts";
import { fillEndpoint } from "./fill-endpoint.ts";
import { type EndpointQuestion, findEndpoint } from "./find-endpoint.ts";
import type { Chain, Endpoint, Served, Text, Variables } from "./manifest-types.ts";

/** Builds the endpoint that is asked for. Only its URL and links are made of variables, by default the platform's. */
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
  const { endpoint, fill } = fillEndpoint(
    {
      ...{ protocol, style, environment, name, routes, chains: keys },
      hasTesting: environments.includes("testing"),
      chain: keys.length === 1 ? { chain: key, chainId: String(chainId), suffix: String(subgraph) } : {},
    },
    env,
  );
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

/** Whether there is what is asked for. */
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
