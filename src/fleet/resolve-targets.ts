import { ConfigError } from "../base/errors/config-error.ts";
import { variablesMissing } from "../base/errors/variables-missing.ts";
import type { Deployment, Endpoint } from "../project/deployment.ts";

/** An endpoint that is ready to be asked. */
export type Target = {
  readonly deployment: Deployment;
  readonly endpoint: Endpoint;
  readonly url: string;
  /** Hold secrets: for requests only, never for messages. */
  readonly headers: Readonly<Record<string, string>>;
  /** The values of variables in those headers. A header that the configuration writes out is no secret. */
  readonly secrets: readonly string[];
};

/**
 * Reads the keys that endpoints need, before the first request is made.
 *
 * @throws ConfigError `CONFIG_KEY_MISSING` naming every variable that is missing and who needs it.
 */
export function resolveTargets(
  endpoints: readonly {
    readonly deployment: Deployment;
    readonly endpoint: Endpoint;
    readonly url: string;
  }[],
  env: Readonly<Record<string, string | undefined>>,
): Target[] {
  const missing = new Map<string, string[]>();
  const read = (variable: string, deployment: Deployment): string => {
    const value = env[variable]?.trim() ?? "";
    if (value === "") missing.set(variable, [...(missing.get(variable) ?? []), deployment.name]);
    // A line break in a key would end the header, and its rest would be read as another.
    if (!/^[\x20-\x7e]*$/.test(value)) {
      throw new ConfigError({
        code: "CONFIG_KEY_MISSING",
        sentence: `The environment variable ${variable} holds what no header can: more than one line, or letters beyond ASCII.`,
        hint: "set it to the key alone.",
      });
    }
    return value;
  };
  const targets = endpoints.map(({ deployment, endpoint, url }) => {
    const headers: Record<string, string> = {};
    const secrets: string[] = [];
    const readSecret = (variable: string): string => {
      const value = read(variable, deployment);
      secrets.push(value);
      return value;
    };
    for (const [name, value] of Object.entries(endpoint.headers)) {
      headers[name.toLowerCase()] = typeof value === "string" ? value : readSecret(value.env);
    }
    const { auth } = endpoint;
    if (auth.kind === "bearer" && new URL(url).host === auth.host) {
      headers["authorization"] = `Bearer ${readSecret(auth.env)}`;
    }
    return { deployment, endpoint, url, headers, secrets };
  });
  if (missing.size > 0) throw variablesMissing("CONFIG_KEY_MISSING", missing);
  return targets;
}

/** The values that must not be shown, also when a server sends them back; each once. */
export function secretsOf(targets: readonly Target[]): string[] {
  const values = targets.flatMap(({ secrets }) => secrets);
  // A variable may hold a whole header, `Bearer …`, of which a server may send back what counts.
  return [...new Set(values.flatMap((value) => [value, value.replace(/^[A-Za-z]+ +(?=\S)/, "")]))].filter(
    Boolean,
  );
}
