import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderManifest } from "./render-manifest.ts";
import type { NodeBlock } from "./serve-chain.ts";
import type { PostgresClient } from "./start-postgres.ts";
import { type NodeSearch, writeSearches } from "./write-searches.ts";
import { type NodeTable, writeTables } from "./write-tables.ts";

/** A subgraph: its entities, and the rows at every block from its first to its head. */
export type NodeDeployment = DeployedEntities & {
  /** The network of one of the chains. */
  readonly network: string;
  /** The first block it indexed. */
  readonly startBlock: number;
  /** The first block whose rows it still has. */
  readonly earliestBlock: number;
  /** The last block it indexed. */
  readonly head: NodeBlock;
  /** The block of its first deterministic error; null without one. */
  readonly errorBlock: number | null;
  readonly tables: Iterable<NodeTable>;
  /** The full text searches of the entities; a search that is not listed has no results. @default [] */
  readonly searches?: readonly NodeSearch[];
};

/** A deployment: its names and its entities. */
export type DeployedEntities = {
  /** The deployment's hash: `Qm…`, at most 46 letters and digits. */
  readonly id: string;
  /** Its names, beside its id. */
  readonly names: readonly string[];
  /** The authored entity SDL. */
  readonly entities: string;
};

/** A node to deploy to. */
export type Target = {
  /** The folder in which the node runs. */
  readonly folder: string;
  /** The URL of its administration. */
  readonly admin: string;
  readonly client: PostgresClient;
  /** The one network that the node indexes, and its head. */
  readonly network: string;
  readonly startBlock: number;
};

/** Deploys a subgraph with its rows. */
export async function deploy(target: Target, deployment: NodeDeployment): Promise<void> {
  const { client } = target;
  const refusal = await deployEntities(target, deployment);
  if (refusal !== null) throw new Error(`graph-node refuses ${deployment.id}: ${refusal}`);
  const { id, network, head, errorBlock } = deployment;
  const [site] = await client.query(
    "UPDATE public.deployment_schemas SET network = $2 WHERE subgraph = $1 RETURNING id, name",
    [id, network],
  );
  const site_id = site?.["id"] ?? "";
  await writeHead(client, id, head);
  await client.query(
    "UPDATE subgraphs.deployment SET earliest_block_number = $2::int, synced_at = now(), synced_at_block_number = $2::int WHERE id = $1::int",
    [site_id, `${deployment.earliestBlock}`],
  );
  await client.query(
    "UPDATE subgraphs.subgraph_manifest SET start_block_number = $2::int WHERE id = $1::int",
    [site_id, `${deployment.startBlock}`],
  );
  if (errorBlock !== null) await writeError(client, { id, siteId: site_id, block: errorBlock });
  const schema = site?.["name"] ?? "";
  await writeTables(client, schema, deployment.tables);
  await writeSearches(client, schema, deployment.searches ?? []);
}

/** Writes the head of a deployment. */
export async function writeHead(client: PostgresClient, id: string, head: NodeBlock): Promise<void> {
  await client.query(
    `UPDATE subgraphs.head SET block_number = $2::int, block_hash = decode($3, 'hex')
     WHERE id = (SELECT id FROM public.deployment_schemas WHERE subgraph = $1)`,
    [id, `${head.number}`, head.hash.slice(2)],
  );
}

async function writeError(
  client: PostgresClient,
  { id, siteId, block }: { readonly id: string; readonly siteId: string; readonly block: number },
): Promise<void> {
  await client.query(
    `INSERT INTO subgraphs.subgraph_error (id, subgraph_id, message, block_range, deterministic)
     VALUES ($1, $1, 'an error', int4range($2::int, NULL), true)`,
    [id, `${block}`],
  );
  await client.query(
    "UPDATE subgraphs.deployment SET health = 'failed', failed = true, fatal_error = $2, non_fatal_errors = '{}' WHERE id = $1::int",
    [siteId, id],
  );
}

/**
 * Deploys entities without rows. No node indexes them.
 *
 * @returns the node's error if it refuses them.
 */
export async function deployEntities(target: Target, deployed: DeployedEntities): Promise<string | null> {
  const { folder, network, startBlock } = target;
  const { id, names, entities } = deployed;
  const entitiesFile = `${id}.graphql`;
  const hasFulltext = entities.includes("@fulltext");
  // The node reads an id as the path of a manifest, relative to its folder.
  writeFileSync(join(folder, entitiesFile), entities);
  writeFileSync(join(folder, id), renderManifest({ network, folder, entitiesFile, startBlock, hasFulltext }));
  for (const name of names) {
    await administer(target.admin, "subgraph_create", { name });
    // Assigned to a node that does not exist.
    const refusal = await administer(target.admin, "subgraph_deploy", {
      name,
      ipfs_hash: id,
      node_id: "nobody",
    });
    if (refusal !== null) return refusal;
  }
  return null;
}

async function administer(url: string, method: string, params: object): Promise<string | null> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: "1", method, params }),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  return error?.message ?? null;
}
