import { ConfigError } from "../base/errors/config-error.ts";
import { nearestName } from "../base/nearest-name.ts";
import type { Chain } from "./chain.ts";
import type { Config } from "./config.ts";
import type { Deployment } from "./deployment.ts";
import { findChain } from "./find-chain.ts";
import type { ResolvedProtocol } from "./protocols/resolve-protocols.ts";
import { isOf, type OfSurface } from "./surface.ts";
import { ENVIRONMENTS, IS_PER_CHAIN } from "./vocabulary.ts";

/** What a project reads of all chains and protocols. */
type Narrowed = { readonly chains: readonly Chain[]; readonly definitions: readonly ResolvedProtocol[] };

/**
 * Takes from a project what `only` does not name, and from each protocol the styles that have none of its chains left.
 *
 * @throws ConfigError for names of no chain, and where nothing of a protocol is left.
 */
export function resolveOnly(
  { only = {}, subgraph }: Pick<Config, "only" | "subgraph">,
  registry: readonly Chain[],
  protocols: readonly ResolvedProtocol[],
): Narrowed {
  const named = [
    { place: "only.chains", keys: only.chains },
    ...ENVIRONMENTS.flatMap((environment) =>
      Object.entries(subgraph?.[environment]?.ids ?? {}).map(([protocol, ids = {}]) => ({
        place: `subgraph.${environment}.ids.${protocol}`,
        keys: Object.keys(ids),
      })),
    ),
    ...protocols.map(({ key, chains }) => ({ place: `protocols.${key}.chains`, keys: chains })),
  ];
  for (const { place, keys } of named) requireKnownChains(place, keys ?? [], registry);
  const chains = registry.filter(({ key }) => only.chains?.includes(key) ?? true);
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
        : `${names} would have no deployment: none of the chains in "protocols" has one of the styles there.`,
    hint: "name a chain that is deployed in one of the styles.",
  });
}

/** What is left of a deployment: nothing, or the chains of it that a project reads. */
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
  const known = registry.map(({ key }) => key);
  const index = keys.findIndex((key) => !known.includes(key));
  const key = keys[index];
  if (key === undefined) return;
  const nearest = findChain(key, registry) ?? nearestName(key, known);
  throw new ConfigError({
    code: "CONFIG_UNKNOWN_CHAIN",
    sentence: `"${place}${place.endsWith("chains") ? `.${index}` : ""}" names "${key}", which is no chain.`,
    hint: `${nearest ? `did you mean "${nearest}"? ` : ""}a chain of your own needs its place under "chains" first.`,
  });
}
