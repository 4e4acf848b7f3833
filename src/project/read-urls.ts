import { cached } from "../base/cached.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { variablesMissing } from "../base/errors/variables-missing.ts";
import { redactUrl } from "../base/redact-url.ts";
import { readText } from "../runtime/build-url.ts";
import type { Deployment, Endpoint } from "./deployment.ts";
import { resolveUrl } from "./url-template.ts";
import type { Environ } from "./variables.ts";

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
