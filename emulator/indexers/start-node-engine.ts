import { Agent, type IncomingMessage, request } from "node:http";
import { cached } from "../../src/base/collections.ts";
import { EmulatorError } from "../../src/base/errors.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { ChainDataset, Dataset } from "../dataset/dataset.ts";
import type { Row, RowStore } from "../styles/read-view.ts";
import { type OperatorSettings, ServerPanic } from "../styles/served-style.ts";
import type { Answer, Engine, Forwarded, Indexer, Post } from "./create-indexers.ts";
import { deploymentHash, type EmulatedDeployment, NODE_RELEASE } from "./emulated-deployment.ts";

export type GraphNodeLibrary = typeof import("lockflow-graph-node");

/** More blocks than a generated chain has; of a longer one, only the last are available by hash. */
const MOST_BLOCKS = 10_000;

/**
 * Starts a real graph-node for subgraphs, with the emulator's rows at startup. A subgraph is deployed on its first
 * request: most get none.
 *
 * @throws EmulatorError `EMULATOR_NO_ENGINE` when it does not start.
 */
export async function startNodeEngine(
  library: GraphNodeLibrary,
  deployments: readonly EmulatedDeployment[],
  datasetOf: (deployment: EmulatedDeployment) => Dataset,
): Promise<Engine> {
  const subgraphs = new Map(
    deployments.map((deployment) => [deployment, describe(deployment, datasetOf(deployment))]),
  );
  const chains = new Map([...subgraphs.values()].map(({ network, chain }) => [network, chain]));
  const node = await library
    .startGraphNode({
      chains: Array.from(chains, ([network, chain]) => ({ network, blocks: blocksOf(chain) })),
      deployments: [],
      settings: nodeSettings(deployments[0]?.settings ?? {}),
    })
    .catch((error: unknown) => {
      throw new EmulatorError({
        code: "EMULATOR_NO_ENGINE",
        sentence: "The engine graph-node did not start.",
        context: [error instanceof Error ? error.message : String(error)],
        cause: error,
      });
    });
  const agent = new Agent({ keepAlive: true });
  const indexers = new Map<EmulatedDeployment, Indexer>();
  let last: Promise<unknown> = Promise.resolve();

  function createIndexer(deployment: EmulatedDeployment): Indexer {
    const subgraph = subgraphs.get(deployment);
    if (subgraph === undefined) throw new TypeError(`${deployment.name} was not there at the start.`);
    const { network, chain, dataset } = subgraph;
    const id = deploymentHash(deployment.name);
    let deployed: Promise<void> | undefined;
    const deploy = () => {
      // One after the other: each keeps the database busy.
      deployed ??= last.then(() =>
        node.deploy({
          id,
          network,
          names: [`emulated/${id}`],
          entities: dataset.entities,
          startBlock: chain.startBlock,
          earliestBlock: chain.earliestBlock,
          head: chain.blockAt(chain.firstHead),
          errorBlock: null,
          searches: dataset.model.definitions.filter((definition) => definition.kind === "fulltext"),
          tables: readNodeTables(dataset.model, chain),
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
  // Protocols share a chain if its blocks are equal.
  const network = `${chainId}-${earliestBlock}-${chain.blockAt(firstHead).hash.slice(2, 18)}`;
  return { chain, dataset, network };
}

function* blocksOf({ earliestBlock, firstHead, blockAt }: ChainDataset) {
  for (let number = Math.max(earliestBlock, firstHead - MOST_BLOCKS); number <= firstHead; number++) {
    yield blockAt(number);
  }
}

/** The operator's settings as environment variables; the skip limit is that of the hosted service. */
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

function send(url: string, { search, type, body }: Post, agent: Agent): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, "content-length": Buffer.byteLength(body) };
    const sent = request(`${url}${search && `?${search}`}`, { method: "POST", agent, headers }, (reply) =>
      read(reply).then(resolve, reject),
    );
    // A node that panics closes the connection, and so must the emulator in front of it.
    sent.on("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ECONNRESET" ? new ServerPanic() : error),
    );
    sent.end(body);
  });
}

/** Headers of a single connection. */
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

/** The row versions of an entity, or of one interval of an aggregation. */
export type NodeTable = {
  readonly entity: string;
  readonly interval?: string;
  readonly versions: readonly Version[];
};

/** A row from one block until another; null without an end. */
type Version = { readonly row: Row; readonly from: number; to: number | null };

/**
 * Reads the rows of a chain at all readable blocks up to its first head, as versions. Immutable rows only have their
 * version at that head.
 */
export function readNodeTables({ definitions }: EntityModel, chain: ChainDataset): NodeTable[] {
  const blocks = [
    chain.earliestBlock,
    ...writtenBetween(chain.storeAt, chain.earliestBlock, chain.firstHead),
  ];
  const now = chain.blockAt(chain.firstHead).timestamp;
  return definitions.flatMap((definition) => {
    const { kind, name } = definition;
    if (kind !== "entity" && kind !== "aggregation") return [];
    const all = readVersions(name, blocks, chain.storeAt);
    const isOnce = kind === "aggregation" || definition.immutable;
    const versions = isOnce ? all.filter(({ to }) => to === null) : all;
    if (kind === "entity") return [{ entity: name, versions }];
    // Each interval of an aggregation is a table.
    const intervals = [...new Set(versions.map(({ row }) => String(row["interval"])))];
    return intervals.map((interval) => ({
      entity: name,
      interval,
      versions: versions.filter(({ row }) => row["interval"] === interval && !isFilling(row, interval, now)),
    }));
  });
}

/** Seconds. */
const LENGTHS: Readonly<Record<string, number>> = { hour: 3600, day: 86_400 };

/** Whether a bucket is incomplete: a node writes it when it ends. */
function isFilling(row: Row, interval: string, now: number): boolean {
  const start = Number(row["timestamp"]) / 1_000_000;
  return start <= now && now < start + (LENGTHS[interval] ?? 0);
}

type StoreAt = (block: number) => RowStore;

/**
 * The blocks after `from`, up to `to`, with writes. Bisects: without a write between two blocks, their store is the
 * same.
 */
function* writtenBetween(storeAt: StoreAt, from: number, to: number): Generator<number> {
  if (to <= from || storeAt(from) === storeAt(to)) return;
  if (to - from === 1) {
    yield to;
    return;
  }
  const middle = Math.floor((from + to) / 2);
  yield* writtenBetween(storeAt, from, middle);
  yield* writtenBetween(storeAt, middle, to);
}

function readVersions(entity: string, blocks: readonly number[], storeAt: StoreAt): Version[] {
  const versions: Version[] = [];
  let current = new Map<string, Version>();
  let rows: readonly Row[] = [];
  for (const block of blocks) {
    const store = storeAt(block);
    const rowsNow = store.rows(entity);
    if (rowsNow === rows) continue;
    rows = rowsNow;
    const next = new Map<string, Version>();
    for (const row of rows) {
      const id = String(row["id"]);
      const version = current.get(id);
      if (version?.row === row) {
        next.set(id, version);
        continue;
      }
      const changed: Version = { row, from: store.writtenAt(entity, id), to: null };
      versions.push(changed);
      next.set(id, changed);
    }
    for (const [id, version] of current) if (next.get(id) !== version) version.to = block;
    current = next;
  }
  return versions;
}
