import { buildUrl, readText } from "./build-url.ts";
import { type EndpointQuestion, findEndpoint } from "./find-endpoint.ts";
import type { Chain, Endpoint, Served, Text, Variables } from "./manifest-types.ts";

/** Builds the endpoint that is asked for; only its URL and links are made of variables, by default the platform's. */
export function buildEndpoint<Key extends string, Name extends string>(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  question: EndpointQuestion,
  env: Variables | undefined,
): Endpoint<never, never, Key, Name> {
  const { served, name, deployment, environment } = findEndpoint(all, chains, question);
  const { brand, values, endpoints, links } = served;
  const { style, chains: keys } = deployment;
  // There is a row for every deployment: its own, or its style's.
  const row = endpoints[`${name} ${environment}`] ?? endpoints[`${style} ${environment}`] ?? { url: "" };
  const other = endpoints[`${name} testing`] ?? endpoints[`${style} testing`];
  const isTestingSet = other && deployment.environments.includes("testing") && readText(other.url, env);
  if (isTestingSet && environment === "production" && readText(row.url, env) === undefined) {
    const { env: variable } = row.url as { readonly env: string };
    throw new Error(`Set ${variable}, or use environment: "testing", whose URL is set.`);
  }
  const chain = keys.length === 1 ? chains[keys[0] ?? ""] : undefined;
  const build = (text: Text) =>
    buildUrl(
      text,
      {
        protocol: served.protocol,
        ...values,
        ...(chain && { chain: String(keys), chainId: String(chain.chainId), suffix: String(chain.subgraph) }),
        ...(row.ids && { id: row.ids[String(keys)] as Text }),
      },
      // In a URL a name may begin with another brand than in the manifest.
      brand ? `{brand}${name.slice(brand.length)}` : name,
      env,
    );
  const { playground, explorer } = links[name] ?? links[style] ?? {};
  const link = (text: Text | undefined) =>
    text === undefined || readText(text, env) === undefined ? null : build(text).href;
  const { href, host } = build(row.url);
  return {
    url: href,
    method: "POST",
    headers: { "content-type": "application/json", ...row.headers },
    secretHeaders: { ...row.secretHeaders },
    auth: row.key ? { header: "Authorization", scheme: "Bearer", env: row.key, host } : null,
    limits: { dailyQueries: row.dailyQueries ?? null, ...(row.maxRows && { maxRows: row.maxRows }) },
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
