import { hash } from "../../src/base/hash.ts";
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

/** An endpoint of a running emulator. */
export type EmulatedUrl = EmulatedEndpoint & { readonly url: string };

/** A chain with the names that options may give it. */
export type NamedChain = Pick<Chain, "key" | "chainId" | "aliases" | "multichainName" | "subgraphSuffix">;

/** All names of a chain, including its id. */
export function chainNames({ key, chainId, aliases, multichainName, subgraphSuffix }: NamedChain): string[] {
  return [key, ...aliases, multichainName, subgraphSuffix, String(chainId)].filter((name) => name !== null);
}

/** The deployment's content hash, derived from its name: `Qm` and 44 digits. */
export function deploymentHash(name: string): string {
  // An IPFS hash: the code of SHA-256, its length, and the digest.
  return base58(`1220${deploymentDigest(name)}`);
}

/** The digest of that hash, 64 hexadecimal digits. */
export function deploymentDigest(name: string): string {
  return hash(`deployment ${name}`);
}

/** The subgraph id on the decentralised network, derived from the deployment's name. */
export function subgraphId(name: string): string {
  return base58(hash(`subgraph ${name}`));
}

/** The address of a deployment's only indexer on the decentralised network, derived from its name. */
export function indexerAddress(name: string): string {
  return `0x${hash(`indexer ${name}`).slice(0, 40)}`;
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Writes hex digits in base 58 as in IPFS and Bitcoin; a leading zero byte is a leading `1`. */
function base58(hex: string): string {
  let digits = "";
  for (let rest = BigInt(`0x${hex}`); rest > 0n; rest /= 58n) {
    digits = `${BASE58[Number(rest % 58n)]}${digits}`;
  }
  const [zeros = ""] = /^(?:00)*/.exec(hex) ?? [];
  return "1".repeat(zeros.length / 2) + digits;
}

/** The release of the graph-node that can replace the emulator. */
export const NODE_RELEASE = "0.45";
