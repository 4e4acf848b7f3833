import { Agent, type IncomingMessage, request } from "node:http";
import { cached } from "../../src/base/collections.ts";
import { EmulatorError } from "../../src/base/errors.ts";
import type { ChainDataset, Dataset } from "../dataset/dataset.ts";
import { readEntityNotes } from "../dataset/seeded/read-entity-notes.ts";
import type { OperatorSettings } from "../styles/served-style.ts";
import { ServerPanic } from "../styles/server-panic.ts";
import type { Answer, Engine, Forwarded, Indexer, Post } from "./create-indexers.ts";
import type { EmulatedDeployment } from "./emulated-deployment.ts";
import { NODE_RELEASE } from "./node-release.ts";
import { deploymentHash } from "./platform-ids.ts";
import { readNodeTables } from "./read-node-tables.ts";

/** The package that brings a real graph-node. */
export type GraphNodeLibrary = typeof import("lockflow-graph-node");

/** More blocks than a chain of made-up rows has; of longer ones, the last can be asked for by their hash. */
const MOST_BLOCKS = 10_000;

/**
 * Starts a real graph-node for subgraphs, with the rows that the emulator has of them when it starts. One is deployed
 * when it is first asked: most are never asked.
 *
 * @throws EmulatorError `EMULATOR_NO_ENGINE` when it does not start.
 */
export async function startNodeEngine(
  library: GraphNodeLibrary,
  deployments: readonly EmulatedDeployment[],
  datasetOf: (deployment: EmulatedDeployment) => Dataset,
): Promise<Engine> {
  const subgraphs = new Map(deployments.map((one) => [one, describe(one, datasetOf(one))]));
  const chains = new Map([...subgraphs.values()].map(({ network, chain }) => [network, chain]));
  const node = await library
    .startGraphNode({
      chains: Array.from(chains, ([network, chain]) => ({ network, blocks: blocksOf(chain) })),
      deployments: [],
      settings: nodeSettings(deployments[0]?.settings ?? {}),
    })
    .catch((error: unknown) => {
      throw notStarted(error);
    });
  const agent = new Agent({ keepAlive: true });
  const indexers = new Map<EmulatedDeployment, Indexer>();
  let last: Promise<unknown> = Promise.resolve();

  function createIndexer(deployment: EmulatedDeployment): Indexer {
    const subgraph = subgraphs.get(deployment);
    if (subgraph === undefined) throw new TypeError(`${deployment.name} was not there at the start.`);
    const { network, chain, dataset } = subgraph;
    const id = deploymentHash(deployment.name);
    const notes = readEntityNotes(dataset.entities, dataset.name);
    let deployed: Promise<void> | undefined;
    const deploy = () => {
      // One after the other: each keeps the database busy.
      deployed ??= last.then(() =>
        node.deploy({
          ...{ id, network, names: [`emulated/${id}`], entities: dataset.entities },
          ...{ startBlock: chain.startBlock, earliestBlock: chain.earliestBlock },
          ...{ head: chain.blockAt(chain.firstHead), errorBlock: null },
          searches: dataset.model.definitions.filter((one) => one.kind === "fulltext"),
          tables: readNodeTables(dataset.model, (entity) => notes.immutable.has(entity), chain),
        }),
      );
      last = deployed.catch(() => {});
      return deployed;
    };
    const forward = async (post: Post) => {
      await deploy();
      return send(`${node.url}/subgraphs/id/${id}`, post, agent);
    };
    return {
      forward,
      answer: async ({ query, variables, body = JSON.stringify({ query, variables }) }) =>
        readAnswer(await forward({ search: "", type: "application/json", body })),
      head: () => chain.blockAt(chain.firstHead),
      startBlock: chain.startBlock,
      release: NODE_RELEASE,
    };
  }

  return {
    indexerOf: (deployment) => cached(indexers, deployment, createIndexer),
    close: async () => {
      agent.destroy();
      await node.close();
    },
  };
}

function describe({ chainIds }: EmulatedDeployment, dataset: Dataset) {
  const chain = dataset.chain(chainIds[0] ?? 0);
  const { chainId, earliestBlock, firstHead } = chain;
  // Protocols share a chain whose blocks are the same.
  const network = `${chainId}-${earliestBlock}-${chain.blockAt(firstHead).hash.slice(2, 18)}`;
  return { chain, dataset, network };
}

function* blocksOf({ earliestBlock, firstHead, blockAt }: ChainDataset) {
  for (let number = Math.max(earliestBlock, firstHead - MOST_BLOCKS); number <= firstHead; number++) {
    yield blockAt(number);
  }
}

/** What operators set, as the node is told; the limit of what may be skipped is the hosted service's. */
function nodeSettings(settings: OperatorSettings): Record<string, string> {
  const { boolFilters = true, childSorting = true, strictValidation = false, maxComplexity } = settings;
  return {
    GRAPH_GRAPHQL_MAX_SKIP: "5000",
    ENABLE_GRAPHQL_VALIDATIONS: String(strictValidation),
    GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS: String(!boolFilters),
    GRAPH_GRAPHQL_DISABLE_CHILD_SORTING: String(!childSorting),
    ...(typeof maxComplexity === "number" && { GRAPH_GRAPHQL_MAX_COMPLEXITY: String(maxComplexity) }),
  };
}

function notStarted(error: unknown): EmulatorError {
  return new EmulatorError({
    code: "EMULATOR_NO_ENGINE",
    sentence: "The engine graph-node did not start.",
    context: [error instanceof Error ? error.message : String(error)],
    cause: error,
  });
}

function send(url: string, { search, type, body }: Post, agent: Agent): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, "content-length": Buffer.byteLength(body) };
    const sent = request(`${url}${search && `?${search}`}`, { method: "POST", agent, headers }, (reply) =>
      read(reply).then(resolve, reject),
    );
    // A node that panics closes the connection, and so does whoever is in front of it.
    sent.on("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ECONNRESET" ? new ServerPanic() : error),
    );
    sent.end(body);
  });
}

/** Headers that are of one connection. */
const HOP: readonly string[] = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

async function read(reply: IncomingMessage): Promise<Forwarded> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  const headers = Object.entries(reply.headersDistinct).filter(([name]) => !HOP.includes(name));
  return {
    status: reply.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

function readAnswer({ status, body }: Forwarded): Answer {
  if (status !== 200) throw new ServerPanic();
  const result = JSON.parse(body.toString()) as Partial<Record<string, unknown>>;
  const errors = Array.isArray(result["errors"]) ? result["errors"] : [];
  return { body, hasData: "data" in result, hasErrors: "errors" in result, errors };
}
