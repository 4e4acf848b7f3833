import { hash } from "../../base/hash.ts";
import { type Environment, IS_PER_CHAIN, type Protocol, type StyleName } from "../../dialects/surface.ts";
import { loadEmulator } from "../../fleet/load-emulator.ts";
import { describeNoHost } from "../../fleet/open-targets.ts";
import { createManifest, type LiveManifest } from "../../generate/manifest-rows.ts";
import type { Project } from "../../project/project.ts";
import { type Environ, hasHost, isConfigured } from "../../project/variables.ts";
import type { Client } from "../../runtime/client/client-options.ts";
import { createClientOf } from "../../runtime/client/create-client-of.ts";
import type { BlockRef } from "../../runtime/client/inquiry.ts";
import { findEndpoint } from "../../runtime/find-endpoint.ts";
import type { Endpoint } from "../../runtime/manifest-types.ts";
import type { EndpointRequest } from "../../runtime/narrowed.ts";
import type { Question } from "./prepare-question.ts";

/** How a client of a project asks. */
export type OpenClientOptions = {
  readonly env: Environ;
  readonly environment: Environment;
  /** Whether the emulator is asked, whatever is configured. */
  readonly useEmulator: boolean;
  /** The styles in the order in which they are tried. */
  readonly styles: readonly StyleName[];
  /** Seconds that an answer may be late; undefined for any. */
  readonly maxLag: number | undefined;
  /** Whether answers tell the block that they are of. */
  readonly freshness: boolean;
};

/** A client that asks the hosts of a project, or an emulator where there is none. */
export type OpenClient = {
  readonly client: Client;
  /** Says that it is the emulator that is asked, and why; null where it is not. */
  readonly emulated: string | null;
  readonly close: () => Promise<void>;
};

/** Opens a client for a protocol of a project. It reads a key when it asks, and not before. */
export async function openClient(
  project: Project,
  protocol: Protocol,
  { env, environment, useEmulator, styles, maxLag, freshness }: OpenClientOptions,
): Promise<OpenClient> {
  const manifest = createManifest(project);
  const options = {
    ...{ env, environment, styles, maxLag, freshness },
    timeout: project.timeout,
    concurrency: project.concurrency,
  };
  if (!useEmulator && hasHost(project, env)) {
    return { client: createClientOf(manifest, options), emulated: null, close: async () => {} };
  }
  const selected = project.deployments.filter((deployment) => deployment.protocol === protocol);
  const { startProjectEmulator } = await loadEmulator();
  const emulator = await startProjectEmulator({ ...project, selected }, {});
  const endpoint = (request: EndpointRequest) => emulatedEndpoint(request, manifest, emulator.endpoints);
  return {
    client: createClientOf(manifest, { ...options, endpoint }),
    emulated: `Asking the embedded emulator on this machine, because ${useEmulator ? "--emulator says so." : describeNoHost(project, env)}`,
    close: () => emulator.close(),
  };
}

/** Which URLs of subgraphs are meant where nobody says: those of production, unless only testing ones are configured. */
export function usualEnvironment({ deployments }: Project, protocol: Protocol, env: Environ): Environment {
  const configured = deployments
    .filter((one) => one.protocol === protocol && IS_PER_CHAIN[one.style])
    .flatMap(({ endpoints }) => endpoints.filter((endpoint) => isConfigured(endpoint, env)));
  const isTesting = configured.length > 0 && configured.every(({ environment }) => environment === "testing");
  return isTesting ? "testing" : "production";
}

/** An endpoint with the emulator's URL in the place of its own; null where there is none. */
function emulatedEndpoint(
  request: EndpointRequest,
  { chains, served, hasEndpoint }: LiveManifest,
  urls: readonly { readonly deployment: string; readonly environment: string; readonly url: string }[],
): Endpoint | null {
  if (!hasEndpoint(request)) return null;
  const { name, deployment, environment } = findEndpoint(served, chains, { ...request });
  const found = urls.find((one) => one.deployment === name && one.environment === environment);
  if (!found) return null;
  // The emulator takes any key in production; this one is a word, not a secret.
  const key = environment === "production" ? { authorization: "Bearer emulator" } : {};
  return {
    url: found.url,
    method: "POST",
    headers: { "content-type": "application/json", ...key },
    secretHeaders: {},
    auth: null,
    limits: { dailyQueries: null },
    playground: null,
    explorer: null,
    deployment: name,
    chains: deployment.chains,
  };
}

/** What a question is, by aspect, in words for people: two exports of which all are equal have the same rows. */
export function identifyQuestion(
  { operation, variables, chains, styles }: Question,
  {
    block,
    source,
  }: {
    readonly block: BlockRef | undefined;
    /** Who is asked. */
    readonly source: string;
  },
): Readonly<Record<string, string>> {
  const { name, protocol, multichain, subgraph } = operation;
  const values = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    operation: `${name} of ${protocol}`,
    text: hash(`${multichain}\n${subgraph}`),
    variables: JSON.stringify(Object.fromEntries(values)),
    chains: chains.join(","),
    styles: styles.join(","),
    block: JSON.stringify(block ?? null),
    source,
  };
}
