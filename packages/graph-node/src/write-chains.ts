import type { NodeBlock } from "./serve-chain.ts";
import type { PostgresClient } from "./start-postgres.ts";

/** A chain, with the blocks that queries can name by hash or whose time they can request. */
export type NodeChain = {
  /** The network's name: `mainnet`. */
  readonly network: string;
  readonly blocks: Iterable<NodeBlock>;
};

/**
 * Writes chains into the node's block store. The node has one network at its start and finds others there, as if another
 * node had added them.
 */
export async function writeChains(client: PostgresClient, chains: Iterable<NodeChain>): Promise<void> {
  for (const { network, blocks } of chains) {
    const [added] = await client.query(
      `INSERT INTO public.chains (name, net_version, genesis_block_hash, shard, namespace)
       SELECT $1, net_version, genesis_block_hash, shard, 'chain' || nextval('public.chains_id_seq') + 1000
       FROM public.chains LIMIT 1 RETURNING namespace`,
      [network],
    );
    const namespace = added?.["namespace"];
    // Only indexing nodes need the other tables.
    await client.query(
      `CREATE SCHEMA ${namespace}; CREATE TABLE ${namespace}.blocks (LIKE chain1.blocks INCLUDING ALL)`,
    );
    await client.copy(`COPY ${namespace}.blocks (hash, number, parent_hash, data) FROM STDIN`, lines(blocks));
  }
}

function* lines(blocks: Iterable<NodeBlock>): Generator<string> {
  for (const { number, hash, parentHash, timestamp } of blocks) {
    // Queries only request the time of a block.
    const data = JSON.stringify({ block: { timestamp: `0x${timestamp.toString(16)}` } });
    yield `${[bytes(hash), number, bytes(parentHash), data].join("\t")}\n`;
  }
}

function bytes(hash: string): string {
  return hash.replace(/^0x/, "\\\\x");
}
