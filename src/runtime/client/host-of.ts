import type { Endpoint } from "../manifest-types.ts";
import type { Client } from "./client-options.ts";
import { platform } from "./platform.ts";

/** Who is left alone where it asks for that. Which deployments share a host, a proxy does not say. */
export function hostOf({ proxy }: Client, { deployment, url }: Endpoint): string {
  return proxy ? deployment : new platform.URL(url).host;
}
