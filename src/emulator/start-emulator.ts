import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { EmulatorError } from "../errors/emulator-error.ts";
import type { Environment, StyleName } from "../model/vocabulary.ts";
import type { Indexers } from "./create-indexers.ts";
import { createQuota } from "./create-quota.ts";
import { defaultDeployments } from "./default-deployments.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "./emulated-deployment.ts";
import type { Exchange, Front, Reply } from "./fronts/front.ts";
import { fronts } from "./fronts/index.ts";
import { readBody } from "./read-body.ts";

export type EmulatorOptions = {
  /** The port to listen on; 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** The emulator listens on the loopback interface only. */
  readonly host?: "127.0.0.1" | undefined;
  /** What all rows are made from. The same seed gives the same answers, to the byte. */
  readonly seed?: string | undefined;
  /** What to serve; by default all deployments of the registry's chains. */
  readonly deployments?: readonly EmulatedDeployment[] | undefined;
  /** Streams per protocol and chain; by default the seed decides, from 180 to 320. */
  readonly streams?: number | undefined;
  /** The keys production URLs accept; by default any. */
  readonly apiKeys?: readonly string[] | undefined;
  /** How many queries a day each testing URL answers: 3000 by default. */
  readonly dailyQueries?: number | undefined;
  /** The clock of that limit, in milliseconds since the epoch. Nothing else looks at the time. */
  readonly now?: (() => number) | undefined;
};

/** A running emulator. `await using` closes it. */
export type Emulator = AsyncDisposable & {
  /** Where it listens, without a path: `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly port: number;
  /** Every URL it serves. */
  readonly endpoints: readonly EmulatorEndpoint[];
  /** How many POST requests each endpoint got so far, refused ones included; only of those that got any. */
  readonly requests: () => readonly EmulatorRequestCount[];
  /** Stops listening and drops every connection. Closing twice is fine. */
  readonly close: () => Promise<void>;
};

export type EmulatorEndpoint = {
  /** The deployment's name. */
  readonly deployment: string;
  readonly style: StyleName;
  readonly environment: Environment;
  readonly url: string;
};

export type EmulatorRequestCount = {
  readonly deployment: string;
  readonly environment: Environment;
  readonly count: number;
};

const DEFAULT_SEED = "lockflow";
const DEFAULT_DAILY_QUERIES = 3000;
const HOST = "127.0.0.1";

/**
 * Starts the emulator: a server on the loopback interface that speaks both styles as the real platforms do,
 * over made-up rows. It is ready in a few milliseconds; schemas and rows are made when they are first asked for.
 *
 * @throws EmulatorError `EMULATOR_PORT_IN_USE`, or `EMULATOR_CANNOT_LISTEN` for any other reason.
 * @example
 * await using emulator = await startEmulator();
 * await fetch(`${emulator.url}/testing/protocol-lockup-sepolia`, { method: "POST", … });
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const deployments = options.deployments ?? defaultDeployments();
  const quota = createQuota(options.dailyQueries ?? DEFAULT_DAILY_QUERIES, options.now ?? Date.now);
  const apiKeys = options.apiKeys ?? null;
  const endpoints = deployments.flatMap((deployment) =>
    deployment.environments.map((environment): EmulatedEndpoint => {
      const path = fronts[deployment.style].pathOf(deployment, environment);
      return { deployment, environment, path };
    }),
  );
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const counts = new Map<EmulatedEndpoint, number>();

  let indexers: Promise<Indexers> | undefined;
  const indexerOf: Exchange["indexerOf"] = async (deployment) => {
    // Loaded late: the styles are what takes time to load, and a start should not.
    indexers ??= loadIndexers(options.seed ?? DEFAULT_SEED, options.streams ?? null);
    return (await indexers).of(deployment);
  };

  const server = createServer((request, response) => {
    answer(request)
      .catch(internalError)
      .then((reply) => send(request, response, reply));
  });

  async function answer(request: IncomingMessage): Promise<Reply> {
    const method = request.method ?? "GET";
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const endpoint = byPath.get(path) ?? null;
    if (endpoint && method === "POST") counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
    const body = await readBody(request);
    if (body === null) return PAYLOAD_TOO_LARGE;
    const { headers } = request;
    const front = frontOf(Object.values(fronts), path);
    return front.reply({ method, path, headers, body, endpoint, indexerOf, quota, apiKeys });
  }

  await listen(server, options.port ?? 0, options.host ?? HOST);
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host ?? HOST}:${port}`;
  const close = () => closeServer(server);
  return {
    url,
    port,
    endpoints: endpoints.map(({ deployment: { name, style }, environment, path }) => ({
      deployment: name,
      style,
      environment,
      url: `${url}${path}`,
    })),
    requests: () =>
      endpoints.flatMap((endpoint) => {
        const count = counts.get(endpoint);
        const { deployment, environment } = endpoint;
        return count === undefined ? [] : [{ deployment: deployment.name, environment, count }];
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function loadIndexers(seed: string, streams: number | null): Promise<Indexers> {
  const [{ createIndexers }, { createProtocolContents }] = await Promise.all([
    import("./create-indexers.ts"),
    import("./protocol-content.ts"),
  ]);
  const contents = createProtocolContents(seed, streams);
  return createIndexers({
    contentOf: ({ protocol, style }) => contents(protocol, style),
    growth: () => 0,
  });
}

const PAYLOAD_TOO_LARGE: Reply = {
  status: 413,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ error: "The request body is larger than 2 MB." }),
};

/** The last front owns every path, so there always is one. */
function frontOf(fronts: readonly Front[], path: string): Front {
  const front = fronts.find((candidate) => candidate.owns(path));
  if (front === undefined) throw new TypeError(`No front owns the path ${path}.`);
  return front;
}

/** A bug of the emulator: told to the client, since the server has nobody else to tell. */
function internalError(error: unknown): Reply {
  const body = `Internal server error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(request.method === "HEAD" ? undefined : body);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): EmulatorError {
  if (error.code === "EADDRINUSE") {
    return new EmulatorError({
      code: "EMULATOR_PORT_IN_USE",
      sentence: `Port ${port} of ${host} is in use, so the emulator cannot listen there.`,
      hint: "Choose another port, or 0 for any free one.",
      cause: error,
    });
  }
  return new EmulatorError({
    code: "EMULATOR_CANNOT_LISTEN",
    sentence: `The emulator cannot listen on port ${port} of ${host}.`,
    context: [error.message],
    cause: error,
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // It only ever fails because the server is closed already.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
