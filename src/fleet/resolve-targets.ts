import { cached } from "../base/cached.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { variablesMissing } from "../base/errors/variables-missing.ts";
import type { Deployment } from "../project/deployment.ts";
import { type DeploymentEndpoint, readUrls } from "../project/read-urls.ts";
import type { Environ } from "../project/variables.ts";

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
