import { compareCodeUnits } from "../../src/base/collections.ts";
import { IS_PER_CHAIN, type Protocol } from "../../src/dialects/surface.ts";
import type { Project } from "../../src/project/project.ts";
import { resolveUrl, type UrlTemplate } from "../../src/project/url-template.ts";
import type { SharedSources } from "../../src/project/variables.ts";
import type { EmulatedUrl } from "../indexers/emulated-deployment.ts";

/** A key for endpoints that accept any; not a secret. */
export const ANY_KEY = "emulator";

/**
 * Returns the environment variables that point a manifest, and commands, to a running emulator. Literal values of a
 * configuration are not replaced: a literal key would then go to another host.
 *
 * @param key the key of the production URLs of subgraphs.
 * @param brand the first word of the deployments' names; by default it is taken from them.
 */
export function manifestVariables(
  { brand, multichain, subgraph }: SharedSources,
  urls: readonly EmulatedUrl[],
  { key, brand: firstWord }: { readonly key: string; readonly brand?: string },
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { deployment, environment, url } of urls) {
    const { protocol, style, name } = deployment;
    const isPerChain = IS_PER_CHAIN[style];
    const source = isPerChain ? subgraph[environment] : multichain;
    if (protocol === null || typeof source.url === "string") continue;
    const { origin, pathname } = new URL(url);
    if (isPerChain) {
      set(variables, source.url, `${origin}${pathname.slice(0, -name.length)}{deployment}`);
      set(variables, brand, firstWord ?? brandOf(name, protocol));
    } else {
      const [, id = "", ...rest] = pathname.split("/");
      set(variables, source.url, `${origin}/{id}/${rest.join("/")}`);
      set(variables, multichain.ids[protocol] ?? "", id);
    }
    setSecrets(variables, source, isPerChain ? key : ANY_KEY);
  }
  return variables;
}

/**
 * Directs a project to a running emulator.
 *
 * @param key the key of the production URLs of subgraphs.
 * @returns the variables by the names of the configuration, and the paths of the emulator that its own names lead to, such as
 *   a brand or an id that the configuration writes out.
 */
export function directProject(
  { shared, brand, chains, deployments }: Pick<Project, "shared" | "brand" | "chains" | "deployments">,
  urls: readonly EmulatedUrl[],
  key: string,
): { readonly variables: Record<string, string>; readonly paths: ReadonlyMap<string, EmulatedUrl> } {
  const ids = new Map(chains.map(({ key, chainId }) => [key, chainId]));
  const endpoints = deployments.flatMap(({ name, protocol, style, chains: keys, endpoints: configured }) => {
    const chainIds = new Set(keys.map((chain) => ids.get(chain)));
    return configured.flatMap(({ environment, ...endpoint }) => {
      const candidates = urls.filter(
        (url) =>
          url.environment === environment &&
          url.deployment.protocol === protocol &&
          url.deployment.style === style &&
          url.deployment.chainIds.some((id) => chainIds.has(id)),
      );
      const served = candidates.find(({ deployment }) => deployment.name === name) ?? candidates[0];
      return served ? [{ ...endpoint, served }] : [];
    });
  });
  const served = new Set(endpoints.map((endpoint) => endpoint.served));
  const variables = manifestVariables(shared, [...served], { key, brand });
  for (const { url, apiKey, headers, served } of endpoints) {
    if (url.isShared || typeof url.text === "string") continue;
    set(variables, url.text, served.url);
    setSecrets(variables, { apiKey: apiKey ?? undefined, headers }, ANY_KEY);
  }
  const paths = endpoints.flatMap(({ url, served }) => {
    const resolved = resolveUrl(url, variables);
    if (typeof resolved !== "string") return [];
    const { origin, pathname } = new URL(resolved);
    return origin === new URL(served.url).origin ? [[pathname, served] as const] : [];
  });
  return { variables, paths: new Map(paths) };
}

/** Renders variables as lines that shells and dotenv read. */
export function renderVariables(variables: Readonly<Record<string, string>>): string {
  const names = Object.keys(variables).sort(compareCodeUnits);
  return names.map((name) => `${name}=${variables[name]}\n`).join("");
}

function set(variables: Record<string, string>, text: UrlTemplate["text"], value: string): void {
  if (typeof text === "object") variables[text.env] = value;
}

function setSecrets(
  variables: Record<string, string>,
  { apiKey, headers = {} }: Pick<SharedSources["multichain"], "apiKey" | "headers">,
  key: string,
): void {
  if (apiKey) variables[apiKey.env] = key;
  for (const header of Object.values(headers)) set(variables, header, ANY_KEY);
}

function brandOf(name: string, protocol: Protocol): string {
  const end = name.indexOf(`-${protocol}-`);
  return end < 0 ? "protocol" : name.slice(0, end);
}
