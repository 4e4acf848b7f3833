import { normalizeChainName } from "../../packages/client/src/manifest/find-chain.ts";
import { cached, compareCodeUnits, groupBy } from "../base/collections.ts";
import { ConfigError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { ENVIRONMENTS, IS_PER_CHAIN, isOf, type OfSurface, STYLE_NAMES } from "../dialects/surface.ts";
import { type Chain, findChain } from "./chain.ts";
import { CHAINS } from "./chains.ts";
import type { ChainConfig, ConfigWithIds } from "./config.ts";
import type { Deployment } from "./deployment.ts";
import { resolveLifecycle } from "./lifecycle.ts";

/** Merges the registry with overrides and new chains, in order of key. Throws if two chains have one id or name. */
export function resolveChains(overrides: Readonly<Record<string, ChainConfig>>): Chain[] {
  const chains = new Map(CHAINS.map((chain) => [chain.key, chain]));
  for (const [key, override] of Object.entries(overrides)) {
    chains.set(key, mergeChain(key, chains.get(key), override));
  }
  const resolved = [...chains.values()].sort((a, b) => compareCodeUnits(a.key, b.key));
  requireDistinct(resolved, "chainId");
  requireDistinct(resolved, "shortName");
  requireUnambiguous(resolved);
  return resolved;
}

function mergeChain(key: string, builtIn: Chain | undefined, override: ChainConfig): Chain {
  const { chainId = builtIn?.chainId, name = builtIn?.name } = override;
  const { multichainName = builtIn?.multichainName ?? null, shortName = builtIn?.shortName ?? null } =
    override;
  const { secondsPerBlock = builtIn?.secondsPerBlock ?? null } = override;
  const { blockExplorer = builtIn?.blockExplorer ?? null } = override;
  if (chainId === undefined || name === undefined) {
    throw new ConfigError({
      code: "CONFIG_UNKNOWN_CHAIN",
      sentence: `Chain "${key}" is not in the registry, so its configuration needs "chainId" and "name".`,
      hint: `add them under chains.${key}, or use the key of a registered chain: ${CHAINS.map((chain) => chain.key).join(", ")}.`,
    });
  }
  const { subgraphSuffix = builtIn?.subgraphSuffix ?? null } = override;
  if (STYLE_NAMES.some((style) => style === subgraphSuffix)) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `Chain "${key}" has the subgraphSuffix "${subgraphSuffix}", which is the name of a style.`,
      hint: "use another suffix.",
    });
  }
  return {
    key,
    name,
    chainId,
    shortName,
    multichainName,
    subgraphSuffix,
    testing: (override.testing ?? builtIn?.testing ?? true) && subgraphSuffix !== null,
    testnet: override.testnet ?? builtIn?.testnet ?? false,
    secondsPerBlock,
    blockExplorer,
    aliases: override.aliases ?? builtIn?.aliases ?? [],
    ...resolveLifecycle(`chains.${key}`, override, { status: "active" }),
  };
}

function requireDistinct(chains: readonly Chain[], what: "chainId" | "shortName"): void {
  const named = chains.filter((chain) => chain[what] !== null);
  for (const [first, other] of groupBy(named, (chain) => normalizeChainName(String(chain[what]))).values()) {
    if (first === undefined || other === undefined) continue;
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `Chains "${first.key}" and "${other.key}" have the same ${what}, ${first[what]}.`,
      hint: `correct one of them under "chains".`,
    });
  }
}

/**
 * Throws if a name could mean two chains. Short names are not compared with other names: `findChain` tries them last, so
 * that the short names of the registry do not reserve names.
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
        sentence: `Two chains have the name "${written}": "${owner}" and "${key}".`,
        context: [
          "names are compared without case, and without blanks, underscores and dashes, except before a digit",
        ],
        hint: `remove it from the name, suffix or aliases of one of them under "chains".`,
      });
    }
  }
}

type Narrowed = { readonly chains: readonly Chain[]; readonly definitions: readonly ResolvedProtocol[] };

/**
 * Narrows chains and protocols to `only`. A style of a protocol is removed if none of its chains is left.
 *
 * @throws ConfigError for an unknown chain, and if no deployment is left.
 */
export function resolveOnly(
  { only = {}, subgraph }: Pick<ConfigWithIds, "only" | "subgraph">,
  registry: readonly Chain[],
  protocols: readonly ResolvedProtocol[],
): Narrowed {
  const named = [
    ...ENVIRONMENTS.flatMap((environment) =>
      Object.entries(subgraph?.[environment]?.ids ?? {}).map(([protocol, ids = {}]) => ({
        place: `subgraph.${environment}.ids.${protocol}`,
        keys: Object.keys(ids),
      })),
    ),
    ...protocols.map(({ key, chains }) => ({ place: `protocols.${key}.chains`, keys: chains })),
  ];
  for (const { place, keys } of named) requireKnownChains(place, keys ?? [], registry);
  const kept = only.chains?.map((name, index) => {
    return findChain(String(name), registry) ?? unknownChain(`only.chains.${index}`, String(name), registry);
  });
  const chains = registry.filter(({ key }) => kept?.includes(key) ?? true);
  const definitions = protocols.map((definition) => {
    const styles = definition.styles.filter(
      (style) =>
        (only.styles?.includes(style) ?? true) &&
        chains.some(
          (chain) =>
            (definition.chains?.includes(chain.key) ?? true) &&
            (IS_PER_CHAIN[style] ? chain.subgraphSuffix : chain.multichainName) !== null,
        ),
    );
    return { ...definition, styles };
  });
  const served = definitions.filter(({ styles }) => styles.length > 0);
  if (served.length > 0) return { chains, definitions: served };
  const names = protocols.map(({ key }) => key).join(" and ");
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence:
      only.chains || only.styles
        ? `"only" leaves no deployment of ${names}.`
        : `${names} would have no deployment: no chain in "protocols" is deployed in one of the configured styles.`,
    hint: "name a chain that is deployed in one of the styles.",
  });
}

/** Narrows a deployment to the chains that a project reads. Returns no deployment if it serves none of them. */
export function narrowDeployment(
  deployment: Deployment,
  chains: readonly Chain[],
  surfaces: readonly OfSurface[],
): Deployment[] {
  const keys = new Set(chains.map(({ key }) => key));
  const { chains: all, formerChains: former = [], ...rest } = deployment;
  const served = all.filter((key) => keys.has(key));
  const formerChains = former.filter((key) => keys.has(key));
  if (served.length + formerChains.length === 0 || !surfaces.some(isOf(deployment))) return [];
  return [{ ...rest, chains: served, ...(formerChains.length > 0 && { formerChains }) }];
}

function requireKnownChains(place: string, keys: readonly string[], registry: readonly Chain[]): void {
  const names = registry.map((chain) => chain.key);
  const index = keys.findIndex((key) => !names.includes(key));
  const key = keys[index];
  if (key !== undefined)
    unknownChain(`${place}${place.endsWith("chains") ? `.${index}` : ""}`, key, registry);
}

function unknownChain(place: string, name: string, registry: readonly Chain[]): never {
  const keys = registry.map(({ key }) => key);
  const nearest = findChain(name, registry) ?? nearestName(name, keys);
  throw new ConfigError({
    code: "CONFIG_UNKNOWN_CHAIN",
    sentence: `"${place}" names "${name}", which is not a known chain.`,
    hint: `${nearest ? `did you mean "${nearest}"? ` : ""}A chain of your own must be added under "chains" first.`,
  });
}
