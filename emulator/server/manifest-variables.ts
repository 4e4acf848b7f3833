import { compareCodeUnits } from "../../src/base/collections.ts";
import { type Environment, IS_PER_CHAIN, type Protocol } from "../../src/dialects/surface.ts";
import type { Deployment } from "../../src/project/deployment.ts";
import type { UrlTemplate } from "../../src/project/url-template.ts";
import type { SharedSources } from "../../src/project/variables.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";

/** One URL of a running emulator. */
type EmulatedUrl = {
  readonly deployment: EmulatedDeployment;
  readonly environment: Environment;
  readonly url: string;
};

/** A key for endpoints that accept any; not a secret. */
const ANY_KEY = "emulator";

/**
 * Returns the environment variables that point a manifest, and commands, to a running emulator. Literal values of a
 * configuration are not replaced: a literal key would then go to another host.
 *
 * @param key what production URLs of subgraphs accept.
 * @param brand the first word of the deployments' names; by default it is taken from them.
 */
export function manifestVariables(
  { brand, multichain, subgraph }: SharedSources,
  urls: readonly EmulatedUrl[],
  { key = ANY_KEY, brand: known }: { readonly key?: string | undefined; readonly brand?: string } = {},
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
      set(variables, brand, known ?? brandOf(name, protocol));
    } else {
      const [, id = "", ...rest] = pathname.split("/");
      set(variables, source.url, `${origin}/{id}/${rest.join("/")}`);
      set(variables, multichain.ids[protocol] ?? "", id);
    }
    setSecrets(variables, source, isPerChain ? key : ANY_KEY);
  }
  return variables;
}

/** The variables of deployments with URLs of their own in the configuration. */
export function overrideVariables(
  deployments: readonly Deployment[],
  urlOf: (name: string, environment: Environment) => string | undefined,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { name, endpoints } of deployments) {
    for (const { environment, url: template, apiKey, headers } of endpoints) {
      const url = urlOf(name, environment);
      if (url === undefined || template.isShared || typeof template.text === "string") continue;
      set(variables, template.text, url);
      if (apiKey !== null) variables[apiKey.env] = ANY_KEY;
      for (const header of Object.values(headers)) set(variables, header, ANY_KEY);
    }
  }
  return variables;
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
