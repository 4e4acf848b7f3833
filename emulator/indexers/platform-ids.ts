import { createHash } from "node:crypto";

/** The content hash a subgraph deployment goes by, made of its name: `Qm` and 44 digits. */
export function deploymentHash(name: string): string {
  // What an IPFS hash is: the sign of SHA-256, its length, and the digest.
  return base58(Buffer.concat([Buffer.from([0x12, 0x20]), digest("deployment", name)]));
}

/** The digest inside that hash, 64 hexadecimal digits. */
export function deploymentDigest(name: string): string {
  return digest("deployment", name).toString("hex");
}

/** The id under which the decentralised network knows a deployment's subgraph, made of its name. */
export function subgraphId(name: string): string {
  return base58(digest("subgraph", name));
}

/** The address of the one indexer that serves a deployment in the decentralised network, made of its name. */
export function indexerAddress(name: string): string {
  return `0x${digest("indexer", name).toString("hex", 0, 20)}`;
}

function digest(kind: string, name: string): Buffer {
  return createHash("sha256").update(`${kind} ${name}`).digest();
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base 58 as IPFS and Bitcoin write it; a leading zero byte is a leading `1`. */
function base58(bytes: Buffer): string {
  let digits = "";
  for (let rest = BigInt(`0x${bytes.toString("hex")}`); rest > 0n; rest /= 58n) {
    digits = `${BASE58[Number(rest % 58n)]}${digits}`;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(Math.max(zeros, 0)) + digits;
}
