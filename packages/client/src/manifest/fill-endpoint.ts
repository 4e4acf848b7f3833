import { buildUrl, readText } from "./build-url.ts";
import type {
  Endpoint,
  EndpointRow,
  Environment,
  ProtocolRoutes,
  StyleName,
  Text,
  Variables,
} from "./manifest-types.ts";

/** A deployment that serves a chain. */
export type FoundRoute = {
  readonly style: StyleName;
  readonly name: string;
  readonly chains: readonly string[];
  readonly environments: readonly Environment[];
  /** The values of the placeholders of its chain; empty if it serves several. */
  readonly place: Readonly<Record<string, string>>;
  readonly routes: ProtocolRoutes;
};

/** The parts that an endpoint is built from. */
type FoundEndpoint = FoundRoute & {
  readonly protocol: string;
  readonly environment: string;
};

/**
 * Builds an endpoint without links. Its URL may contain variables, by default those of the platform.
 *
 * @returns the endpoint, and the function that fills its placeholders into other texts.
 */
export function fillEndpoint(
  source: FoundEndpoint,
  env: Variables | undefined,
): { readonly endpoint: Endpoint; readonly fill: (text: Text) => { href: string; host: string } } {
  const { protocol, environment, environments, name, chains, place, routes } = source;
  // Every deployment has a row: its own, or that of its style.
  const row = rowOf(source, environment) ?? { url: "" };
  const testing = environments.includes("testing") && rowOf(source, "testing");
  const isSet = (url: Text) => readText(url, env) !== undefined;
  if (testing && environment === "production" && !isSet(row.url) && isSet(testing.url)) {
    const { env: variable } = row.url as { readonly env: string };
    throw new Error(`Set ${variable}, or use environment: "testing", whose URL is set.`);
  }
  const { brand } = routes;
  const id = row.ids && { id: row.ids[String(chains)] as Text };
  const values = { protocol, ...routes.values, ...place, ...id };
  // In a URL, the name may start with another brand than in the manifest.
  const urlName = brand ? `{brand}${name.slice(brand.length)}` : name;
  const fill = (text: Text) => buildUrl(text, { deployment: urlName, values }, env);
  const { href, host } = fill(row.url);
  const auth = row.key ? ({ header: "Authorization", scheme: "Bearer", env: row.key, host } as const) : null;
  return { endpoint: { ...plainEndpoint(source, href, row), auth }, fill };
}

/** Returns the endpoint of a deployment in an environment: its own, or that of its style. */
export function rowOf(
  { name, style, routes: { endpoints } }: FoundRoute,
  environment: string,
): EndpointRow | undefined {
  return endpoints[`${name} ${environment}`] ?? endpoints[`${style} ${environment}`];
}

/** Describes an endpoint without a key and links. */
export function plainEndpoint(
  { name, chains }: FoundRoute,
  url: string,
  { headers, secretHeaders, dailyQueries, maxRows }: Omit<EndpointRow, "url">,
): Endpoint {
  return {
    url,
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    secretHeaders: { ...secretHeaders },
    auth: null,
    limits: { dailyQueries: dailyQueries ?? null, ...(maxRows && { maxRows }) },
    playground: null,
    explorer: null,
    deployment: name,
    chains,
  };
}
