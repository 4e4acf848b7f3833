import { once } from "../../src/base/collections.ts";
import type { Environment, StyleName } from "../../src/dialects/surface.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { loadProjectNow } from "../../src/project/load-project.ts";
import type { Project } from "../../src/project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { resolveShared } from "../../src/project/variables.ts";
import { type ApiKey, createQuota, resolveApiKeys } from "../adapters/adapter.ts";
import { adapters } from "../adapters/index.ts";
import type { FaultPlan } from "../faults/create-fault-plan.ts";
import type { Fault, FaultHandle } from "../faults/fault.ts";
import type { Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import { loadIndexers } from "../indexers/load-indexers.ts";
import { checkEngine, noNewBlocks } from "./check-engine.ts";
import { checkOptions } from "./check-options.ts";
import { startBlockClock } from "./create-block-clock.ts";
import { createRequestHandler } from "./create-request-handler.ts";
import { type EmulatedTarget, type EndpointQuestion, findEndpoint } from "./find-endpoint.ts";
import { holdClosedPort, listen } from "./listen.ts";
import { ANY_KEY, directProject, manifestVariables } from "./manifest-variables.ts";
import { type DeploymentOptions, resolveDeployments } from "./resolve-deployments.ts";

/** The address, the generated data, the accepted keys, the limits and the faults of an emulator. */
export type EmulatorOptions = DeploymentOptions & {
  /** The port to listen on; 0 for a free one. @default 0 */
  readonly port?: number | undefined;
  /** The emulator listens on the loopback interface only. @default "127.0.0.1" */
  readonly host?: "127.0.0.1" | undefined;
  /** The seed of all generated data. The same seed gives the same answers, byte for byte. @default "lockflow" */
  readonly seed?: string | undefined;
  /** Streams per protocol and chain, or rows of a large custom entity. @default 180 to 320, chosen by the seed */
  readonly streams?: number | undefined;
  /**
   * The time of each chain's head at the start: `"now"`, or a time such as `"2026-01-31T12:00:00Z"`.
   *
   * @default a time in August 2025, chosen by the seed
   */
  readonly asOf?: string | undefined;
  /** The keys that production URLs of subgraphs accept, with optional restrictions. @default any */
  readonly apiKeys?: readonly (string | ApiKey)[] | undefined;
  /** The keys that multichain URLs require, as the hosted service does if its owner enables it. @default none */
  readonly multichainKeys?: readonly string[] | undefined;
  /** The queries that each testing URL answers per UTC day; it refuses later ones. @default 3000 */
  readonly dailyQueries?: number | undefined;
  /** Whether chains grow with the clock; otherwise only `advance` adds blocks. @default false */
  readonly live?: boolean | undefined;
  /** The clock of `dailyQueries` and `live`, in milliseconds since the epoch. @default the machine's */
  readonly now?: (() => number) | undefined;
  /** The folder of the project whose `lockflow-graph-node` is the engine. @default where Lockflow is installed */
  readonly root?: string | undefined;
  /** The faults that are active from the start. @default [] */
  readonly faults?: readonly Fault[] | undefined;
};

/** A running emulator. `await using` closes it. */
export type Emulator = AsyncDisposable & {
  /** The base URL, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  /** The port, also if a free one was chosen. */
  readonly port: number;
  /** All URLs that it serves. */
  readonly endpoints: readonly EmulatorEndpoint[];
  /**
   * Returns the environment variables that direct the generated manifest and Lockflow's commands to this emulator:
   * `endpoint(request, emulator.env())`. They have the names of the configuration in `cwd`, or above it, and include an
   * accepted key, if keys are required. Hosts that the configuration writes out are not replaced.
   *
   * @param options the folder of the project. @default the current folder
   * @throws ConfigError for a configuration with errors, or one that has to be awaited.
   */
  readonly env: (options?: { readonly cwd?: string | undefined }) => Readonly<Record<string, string>>;
  /**
   * Returns the endpoint of a deployment here; null if it is not served. It is the option `endpoint` of a generated client:
   * `createClient({ endpoint: emulator.endpoint })`.
   */
  readonly endpoint: (request: EndpointQuestion) => EmulatedTarget | null;
  /** Returns the POST requests per endpoint so far, refused ones included. Endpoints without requests are left out. */
  readonly requests: () => readonly EmulatorRequestCount[];
  /**
   * Adds blocks to every chain, or to the chain with this id.
   *
   * @throws RangeError if the count is not a whole number from 0.
   */
  readonly advance: (blocks: number, chainId?: number) => void;
  /**
   * Sets a fault, which stays active until it is lifted.
   *
   * @throws EmulatorError `EMULATOR_INVALID_FAULT`
   * @example
   * ```ts
   * import { startEmulator } from "lockflow/emulator";
   *
   * await using emulator = await startEmulator();
   * using limit = await emulator.fault({ kind: "429", retryAfter: 30, deployment: "linea", next: 3 });
   * ```
   */
  readonly fault: (fault: Fault) => Promise<FaultHandle>;
  /** Lifts every fault, except refused connections. */
  readonly clearFaults: () => void;
  /** Stops listening and drops every connection. Further calls have no effect. */
  readonly close: () => Promise<void>;
};

/** One URL that a running emulator serves. */
export type EmulatorEndpoint = {
  /** The deployment's name. */
  readonly deployment: string;
  /** The dialect of its answers. */
  readonly style: StyleName;
  /** A multichain deployment has `production` only. */
  readonly environment: Environment;
  /** Where to send GraphQL requests, by POST. */
  readonly url: string;
};

/** The requests of an endpoint. */
export type EmulatorRequestCount = {
  /** The deployment's name. */
  readonly deployment: string;
  /** The environment of the URL. */
  readonly environment: Environment;
  /** POST requests since the start, refused ones included. */
  readonly count: number;
};

const DEFAULT_SEED = "lockflow";
const DEFAULT_DAILY_QUERIES = 3000;
const HOST = "127.0.0.1";

/**
 * Starts the emulator: a server on the loopback interface that answers in both styles like the real platforms, with
 * generated rows. It is ready in a few milliseconds; schemas and rows are created by the first query.
 *
 * @param options the address, the deployments and the faults.
 * @returns the running emulator; `await using` or `close` stops it.
 * @throws EmulatorError `EMULATOR_PORT_IN_USE`, or `EMULATOR_CANNOT_LISTEN` for any other network error; and
 *   `EMULATOR_BAD_OPTION`, `EMULATOR_BAD_INDEXER`, `EMULATOR_ROWS_INVALID`, `EMULATOR_INVALID_FAULT`, `EMULATOR_UNKNOWN_DEPLOYMENT` or
 *   `EMULATOR_UNKNOWN_RELEASE` for invalid options.
 * @throws SchemaError for entities that their platform refuses.
 * @example
 * ```ts
 * import { startEmulator } from "lockflow/emulator";
 *
 * await using emulator = await startEmulator();
 * const response = await fetch(`${emulator.url}/testing/protocol-lockup-sepolia`, {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({ query: "{ streams(first: 5) { id } }" }),
 * });
 * console.log(await response.json());
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { variablesOf, ...emulator } = await startServer(options);
  return { ...emulator, env: ({ cwd = "." } = {}) => variablesOf(loadProjectNow(cwd)) };
}

/** A running emulator whose variables are those of a project. */
type EmulatorServer = Omit<Emulator, "env"> & {
  readonly variablesOf: (project: Project) => Readonly<Record<string, string>>;
};

/** Starts the emulator without a project. */
export async function startServer(options: EmulatorOptions): Promise<EmulatorServer> {
  checkOptions(options);
  const host = options.host ?? HOST;
  const seed = options.seed ?? DEFAULT_SEED;
  const now = options.now ?? Date.now;
  const rows = { seed, streams: options.streams ?? null, asOf: parseAsOf(options.asOf, now) };
  const { deployments, datasets, protocols } = await resolveDeployments(options, rows);
  const endpoints = deployments.flatMap((deployment) =>
    deployment.environments.map((environment): EmulatedEndpoint => {
      const path = adapters[deployment.style].pathOf(deployment, environment);
      return { deployment, environment, path };
    }),
  );
  const library =
    options.engine === "graph-node"
      ? await (await import("../indexers/load-graph-node.ts")).loadGraphNode(options.root ?? null)
      : null;
  const engine = library && { library, deployments: checkEngine(deployments, options.live ?? false) };
  const counts = new Map<EmulatedEndpoint, number>();
  const clock = await startBlockClock(seed, options.live ?? false, now);
  const { newBlocks } = clock;
  let loaded: Promise<Indexers> | undefined;
  const indexers = () => {
    loaded ??= loadIndexers({ rows, newBlocks, datasets, protocols, engine });
    return loaded;
  };
  const chains = options.chains ?? CHAINS;
  const isFixed = (deployment: EmulatedDeployment) => engine?.deployments.includes(deployment) ?? false;
  let faults: FaultPlan | undefined;
  /** Loads the code of faults with the first one. */
  const faultPlan = once(async () => {
    const { createFaultPlan } = await import("../faults/create-fault-plan.ts");
    faults = createFaultPlan({ endpoints, chains, seed, newBlocks, indexers, isFixed });
    return faults;
  });
  const closers = [async () => (await loaded?.catch(() => null))?.close()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const giveUp = async (error: unknown) => {
    await close();
    throw error;
  };
  const first = options.faults ?? [];
  const refused: ReadonlySet<EmulatedEndpoint> =
    first.length === 0 ? new Set() : await (await faultPlan()).setFirst(first).catch(giveUp);
  const aliases = new Map<string, EmulatedEndpoint>();
  const quota = createQuota(options.dailyQueries ?? DEFAULT_DAILY_QUERIES, now);
  const handler = createRequestHandler({
    endpoints,
    aliases,
    indexers,
    // Custom indexers have no limit.
    quota: { ...quota, take: (name) => (datasets.has(name) ? null : quota.take(name)) },
    keys: resolveApiKeys(options.apiKeys, options.multichainKeys),
    count: (endpoint) => {
      const count = (counts.get(endpoint) ?? 0) + 1;
      counts.set(endpoint, count);
      return count;
    },
    inject: (endpoint, number) => faults?.inject(endpoint, number) ?? null,
  });
  const { port, close: stop } = await listen(handler, options.port ?? 0, host).catch(giveUp);
  closers.push(stop);
  // A real node is ready before the first request.
  if (engine !== null) await indexers().catch(giveUp);
  const url = `http://${host}:${port}`;
  const closed = refused.size > 0 ? await holdClosedPort(host) : null;
  closers.push(async () => closed?.release());
  const urls = endpoints.map((endpoint) => ({
    ...endpoint,
    url: `${closed && refused.has(endpoint) ? `http://${host}:${closed.port}` : url}${endpoint.path}`,
  }));
  const [apiKey = ANY_KEY] = options.apiKeys ?? [];
  const keys = {
    subgraph: typeof apiKey === "object" ? apiKey.key : apiKey,
    multichain: options.multichainKeys?.[0] ?? ANY_KEY,
  };
  const protocolKeys = [...new Set([...BUILT_IN_PROTOCOLS, ...protocols.keys()])];
  return {
    url,
    port,
    endpoints: urls.map(({ deployment, environment, url }) => ({
      deployment: deployment.name,
      style: deployment.style,
      environment,
      url,
    })),
    endpoint: (request) => findEndpoint(urls, { chains, keys }, request),
    variablesOf: (project) => {
      const key = keys.subgraph;
      const others = protocolKeys.filter((protocol) => !project.protocols.includes(protocol));
      const ofOthers = urls.filter(({ deployment }) => others.includes(deployment.protocol ?? ""));
      const { variables, paths } = directProject(project, urls, key);
      for (const [path, endpoint] of paths) aliases.set(path, endpoint);
      return { ...manifestVariables(resolveShared({}, "protocol", others), ofOthers, { key }), ...variables };
    },
    requests: () =>
      endpoints.flatMap((endpoint) => {
        const count = counts.get(endpoint);
        const { deployment, environment } = endpoint;
        return count === undefined ? [] : [{ deployment: deployment.name, environment, count }];
      }),
    advance: engine === null ? clock.advance : noNewBlocks,
    fault: async (fault) => (await faultPlan()).set(fault),
    clearFaults: () => faults?.clear(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the time in Unix seconds; null for the time that the seed chooses. */
function parseAsOf(asOf: string | undefined, now: () => number): number | null {
  if (asOf === undefined) return null;
  return Math.floor((asOf === "now" ? now() : Date.parse(asOf)) / 1000);
}
