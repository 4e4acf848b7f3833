import { readText } from "../../packages/client/src/manifest/build-url.ts";
import { cached } from "../base/collections.ts";
import { ConfigError, variablesMissing } from "../base/errors.ts";
import { redactUrl } from "../base/redact.ts";
import { type Environment, IS_PER_CHAIN } from "../dialects/surface.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { resolveUrl } from "./url-template.ts";
import { type Environ, isConfigured } from "./variables.ts";

/** An endpoint of a deployment. */
export type DeploymentEndpoint = { readonly deployment: Deployment; readonly endpoint: Endpoint };

/** An endpoint whose URL is known. */
export type AddressedEndpoint = DeploymentEndpoint & { readonly url: string };

/** Reads the environment variables that URLs are made of; the error names all that are missing. */
export function readUrls(endpoints: readonly DeploymentEndpoint[], env: Environ): AddressedEndpoint[] {
  const missing = new Map<string, Set<string>>();
  const given = new Set<string>();
  const addressed = endpoints.flatMap(({ deployment, endpoint }): AddressedEndpoint[] => {
    const url = resolveUrl(endpoint.url, env);
    if (typeof url === "string") return [{ deployment, endpoint, url }];
    for (const name of url) cached(missing, name, () => new Set<string>()).add(deployment.name);
    for (const name of endpoint.url.defaults) {
      if (readText({ env: name }, env) !== undefined) given.add(name);
    }
    return [];
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_VARIABLE_MISSING", missing, given);
  requireDistinctUrls(addressed);
  return addressed;
}

/** Two deployments behind one URL serve one chain's data, or one protocol's, as another's, silently. */
export function requireDistinctUrls(
  addresses: readonly { readonly deployment: Deployment; readonly url: string | null }[],
): void {
  const seen = new Map<string, Deployment>();
  for (const { deployment, url } of addresses) {
    if (url === null || deployment.status === "retired") continue;
    const key = url.replace(/[/?]*(#.*)?$/, "");
    const other = seen.get(key);
    if (other !== undefined && other.name !== deployment.name) {
      const isMerged = other.protocol !== deployment.protocol;
      throw new ConfigError({
        code: "CONFIG_DUPLICATE_URL",
        sentence: `"${other.name}" and "${deployment.name}" have one URL, so one of them would serve the other's data.`,
        context: [`URL: ${redactUrl(url)}`],
        hint: isMerged
          ? `correct one of them. An indexer of both ${other.protocol} and ${deployment.protocol} is one protocol with a name of its own under "protocols".`
          : 'correct one of them under "deployments".',
      });
    }
    seen.set(key, deployment);
  }
}

/** The endpoints to ask, and the deployments that have none. */
export type EndpointChoice = {
  readonly chosen: readonly DeploymentEndpoint[];
  /** What would be asked of retired deployments, were they active. */
  readonly retired: readonly DeploymentEndpoint[];
  /** Active deployments without a configured URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
};

/**
 * Chooses one endpoint of every deployment: testing where there is one, else production; or the wanted environment only.
 * A multichain deployment has no testing endpoint, so its production endpoint is asked in either case.
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
      (one) => isConfigured(one, env) && one.environment === (wanted ?? one.environment),
    );
    if (endpoint) (isRetired ? retired : chosen).push({ deployment, endpoint });
    else if (!isRetired) unconfigured.push(deployment);
  }
  return { chosen, retired, unconfigured };
}

/** An endpoint that is ready to be asked. */
export type Target = {
  readonly deployment: Deployment;
  readonly url: string;
  /** Hold secrets: for requests only, never for messages. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of variables in those headers. A header that the configuration writes out is no secret. */
  readonly secrets: readonly string[];
};

/** Reads the variables that endpoints need for their URLs and headers; the error names all that are missing. */
export function resolveTargets(endpoints: readonly DeploymentEndpoint[], env: Environ): Target[] {
  const missing = new Map<string, Set<string>>();
  const targets = readUrls(endpoints, env).map(({ deployment, endpoint, url }) => {
    const headers: Record<string, string> = {};
    const secrets: string[] = [];
    const readSecret = (variable: string): string => {
      const value = env[variable]?.trim() ?? "";
      if (value === "") cached(missing, variable, () => new Set<string>()).add(deployment.name);
      // A line break in a key would end the header, and its rest would be read as another.
      if (!/^[\x20-\x7e]*$/.test(value)) {
        throw new ConfigError({
          code: "CONFIG_KEY_MISSING",
          sentence: `The environment variable ${variable} holds what no header can: more than one line, or letters beyond ASCII.`,
          hint: "set it to the key alone.",
        });
      }
      secrets.push(value);
      return value;
    };
    for (const [name, value] of Object.entries(endpoint.headers)) {
      headers[name.toLowerCase()] = typeof value === "string" ? value : readSecret(value.env);
    }
    if (endpoint.apiKey !== null) headers["authorization"] = `Bearer ${readSecret(endpoint.apiKey.env)}`;
    return { deployment, url, headers, secrets };
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_KEY_MISSING", missing);
  return targets;
}

/** The values that must not be shown, also when a server sends them back; each once. */
export function secretsOf(targets: readonly Target[]): string[] {
  const values = targets.flatMap(({ secrets }) => secrets);
  // A variable may hold a whole header, `Bearer …`, of which a server may send back what counts.
  const parts = values.flatMap((value) => [value, value.replace(/^[A-Za-z]+ +(?=\S)/, "")]);
  return [...new Set(parts.filter(Boolean))];
}
