import { ConfigError } from "../base/errors.ts";
import { redactUrl } from "../base/redact.ts";
import type { Deployment } from "./deployment.ts";

/** Throws if two deployments have one URL, because one of them would silently return the wrong data. */
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
        sentence: `"${other.name}" and "${deployment.name}" have the same URL, so one of them would return the other's data.`,
        context: [`URL: ${redactUrl(url)}`],
        hint: isMerged
          ? `correct one of them. If one indexer serves both ${other.protocol} and ${deployment.protocol}, configure it as one protocol under "protocols"; \`lockflow adapt --to\` moves the operations to it.`
          : 'correct one of them under "deployments".',
      });
    }
    seen.set(key, deployment);
  }
}
