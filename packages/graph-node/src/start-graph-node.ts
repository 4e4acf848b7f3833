import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createRuntime, findPackage, type Runtime } from "./create-runtime.ts";
import { deploy, deployEntities, type NodeDeployment, writeHead } from "./deploy.ts";
import { findFreePort } from "./find-free-port.ts";
import { MAPPING, renderManifest } from "./render-manifest.ts";
import { type NodeBlock, serveChain } from "./serve-chain.ts";
import { type Postgres, type PostgresClient, startPostgres } from "./start-postgres.ts";
import { untilReady } from "./until-ready.ts";
import { type NodeChain, writeChains } from "./write-chains.ts";

/** The subgraphs to serve, and the settings of the node. */
export type GraphNodeOptions = {
  readonly chains: Iterable<NodeChain>;
  readonly deployments: Iterable<NodeDeployment>;
  /** Environment variables of the node: `{ GRAPH_GRAPHQL_MAX_SKIP: "5000" }`. @default {} */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A graph-node of this process. */
export type GraphNode = {
  /** The URL of queries: `http://127.0.0.1:…`, followed by `/subgraphs/name/…` or `/subgraphs/id/…`. */
  readonly url: string;
  /** The running release. */
  readonly release: "0.45";
  /** Its PostgreSQL. */
  readonly postgres: Postgres;
  /** A connection to the node's database, in which each deployment has a schema `sgdN`. */
  readonly client: PostgresClient;
  /**
   * Deploys another subgraph with its rows, on one of the chains. It takes a tenth of a second.
   *
   * @throws Error with the node's message if it refuses.
   */
  readonly deploy: (deployment: NodeDeployment) => Promise<void>;
  /** Deploys entities without rows. Returns their URL, or the node's message if it refuses them. */
  readonly tryEntities: (
    entities: string,
  ) => Promise<{ readonly path: string; readonly refusal: string | null }>;
  /** Ends all programs and removes the files. */
  readonly close: () => Promise<void>;
};

/** The database of the node's tables. */
const DATABASE = "graph";

/** The first network of all deployments, on which no block is added. */
const IDLE_NETWORK = "idle";

/** The most concurrent deployments: the node waits for the database. */
const AT_ONCE = 4;

/** More blocks than a node checks for reorganizations. */
const IDLE_HEAD = 1000;

/**
 * Starts a graph-node 0.45 with a PostgreSQL 16. It indexes no events: rows are written into the node's own tables, and
 * blocks into its block store. It ends with this process, even if that is killed.
 *
 * The node listens on all interfaces, which cannot be configured, on free ports.
 *
 * @throws Error if the programs cannot run here, are not installed, do not start, or refuse a deployment.
 */
export async function startGraphNode(options: GraphNodeOptions): Promise<GraphNode> {
  const postgres = await startPostgres({
    settings: { shared_preload_libraries: "pg_stat_statements", max_connections: "200" },
  });
  const chain = await serveChain(() => IDLE_HEAD, idleBlock);
  let runtime: Runtime | null = null;
  const close = async () => {
    await runtime?.close();
    chain.close();
    await postgres.close();
  };
  try {
    runtime = await createRuntime();
    await postgres.query(`CREATE DATABASE ${DATABASE}`);
    const client = postgres.connect(DATABASE);
    writeOwnFiles(runtime.folder);
    const path = join(await findPackage(PACKAGE, PROGRAM, runtime), PROGRAM);
    const urls = { database: postgres.url.replace(/\/postgres$/, `/${DATABASE}`), chain: chain.url };
    const program = { path, env: { ...SETTINGS, ...options.settings } };
    const { folder } = runtime;
    const { admin } = await launch(runtime, program, urls);
    const target = { folder, admin, client, network: IDLE_NETWORK, startBlock: IDLE_HEAD + 1 };
    await writeChains(client, options.chains);
    const waiting = [...options.deployments];
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await deploy(target, next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // A second node answers: a node reads the networks when it starts, and caches its own deployments.
    const { url } = await launch(runtime, program, urls);
    let tried = 0;
    const tryEntities = async (entities: string) => {
      tried += 1;
      const id = `QmTried${tried}`;
      const refusal = await deployEntities(target, { id, names: [`tried/t${tried}`], entities });
      if (refusal === null) await writeHead(client, id, idleBlock(IDLE_HEAD));
      return { path: `/subgraphs/id/${id}`, refusal };
    };
    return {
      url,
      release: "0.45",
      postgres,
      client,
      tryEntities,
      close,
      deploy: (deployment) => deploy(target, deployment),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function idleBlock(number: number): NodeBlock {
  const timestamp = 1_600_000_000 + number;
  return { number, hash: idleHash(number), parentHash: idleHash(number - 1), timestamp };
}

function idleHash(number: number): string {
  return `0x${(number + 1).toString(16).padStart(64, "0")}`;
}

/** Writes the files of all deployments, and one that the node deploys itself: it reads a folder `build`. */
function writeOwnFiles(folder: string): void {
  writeFileSync(join(folder, "mapping.wasm"), MAPPING);
  writeFileSync(join(folder, "abi.json"), "[]");
  const entitiesFile = "placeholder.graphql";
  writeFileSync(join(folder, entitiesFile), "type Placeholder @entity(immutable: true) {\n  id: ID!\n}\n");
  const manifest = { folder, network: IDLE_NETWORK, entitiesFile, startBlock: IDLE_HEAD + 1 };
  mkdirSync(join(folder, "build"));
  for (const place of ["", "build"]) {
    writeFileSync(join(folder, place, OWN_MANIFEST), renderManifest({ ...manifest, hasFulltext: false }));
  }
}

/** A running node: the URLs of its queries and of its administration. */
type Launched = { readonly url: string; readonly admin: string };

async function launch(
  runtime: Runtime,
  program: { readonly path: string; readonly env: Readonly<Record<string, string>> },
  urls: { readonly database: string; readonly chain: string },
): Promise<Launched> {
  const launched = await untilReady(async (signal) => {
    const ports = await Promise.all([0, 1, 2, 3].map(findFreePort));
    const flags = {
      manifests: OWN_MANIFEST,
      "postgres-url": urls.database,
      ipfs: `${urls.chain}ipfs`,
      "ethereum-rpc": `${IDLE_NETWORK}:${urls.chain}`,
      "http-port": ports[0],
      "admin-port": ports[1],
      "index-node-port": ports[2],
      "metrics-port": ports[3],
    };
    const args = ["dev", ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`])];
    const child = runtime.start({ ...program, args }, signal.heard);
    signal.watch(child, "graph-node", /Starting metrics server at/);
    return { url: `http://127.0.0.1:${ports[0]}`, admin: `http://127.0.0.1:${ports[1]}` };
  });
  // It prints this before it listens.
  await Promise.all([launched.url, launched.admin].map(untilAnswered));
  return launched;
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await setTimeout(50);
    }
  }
}

const PACKAGE = "@graphprotocol/gnd-linux-x64";
const PROGRAM = "bin/gnd";
const OWN_MANIFEST = "subgraph.yaml";

/** Settings for a quick start, and for full text searches. */
const SETTINGS = {
  GRAPH_ALLOW_NON_DETERMINISTIC_FULLTEXT_SEARCH: "true",
  ETHEREUM_POLLING_INTERVAL: "600000",
};
