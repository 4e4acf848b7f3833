import { Agent, request } from "node:http";
import { createCustomChain } from "../../emulator/custom/custom-chain.ts";
import type { OwnBlock } from "../../emulator/custom/custom-indexer.ts";
import { parseRows } from "../../emulator/custom/parse-rows.ts";
import { deploymentHash } from "../../emulator/indexers/emulated-deployment.ts";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { servedStyles } from "../../emulator/styles/index.ts";
import type { Row, RowValue } from "../../emulator/styles/read-view.ts";
import type { OperatorSettings } from "../../emulator/styles/served-style.ts";
import {
  type GraphNode,
  type NodeBlock,
  type NodeTable,
  type NodeVersion,
  type PostgresRow,
  startGraphNode,
} from "../../packages/graph-node/src/index.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { FIRST_BLOCK, LAST_BLOCK } from "./build-rows.ts";

/** An indexer that both sides serve. */
export type BothIndexer = {
  readonly name: string;
  readonly entities: string;
  readonly model: EntityModel;
  readonly rows: readonly OwnBlock[];
  /** Entities whose rows only the emulator is given, because the node computes them. @default none */
  readonly computed?: ReadonlySet<string>;
};

/** A response of a server, with its unchanged headers. */
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
};

/** A request to send to both, with the path and query of its URL. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Both sides with the same rows. */
export type Both = {
  /** The responses of the node and the emulator; null if the connection was closed instead. */
  readonly ask: (asked: Asked) => Promise<readonly [node: Reply | null, emulator: Reply | null]>;
  readonly pathOf: (indexer: BothIndexer) => string;
  readonly blockAt: (number: number) => NodeBlock;
  /** Deploys entities to the node; returns their path, or the node's message if it rejects them. */
  readonly tryEntities: GraphNode["tryEntities"];
  /** Queries the node's database; the tables of an indexer are in the schema of this name. */
  readonly query: (sql: string, values?: readonly string[]) => Promise<readonly PostgresRow[]>;
  readonly tablesOf: (indexer: BothIndexer) => Promise<string>;
  /** Serves other rows of an indexer on both sides for the duration of one query. */
  readonly askOf: (indexer: BothIndexer, write: (path: string) => Asked) => ReturnType<Both["ask"]>;
  /** Sends a request to the node only. */
  readonly askNode: (asked: Asked) => Promise<Reply | null>;
  readonly close: () => Promise<void>;
};

/** The release of the node. */
export const RELEASE = "graph-node-0.45";

/** Environment variables of the node, and the emulator's names for them. */
export type BothSettings = {
  readonly node: Readonly<Record<string, string>>;
  readonly emulator: OperatorSettings;
};

/** The settings of the platform's default, and of a node that validates queries as the specification says. */
export const DEFAULT: BothSettings = { node: {}, emulator: {} };
export const STRICT: BothSettings = {
  node: { ENABLE_GRAPHQL_VALIDATIONS: "true", SILENT_GRAPHQL_VALIDATIONS: "false" },
  emulator: { strictValidation: true },
};

/** A limit of hosted nodes, which the emulator always has. */
const HOSTED = { GRAPH_GRAPHQL_MAX_SKIP: "5000" };

/** Returns a request for the answer to a query. */
export function post(path: string, request: { readonly query: string; readonly variables?: unknown }): Asked {
  const headers = { "content-type": "application/json" };
  return { method: "POST", path, headers, body: JSON.stringify(request) };
}

