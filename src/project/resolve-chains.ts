import { cached } from "../base/cached.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { groupBy } from "../base/group-by.ts";
import { normalizeChainName } from "../runtime/chain-name.ts";
import type { Chain } from "./chain.ts";
import { CHAINS } from "./chains.ts";
import type { ChainConfig } from "./config.ts";
import { resolveLifecycle } from "./resolve-lifecycle.ts";
import { STYLE_NAMES } from "./vocabulary.ts";

/** The registry's chains with overrides and additions, in order of key; no two share an id or any name. */
export function resolveChains(overrides: Readonly<Record<string, ChainConfig>>): Chain[] {
  const chains = new Map(CHAINS.map((chain) => [chain.key, chain]));
  for (const [key, override] of Object.entries(overrides)) {
    chains.set(key, mergeChain(key, chains.get(key), override));
  }
  const resolved = [...chains.values()].sort((a, b) => compareCodeUnits(a.key, b.key));
  requireDistinct(resolved, "chainId", ({ chainId }) => String(chainId));
  requireDistinct(resolved, "shortName", ({ shortName }) => shortName);
  requireUnambiguous(resolved);
  return resolved;
}

function mergeChain(key: string, known: Chain | undefined, override: ChainConfig): Chain {
  const { chainId = known?.chainId, name = known?.name } = override;
  const { multichainName = known?.multichainName ?? null, shortName = known?.shortName ?? null } = override;
  const { secondsPerBlock = known?.secondsPerBlock ?? null } = override;
  const { blockExplorer = known?.blockExplorer ?? null } = override;
  if (chainId === undefined || name === undefined) {
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_CHAIN",
      sentence: `Chain "${key}" is not in the registry, so its configuration needs "chainId" and "name".`,
      hint: `add them under chains.${key}, or use the key of a registered chain: ${CHAINS.map((chain) => chain.key).join(", ")}.`,
    });
  }
  const { subgraphSuffix = known?.subgraphSuffix ?? null } = override;
  if (STYLE_NAMES.some((style) => style === subgraphSuffix)) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `Chain "${key}" has the subgraphSuffix "${subgraphSuffix}", the name of a style.`,
      hint: "give it another.",
    });
  }
  return {
    key,
    name,
    chainId,
    shortName,
    multichainName,
    subgraphSuffix,
    testing: (override.testing ?? known?.testing ?? true) && subgraphSuffix !== null,
    testnet: override.testnet ?? known?.testnet ?? false,
    secondsPerBlock,
    blockExplorer,
    aliases: override.aliases ?? known?.aliases ?? [],
    ...resolveLifecycle(`chains.${key}`, override, { status: "active" }),
  };
}

/** Ids and short names are of one chain each, wherever they are written. */
function requireDistinct(
  chains: readonly Chain[],
  what: "chainId" | "shortName",
  read: (chain: Chain) => string | null,
): void {
  const named = chains.filter((chain) => read(chain) !== null);
  for (const [one, other] of groupBy(named, (chain) => normalizeChainName(read(chain) ?? "")).values()) {
    if (one === undefined || other === undefined) continue;
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `Chains "${one.key}" and "${other.key}" have the same ${what}, ${read(one)}.`,
      hint: `correct one of them under "chains".`,
    });
  }
}

/**
 * Whatever a chain is called, nothing else may be called. A short name that is another chain's other name means that
 * chain, so that a registered one takes no name away.
 */
function requireUnambiguous(chains: readonly Chain[]): void {
  const owners = new Map<string, string>();
  for (const { key, name, chainId, multichainName, subgraphSuffix, aliases } of chains) {
    for (const written of [key, name, String(chainId), multichainName, subgraphSuffix, ...aliases]) {
      if (written === null) continue;
      const owner = cached(owners, normalizeChainName(written), () => key);
      if (owner === key) continue;
      throw new ConfigError({
        code: "CONFIG_INVALID_VALUE",
        sentence: `"${written}" could mean two chains, "${owner}" and "${key}".`,
        context: ["names are compared without case, blanks, underscores and dashes, except before a digit"],
        hint: `take it from one of them under "chains": it is among its names, its suffix or its aliases.`,
      });
    }
  }
}
