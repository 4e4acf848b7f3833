import type { Client } from "../../packages/client/src/client/client-types.ts";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import type { Endpoint, EndpointRequest, Routes } from "../../packages/client/src/manifest/manifest-types.ts";
import { findRoute } from "../../packages/client/src/manifest/routes.ts";
import { type Environment, IS_PER_CHAIN, type Protocol, type StyleName } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import { resolveHttpProxy } from "../project/http-proxy.ts";
import { buildRoutes } from "../project/manifest-rows.ts";
import type { Project } from "../project/project.ts";
import { resolveUrl } from "../project/url-template.ts";
import { type Environ, hasHost, isConfigured } from "../project/variables.ts";
import { createFetch } from "./create-fetch.ts";
import { loadEmulator } from "./load-emulator.ts";
import { describeEmulator } from "./open-targets.ts";

/** The options of `openClient`. */
export type OpenClientOptions = {
  readonly env: Environ;
  readonly environment: Environment;
  /** Whether to use the emulator even if a host is configured. */
  readonly useEmulator: boolean;
  /** The styles in the order in which they are tried. */
  readonly styles: readonly StyleName[];
  /** Maximum lag of an answer in seconds; undefined for no limit. */
  readonly maxLag: number | undefined;
  /** Whether to request the block of each answer. */
  readonly freshness: boolean;
};

/** A client of a project, to be closed after use. */
export type OpenClient = {
  readonly client: Client;
  /** A sentence about why the emulator is used; null if it is not. */
  readonly emulated: string | null;
  readonly close: () => Promise<void>;
};

/** Opens a client for protocols of a project: of its hosts, or of an emulator. Keys are read with the first request. */
export async function openClient(
  project: Project,
  protocols: readonly Protocol[],
  { useEmulator, ...asked }: OpenClientOptions,
): Promise<OpenClient> {
  const { env } = asked;
  const routes = buildRoutes(project);
  const options = { ...asked, timeout: project.timeout, concurrency: project.concurrency };
  const selected = project.deployments.filter(({ protocol }) => protocols.includes(protocol));
  if (!useEmulator && hasHost(project, env)) {
    // The client would report an invalid proxy as a failure of the network.
    for (const url of selected.flatMap((deployment) => urlsOf(deployment, env))) resolveHttpProxy(url, env);
    const fetch = createFetch(env);
    return { client: createClient(routes, { ...options, fetch }), emulated: null, close: async () => {} };
  }
  const { startProjectEmulator } = await loadEmulator();
  const emulator = await startProjectEmulator({ ...project, selected }, { asOf: "now" });
  const endpoint = (request: EndpointRequest) => emulatedEndpoint(request, routes, emulator.endpoints);
  return {
    client: createClient(routes, { ...options, endpoint }),
    emulated: describeEmulator(project, env, useEmulator),
    close: () => emulator.close(),
  };
}

/** Returns the URLs of a deployment. The client reports missing and invalid ones if it needs them. */
function urlsOf({ endpoints }: Deployment, env: Environ): string[] {
  return endpoints.flatMap(({ url }) => {
    try {
      const resolved = resolveUrl(url, env);
      return typeof resolved === "string" ? [resolved] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Shares a client: it is opened for the first user, and closed after the last one.
 *
 * @param open opens the client, and whatever belongs to it.
 * @returns a function that opens it for one more user, who closes it.
 */
export function shareClient<T extends OpenClient>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null;
  let users = 0;
  return async () => {
    users++;
    opened ??= open();
    const client = await opened.catch((error: unknown) => {
      users--;
      opened = null;
      throw error;
    });
    const close = async () => {
      users--;
      if (users > 0) return;
      opened = null;
      await client.close();
    };
    return { ...client, close };
  };
}

/** Returns the default environment of subgraphs: `testing` if only testing URLs are configured. */
export function usualEnvironment({ deployments }: Project, protocol: Protocol, env: Environ): Environment {
  const configured = deployments
    .filter((deployment) => deployment.protocol === protocol && IS_PER_CHAIN[deployment.style])
    .flatMap(({ endpoints }) => endpoints.filter((endpoint) => isConfigured(endpoint, env)));
  const isTesting = configured.length > 0 && configured.every(({ environment }) => environment === "testing");
  return isTesting ? "testing" : "production";
}

/** Returns an endpoint with the emulator's URL; null if the emulator does not serve it. */
function emulatedEndpoint(
  request: EndpointRequest,
  routes: Routes,
  urls: readonly { readonly deployment: string; readonly environment: string; readonly url: string }[],
): Endpoint | null {
  const { environment = "production" } = request;
  const route = findRoute(routes, { ...request, environment });
  const match = urls.find((url) => url.deployment === route?.name && url.environment === environment);
  if (!route || !match) return null;
  // The emulator accepts any key for production URLs.
  const key = environment === "production" ? { authorization: "Bearer emulator" } : {};
  return {
    url: match.url,
    method: "POST",
    headers: { "content-type": "application/json", ...key },
    secretHeaders: {},
    auth: null,
    limits: { dailyQueries: null },
    playground: null,
    explorer: null,
    deployment: route.name,
    chains: route.chains,
  };
}
