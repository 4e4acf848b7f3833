import type { Client, ClientOptions } from "./client-options.ts";
import { createClientOf } from "./create-client-of.ts";
import { chains, deployments, endpoint, hasEndpoint } from "./manifest.ts";

/** Creates a client. It sends nothing, and may be shared by all of a program. */
export function createClient(options: ClientOptions = {}): Client {
  return createClientOf({ chains, deployments, endpoint, hasEndpoint }, options);
}
