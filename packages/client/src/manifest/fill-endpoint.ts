import { buildUrl, readText } from "./build-url.ts";
import type { Endpoint, ProtocolRoutes, StyleName, Text, Variables } from "./manifest-types.ts";

/** The parts that an endpoint is built from. */
type EndpointSource = {
  readonly protocol: string;
  readonly style: StyleName;
  readonly environment: string;
  /** The name of the deployment. */
  readonly name: string;
  readonly chains: readonly string[];
  readonly routes: ProtocolRoutes;
  /** Whether the deployment has a testing URL. */
  readonly hasTesting: boolean;
  /** The placeholders of its chain; empty if it serves several. */
  readonly chain: Readonly<Record<string, string>>;
};

/**
 * Builds an endpoint without links. Its URL may contain variables, by default those of the platform.
 *
 * @returns the endpoint, and the function that fills its placeholders into other texts.
 */
export function fillEndpoint(
  { style, environment, name, chains, routes, ...source }: EndpointSource,
  env: Variables | undefined,
): { readonly endpoint: Endpoint; readonly fill: (text: Text) => { href: string; host: string } } {
  const { brand, values: shared, endpoints } = routes;
  // Every deployment has a row: its own, or that of its style.
  const row = endpoints[`${name} ${environment}`] ?? endpoints[`${style} ${environment}`] ?? { url: "" };
  const testing = endpoints[`${name} testing`] ?? endpoints[`${style} testing`];
  const isTestingSet = testing && source.hasTesting && readText(testing.url, env);
  if (isTestingSet && environment === "production" && readText(row.url, env) === undefined) {
    const { env: variable } = row.url as { readonly env: string };
    throw new Error(`Set ${variable}, or use environment: "testing", whose URL is set.`);
  }
  const values = {
    protocol: source.protocol,
    ...shared,
    ...source.chain,
    ...(row.ids && { id: row.ids[String(chains)] as Text }),
  };
  // In a URL, the name may start with another brand than in the manifest.
  const urlName = brand ? `{brand}${name.slice(brand.length)}` : name;
  const fill = (text: Text) => buildUrl(text, values, urlName, env);
  const { href, host } = fill(row.url);
  return {
    endpoint: {
      url: href,
      method: "POST",
      headers: { "content-type": "application/json", ...row.headers },
      secretHeaders: { ...row.secretHeaders },
      auth: row.key ? { header: "Authorization", scheme: "Bearer", env: row.key, host } : null,
      limits: { dailyQueries: row.dailyQueries ?? null, ...(row.maxRows && { maxRows: row.maxRows }) },
      playground: null,
      explorer: null,
      deployment: name,
      chains,
    },
    fill,
  };
}
