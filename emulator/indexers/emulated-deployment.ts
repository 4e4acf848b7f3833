import { createHash } from "node:crypto";
import type { Environment, Protocol, StyleName } from "../../src/dialects/surface.ts";
import type { Chain } from "../../src/project/chain.ts";
import type { OperatorSettings } from "../styles/served-style.ts";

/** A deployment the emulator serves. */
export type EmulatedDeployment = {
  /** Its name, which is in its URLs: `protocol-lockup-mainnet`. */
  readonly name: string;
  /** Null for a custom indexer. */
  readonly protocol: Protocol | null;
  /** The dialect it answers in. */
  readonly style: StyleName;
  /** Ids. One for a subgraph, all of them for a multichain deployment. */
  readonly chainIds: readonly number[];
  /** The environments it has a URL in. */
  readonly environments: readonly Environment[];
  /** The platform's release it runs on: `graph-node-0.44`. @default the style's */
  readonly release?: string | undefined;
  /** The settings of its operator. @default {} */
  readonly settings?: OperatorSettings | undefined;
};

/** One URL of it. */
export type EmulatedEndpoint = {
  readonly deployment: EmulatedDeployment;
  readonly environment: Environment;
  readonly path: string;
};

/** A chain with the names that options may give it. */
export type NamedChain = Pick<Chain, "key" | "chainId" | "aliases" | "multichainName" | "subgraphSuffix">;

/** All names of a chain, including its id. */
export function chainNames({ key, chainId, aliases, multichainName, subgraphSuffix }: NamedChain): string[] {
  return [key, ...aliases, multichainName, subgraphSuffix, String(chainId)].filter((name) => name !== null);
}

/** The deployment's content hash, derived from its name: `Qm` and 44 digits. */
export function deploymentHash(name: string): string {
  // An IPFS hash: the code of SHA-256, its length, and the digest.
  return base58(Buffer.concat([Buffer.from([0x12, 0x20]), digest("deployment", name)]));
}

/** The digest of that hash, 64 hexadecimal digits. */
export function deploymentDigest(name: string): string {
  return digest("deployment", name).toString("hex");
}

/** The subgraph id on the decentralised network, derived from the deployment's name. */
export function subgraphId(name: string): string {
  return base58(digest("subgraph", name));
}

/** The address of a deployment's only indexer on the decentralised network, derived from its name. */
export function indexerAddress(name: string): string {
  return `0x${digest("indexer", name).toString("hex", 0, 20)}`;
}

function digest(kind: string, name: string): Buffer {
  return createHash("sha256").update(`${kind} ${name}`).digest();
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base 58 as in IPFS and Bitcoin; a leading zero byte is a leading `1`. */
function base58(bytes: Buffer): string {
  let digits = "";
  for (let rest = BigInt(`0x${bytes.toString("hex")}`); rest > 0n; rest /= 58n) {
    digits = `${BASE58[Number(rest % 58n)]}${digits}`;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(Math.max(zeros, 0)) + digits;
}

/** The release of the graph-node that can replace the emulator. */
export const NODE_RELEASE = "0.45";
