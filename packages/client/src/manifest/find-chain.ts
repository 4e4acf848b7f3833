import { dashedName, nameText, normalizeChainName } from "./chain-name.ts";
import type { Chain } from "./manifest-types.ts";
import { refuseName } from "./refuse-name.ts";

/** The key of the chain that a name or an id stands for. A short name gives way to another chain's other names. */
export function findChain<Key extends string>(chains: Readonly<Record<Key, Chain>>, given: unknown): Key {
  const wanted = normalizeChainName(nameText(given) ?? "");
  const namesOf = ([key, { chainId, name, multichain, subgraph, aliases }]: [string, Chain]) =>
    [key, name, multichain ?? key, subgraph ?? key, ...aliases, String(chainId)].map(dashedName);
  const rows = Object.entries<Chain>(chains);
  const [key] =
    rows.find((row) => namesOf(row).map(normalizeChainName).includes(wanted)) ??
    rows.find(([own, { shortName }]) => normalizeChainName(shortName ?? own) === wanted) ??
    [];
  return (key as Key | undefined) ?? refuseName("chain", given, rows.flatMap(namesOf), Object.keys(chains));
}