/** Starts both sides. */
export async function serveBoth(
  indexers: readonly BothIndexer[],
  settings: BothSettings = DEFAULT,
): Promise<Both> {
  const chains = indexers.map(({ rows, model, name }) =>
    createCustomChain(1, parseRows(rows, { model, style: servedStyles.subgraph, place: name })),
  );
  const blockAt = (number: number): NodeBlock => {
    const [chain] = chains;
    if (!chain) throw new Error("There is no indexer.");
    return chain.blockAt(number);
  };
  const emulate = (some: readonly BothIndexer[]) =>
    startEmulator({
      indexers: some.map(({ name, entities, rows }) => ({
        style: "subgraph",
        name,
        entities,
        rows,
        release: RELEASE,
        settings: settings.emulator,
      })),
    });
  const emulator = await emulate(indexers);
  const length = LAST_BLOCK - FIRST_BLOCK + 1;
  const blocks = Array.from({ length }, (_, index) => blockAt(FIRST_BLOCK + index));
  const node = await startGraphNode({
    chains: [{ network: "mainnet", blocks }],
    deployments: indexers.map((indexer) => describeTo(indexer, blockAt)),
    settings: { ...HOSTED, ...settings.node },
  }).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  const agent = new Agent({ keepAlive: true });
  const askAt = (url: string, asked: Asked) =>
    Promise.all([send(node.url, asked, agent), send(url, asked, agent)]);
  const pathOf = ({ name }: BothIndexer) => `/subgraphs/name/${name}`;
  let others = 0;
  return {
    ask: (asked) => askAt(emulator.url, asked),
    pathOf,
    askOf: async (indexer, write) => {
      others += 1;
      const other = { ...indexer, name: `${indexer.name}-${others}` };
      const own = await emulate([other]);
      try {
        await node.deploy(describeTo(other, blockAt));
        return await askAt(own.url, write(pathOf(other)));
      } finally {
        await own.close();
      }
    },
    blockAt,
    tryEntities: node.tryEntities,
    query: (sql, values = []) => node.client.query(sql, values),
    tablesOf: async ({ name }) => {
      const sql = "SELECT name FROM public.deployment_schemas WHERE subgraph = $1";
      const [row] = await node.client.query(sql, [deploymentHash(name)]);
      return row?.["name"] ?? "";
    },
    askNode: (asked) => send(node.url, asked, agent),
    close: async () => {
      agent.destroy();
      await emulator.close();
      await node.close();
    },
  };
}

/** The options for deploying an indexer to a node. */
function describeTo({ name, entities, model, rows, computed }: BothIndexer, blockAt: Both["blockAt"]) {
  return {
    id: deploymentHash(name),
    names: [name],
    network: "mainnet",
    entities,
    errorBlock: null,
    startBlock: FIRST_BLOCK,
    earliestBlock: FIRST_BLOCK,
    head: blockAt(LAST_BLOCK),
    searches: model.definitions.filter((one) => one.kind === "fulltext"),
    tables: readTables(rows, model, name).filter(({ entity }) => computed?.has(entity) !== true),
  };
}

/** The versions of all rows that the blocks wrote and deleted. */
function readTables(given: readonly OwnBlock[], model: EntityModel, name: string): NodeTable[] {
  const blocks = parseRows(given, { model, style: servedStyles.subgraph, place: name });
  const versions = new Map<string, (NodeVersion & { to: number | null })[]>();
  const current = new Map<string, NodeVersion & { to: number | null }>();
  const end = (entity: string, id: RowValue | undefined, block: number) => {
    const version = current.get(`${entity} ${id}`);
    if (version) version.to = block;
    current.delete(`${entity} ${id}`);
  };
  for (const { number, tables, deleted } of blocks) {
    for (const [entity, ids] of deleted) for (const id of ids) end(entity, id, number);
    for (const [entity, rows] of tables) {
      for (const row of rows) {
        end(entity, row["id"], number);
        const version = { row, from: number, to: null };
        current.set(`${entity} ${row["id"]}`, version);
        const table = entityTable(entity, row);
        versions.set(table, [...(versions.get(table) ?? []), version]);
      }
    }
  }
  return [...versions].map(([table, all]) => {
    const [entity = "", interval] = table.split(" ");
    return { entity, interval, versions: all };
  });
}

function entityTable(entity: string, row: Row): string {
  const interval = row["interval"];
  return typeof interval === "string" ? `${entity} ${interval}` : entity;
}

function send(url: string, { method, path, headers, body }: Asked, agent: Agent): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { method, agent, headers: { ...headers, ...lengthOf(body) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () => resolve(null));
        response.on("end", () => {
          const headers = Object.fromEntries(
            Object.entries(response.headersDistinct).map(([name, values]) => [name, values ?? []]),
          );
          resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET") resolve(null);
      else reject(error);
    });
    sent.end(body);
  });
}

/** Without it, the body of some methods would be read as the next request. */
function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { "content-length": `${Buffer.byteLength(body)}` };
}
