import { dashedName, nameText, normalizeChainName } from "./chain-name.ts";
import type { Chain } from "./manifest-types.ts";
import type { ChainKey } from "./narrowed.ts";
import { refuseName } from "./refuse-name.ts";

/** The key of the chain that a name or an id stands for. A short name gives way to another chain's other names. */
export function findChain(chains: Readonly<Record<string, Chain>>, given: unknown): ChainKey {
  const wanted = normalizeChainName(nameText(given) ?? "");
  const namesOf = ([key, { chainId, name, multichain, subgraph, aliases }]: [string, Chain]) =>
    [key, name, multichain ?? key, subgraph ?? key, ...aliases, String(chainId)].map(dashedName);
  const rows = Object.entries(chains);
  const [key] =
    rows.find((row) => namesOf(row).map(normalizeChainName).includes(wanted)) ??
    rows.find(([own, { shortName }]) => normalizeChainName(shortName ?? own) === wanted) ??
    [];
  return (key as ChainKey) ?? refuseName("chain", given, rows.flatMap(namesOf), Object.keys(chains));
}
