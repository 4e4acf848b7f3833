import { ConfigError } from "../base/errors/config-error.ts";
import { redactUrl } from "../base/redact-url.ts";
import type { Deployment } from "./deployment.ts";

/**
 * Two deployments behind one URL serve one chain's data as another's, silently.
 *
 * @throws ConfigError `CONFIG_DUPLICATE_URL`
 */
export function requireDistinctUrls(
  addresses: readonly { readonly deployment: Deployment; readonly url: string | null }[],
): void {
  const seen = new Map<string, string>();
  for (const { deployment, url } of addresses) {
    if (url === null || deployment.status === "retired") continue;
    const key = `${deployment.protocol} ${url.replace(/[/?]*(#.*)?$/, "")}`;
    const other = seen.get(key);
    if (other !== undefined && other !== deployment.name) {
      throw new ConfigError({
        code: "CONFIG_DUPLICATE_URL",
        sentence: `"${other}" and "${deployment.name}" have one URL, so one of them would serve the other's data.`,
        context: [`URL: ${redactUrl(url)}`],
        hint: 'correct one of them under "deployments".',
      });
    }
    seen.set(key, deployment.name);
  }
}
