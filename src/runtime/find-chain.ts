import type { Chain } from "./manifest-types.ts";
import type { ChainKey } from "./narrowed.ts";
import { normalizeChainName } from "./normalize-chain-name.ts";
import { refuseName } from "./refuse-name.ts";

/** The key of the chain that a name or an id stands for. */
export function findChain(chains: Readonly<Record<string, Chain>>, given: unknown): ChainKey {
  const text = typeof given === "number" || typeof given === "bigint" ? String(given) : given;
  const wanted = typeof text === "string" ? normalizeChainName(text) : "";
  const namesOf = ([key, { name, multichain, subgraph, aliases }]: [string, Chain]) =>
    [key, name, multichain ?? key, subgraph ?? key, ...aliases].map(normalizeChainName);
  const rows = Object.entries(chains);
  const found = rows.find((row) => wanted === String(row[1].chainId) || namesOf(row).includes(wanted));
  return found ? (found[0] as ChainKey) : refuseName("chain", text, rows.flatMap(namesOf));
}
