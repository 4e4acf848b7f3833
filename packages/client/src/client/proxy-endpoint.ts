import type { Endpoint } from "../manifest/manifest-types.ts";
import type { EndpointRequest } from "../manifest/project.ts";
import type { Manifest } from "./client-options.ts";

/** Where a proxy is asked, which alone knows the URL and the headers of the deployment; null for what is not served. */
export function proxyEndpoint(
  { deployments }: Manifest,
  url: string,
  { protocol, style, chain }: EndpointRequest,
): Endpoint | null {
  for (const [deployment, one] of Object.entries(deployments)) {
    if (one.protocol !== protocol || one.style !== style || one.status === "retired") continue;
    if (!one.chains.some((key) => key === chain)) continue;
    return {
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
      secretHeaders: {},
      auth: null,
      limits: { dailyQueries: null },
      playground: null,
      explorer: null,
      deployment: deployment as Endpoint["deployment"],
      chains: one.chains,
    };
  }
  return null;
}
