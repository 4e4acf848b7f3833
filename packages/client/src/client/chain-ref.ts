import type { Chains } from "../manifest/project.ts";
import type { ChainRow, Client } from "./client-options.ts";

/** The keys of a protocol's chains. */
export type Chain<C extends Chains> = keyof C & string;

/** A chain by its key or its id: `"base"` or `8453`. */
export type ChainRef<C extends Chains> = Chain<C> | C[keyof C];

/**
 * Several chains. `"all"` are those that are not retired and have an endpoint in the client's environment, `"mainnets"` the
 * same without testnets.
 */
export type ChainList<C extends Chains> = readonly ChainRef<C>[] | "all" | "mainnets";

/** The manifest's row of a chain that it has. */
export function rowOf({ manifest }: Client, chain: string): ChainRow {
  return manifest.chains[chain] as ChainRow;
}

/** The key of a chain; what stands for none is left to who asks for it. */
export function findKey({ manifest }: Client, chain: unknown): string {
  const rows = Object.entries<ChainRow>(manifest.chains);
  const own = rows.find(([key, { chainId }]) => key === chain || String(chainId) === String(chain));
  return own?.[0] ?? String(chain);
}

/** The keys of the chains of a list. */
export function listKeys<C extends Chains>(
  client: Client,
  protocol: string,
  list: ChainList<C>,
): readonly string[] {
  // Where nothing checks types, another word is the key of one chain, and does not stand for all.
  if (list !== "all" && list !== "mainnets") return [list].flat().map((chain) => findKey(client, chain));
  const { chains, deployments } = client.manifest;
  const own = Object.values(deployments).filter(
    (one) => one.protocol === protocol && one.status !== "retired",
  );
  const inEnvironment = own.filter((one) => one.environments.some((name) => name === client.environment));
  // A style without this environment is asked in the only one that it has.
  const served = own
    .filter((one) => inEnvironment.includes(one) || !inEnvironment.some(({ style }) => style === one.style))
    .flatMap((one) => one.chains);
  return Object.keys(chains).filter(
    (key) => served.includes(key) && !(list === "mainnets" && rowOf(client, key).testnet),
  );
}
