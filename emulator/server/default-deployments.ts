import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { Chain } from "../../src/project/chain.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";

/** What of a chain decides which deployments it has. */
export type DeployedChain = Pick<Chain, "chainId" | "multichainName" | "subgraphSuffix" | "testing">;

/** A protocol that is served, and the styles there are entities of. */
export type ServedProtocol = { readonly key: Protocol; readonly styles: readonly StyleName[] };

const REFERENCE: readonly ServedProtocol[] = BUILT_IN_PROTOCOLS.map((key) => ({ key, styles: STYLE_NAMES }));

/**
 * The deployments the emulator serves by default: of each protocol a multichain one and a
 * subgraph per chain that has a suffix, 54 with the chains of the registry and the protocols that ship.
 *
 * @param own further protocols, or others in place of those that ship.
 */
export function defaultDeployments(
  own: readonly ServedProtocol[] = [],
  chains: readonly DeployedChain[] = CHAINS,
  brand = "protocol",
): EmulatedDeployment[] {
  const protocols = new Map([...REFERENCE, ...own].map((one) => [one.key, one]));
  return [...protocols.values()].flatMap(({ key, styles }) => [
    ...(styles.includes("multichain")
      ? [multichainDeployment(chains, `${brand}-${key}-multichain`, key)]
      : []),
    ...chains.flatMap((chain) =>
      chain.subgraphSuffix === null || !styles.includes("subgraph")
        ? []
        : [subgraphDeployment(chain, `${brand}-${key}-${chain.subgraphSuffix}`, key)],
    ),
  ]);
}

function multichainDeployment(
  chains: readonly DeployedChain[],
  name: string,
  protocol: Protocol,
): EmulatedDeployment {
  const chainIds = chains.filter((chain) => chain.multichainName !== null).map(({ chainId }) => chainId);
  return { name, protocol, style: "multichain", chainIds, environments: ["production"] };
}

function subgraphDeployment(chain: DeployedChain, name: string, protocol: Protocol): EmulatedDeployment {
  return {
    name,
    protocol,
    style: "subgraph",
    chainIds: [chain.chainId],
    environments: chain.testing ? ["production", "testing"] : ["production"],
  };
}
