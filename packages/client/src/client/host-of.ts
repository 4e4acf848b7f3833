import type { Endpoint } from "../manifest/manifest-types.ts";
import type { StyleName } from "../manifest/project.ts";
import type { Client } from "./client-options.ts";
import { platform } from "./platform.ts";

/**
 * Who is left alone where it asks for that. Which deployments share a host, a proxy does not say; and what limits the one
 * style on a host, as on a machine that serves both, may leave the other.
 */
export function hostOf({ proxy }: Client, style: StyleName, { deployment, url }: Endpoint): string {
  return proxy ? deployment : `${style} ${new platform.URL(url).host}`;
}
