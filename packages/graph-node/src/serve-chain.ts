import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A block of a chain; `timestamp` in seconds. */
export type NodeBlock = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: number;
};

/** The servers of a graph-node: JSON-RPC of a chain without events, and an IPFS without files. */
export type ChainServer = { readonly url: string; readonly close: () => void };

/**
 * Serves a chain.
 *
 * @param headOf returns the newest block. The node polls it.
 */
export async function serveChain(
  headOf: () => number,
  blockAt: (number: number) => NodeBlock,
): Promise<ChainServer> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const isRpc = request.url === "/";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isRpc ? answerAll(text, headOf, blockAt) : IPFS_VERSION));
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const IPFS_VERSION = { Version: "0.20.0", Commit: "", Repo: "1", System: "", Golang: "" };

type Call = { readonly id: unknown; readonly method: string; readonly params?: readonly unknown[] };

function answerAll(text: string, headOf: () => number, blockAt: (number: number) => NodeBlock): unknown {
  const calls = JSON.parse(text) as Call | readonly Call[];
  const answer = (call: Call) => ({
    jsonrpc: "2.0",
    id: call.id,
    result: answerCall(call, headOf(), blockAt),
  });
  return Array.isArray(calls) ? calls.map(answer) : answer(calls as Call);
}

function answerCall(
  { method, params = [] }: Call,
  head: number,
  blockAt: (number: number) => NodeBlock,
): unknown {
  const [which] = params;
  switch (method) {
    case "net_version":
      return "1";
    case "eth_chainId":
      return hex(1);
    case "web3_clientVersion":
      return "lockflow";
    case "eth_blockNumber":
      return hex(head);
    case "eth_getBlockByNumber":
      return rpcBlock(blockAt(which === "latest" ? head : which === "earliest" ? 0 : Number(which)));
    case "eth_getBlockByHash": {
      // The node only requests ancestors of the head.
      const near = Array.from({ length: Math.min(head, ANCESTORS) + 1 }, (_, back) => blockAt(head - back));
      const block = near.find(({ hash }) => hash === which);
      return block ? rpcBlock(block) : null;
    }
    case "eth_getLogs":
    case "eth_getBlockReceipts":
    case "trace_filter":
      return [];
    case "eth_syncing":
      return false;
    case "eth_gasPrice":
      return hex(1);
    default:
      return null;
  }
}

const ANCESTORS = 100;

function rpcBlock(block: NodeBlock): Readonly<Record<string, unknown>> {
  return {
    number: hex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: hex(block.timestamp),
    nonce: zeros(8),
    sha3Uncles: zeros(32),
    logsBloom: zeros(256),
    transactionsRoot: zeros(32),
    stateRoot: zeros(32),
    receiptsRoot: zeros(32),
    mixHash: zeros(32),
    miner: zeros(20),
    difficulty: hex(1),
    totalDifficulty: hex(1),
    extraData: "0x",
    size: hex(1),
    gasLimit: hex(1),
    gasUsed: hex(0),
    baseFeePerGas: hex(1),
    transactions: [],
    uncles: [],
  };
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function zeros(bytes: number): string {
  return `0x${"00".repeat(bytes)}`;
}
