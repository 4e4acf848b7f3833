import { readText } from "../../packages/client/src/manifest/build-url.ts";
import { cached } from "../base/collections.ts";
import { ConfigError, variablesMissing } from "../base/errors.ts";
import { type Environment, IS_PER_CHAIN } from "../dialects/surface.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { requireDistinctUrls } from "./distinct-urls.ts";
import { type HttpProxy, resolveHttpProxy } from "./http-proxy.ts";
import { resolveUrl } from "./url-template.ts";
import { type Environ, isConfigured } from "./variables.ts";

/** An endpoint of a deployment. */
export type DeploymentEndpoint = { readonly deployment: Deployment; readonly endpoint: Endpoint };

/** An endpoint whose URL is known. */
export type AddressedEndpoint = DeploymentEndpoint & { readonly url: string };

/** Resolves the URLs of endpoints from environment variables. The error names all missing variables. */
export function readUrls(endpoints: readonly DeploymentEndpoint[], env: Environ): AddressedEndpoint[] {
  const missing = new Map<string, Set<string>>();
  const set = new Set<string>();
  const addressed = endpoints.flatMap(({ deployment, endpoint }): AddressedEndpoint[] => {
    const url = resolveUrl(endpoint.url, env);
    if (typeof url === "string") return [{ deployment, endpoint, url }];
    for (const name of url) cached(missing, name, () => new Set<string>()).add(deployment.name);
    for (const name of endpoint.url.defaults) {
      if (readText({ env: name }, env) !== undefined) set.add(name);
    }
    return [];
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_VARIABLE_MISSING", missing, set);
  requireDistinctUrls(addressed);
  return addressed;
}

/** The endpoints to request, and the deployments without one. */
export type EndpointChoice = {
  readonly chosen: readonly DeploymentEndpoint[];
  /** The endpoints of retired deployments. */
  readonly retired: readonly DeploymentEndpoint[];
  /** Active deployments without a configured URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
};

/**
 * Chooses one endpoint of every deployment: the wanted environment; without one testing if it exists, else production. A
 * multichain deployment has a production endpoint only, which is always chosen.
 */
export function chooseEndpoints(
  deployments: readonly Deployment[],
  environment: Environment | undefined,
  env: Environ,
): EndpointChoice {
  const chosen: DeploymentEndpoint[] = [];
  const retired: DeploymentEndpoint[] = [];
  const unconfigured: Deployment[] = [];
  for (const deployment of deployments) {
    const isRetired = deployment.status === "retired";
    const wanted = IS_PER_CHAIN[deployment.style] ? environment : undefined;
    const endpoint = deployment.endpoints.find(
      (endpoint) => isConfigured(endpoint, env) && endpoint.environment === (wanted ?? endpoint.environment),
    );
    if (endpoint) (isRetired ? retired : chosen).push({ deployment, endpoint });
    else if (!isRetired) unconfigured.push(deployment);
  }
  return { chosen, retired, unconfigured };
}

/** An endpoint with everything that a request needs. */
export type Target = {
  readonly deployment: Deployment;
  readonly url: string;
  /** Contain secrets: only for requests, never for messages. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of variables in the headers. A literal header value is not treated as a secret. */
  readonly secrets: readonly string[];
  readonly proxy: HttpProxy | null;
};

/** Resolves the URLs and headers of endpoints from environment variables. The error names all missing variables. */
export function resolveTargets(endpoints: readonly DeploymentEndpoint[], env: Environ): Target[] {
  const missing = new Map<string, Set<string>>();
  const targets = readUrls(endpoints, env).map(({ deployment, endpoint, url }) => {
    const headers: Record<string, string> = {};
    const secrets: string[] = [];
    const readSecret = (variable: string): string => {
      const value = env[variable]?.trim() ?? "";
      if (value === "") cached(missing, variable, () => new Set<string>()).add(deployment.name);
      // A line break in a key would end the header and start another one.
      if (!/^[\x20-\x7e]*$/.test(value)) {
        throw new ConfigError({
          code: "CONFIG_KEY_MISSING",
          sentence: `The value of the environment variable ${variable} is not valid in a header: it has several lines or characters beyond ASCII.`,
          hint: "set it to the key only.",
        });
      }
      secrets.push(value);
      return value;
    };
    for (const [name, value] of Object.entries(endpoint.headers)) {
      headers[name.toLowerCase()] = typeof value === "string" ? value : readSecret(value.env);
    }
    if (endpoint.apiKey !== null) headers["authorization"] = `Bearer ${readSecret(endpoint.apiKey.env)}`;
    return { deployment, url, headers, secrets, proxy: resolveHttpProxy(url, env) };
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_KEY_MISSING", missing);
  return targets;
}

/** Returns the values that must never be shown, even if a server returns them; each once. */
export function secretsOf(targets: readonly Target[]): string[] {
  const values = targets.flatMap(({ secrets }) => secrets);
  // A variable may contain a whole header value, `Bearer …`, and a server may return only the key in it.
  const parts = values.flatMap((value) => [value, value.replace(/^[A-Za-z]+ +(?=\S)/, "")]);
  return [...new Set(parts.filter(Boolean))];
}
