import type { Chain } from "../../src/project/chain.ts";
import { CHAINS } from "../../src/project/chains.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols/built-in.ts";
import type { Protocol } from "../../src/project/vocabulary.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";

/** What of a chain decides which deployments it has. */
export type DeployedChain = Pick<Chain, "chainId" | "multichainName" | "subgraphSuffix" | "testing">;

/**
 * The deployments the emulator serves by default: of each protocol a multichain one and a
 * subgraph per chain that has a suffix, 54 with the chains of the registry.
 */
export function defaultDeployments(
  chains: readonly DeployedChain[] = CHAINS,
  brand = "protocol",
): EmulatedDeployment[] {
  return BUILT_IN_PROTOCOLS.flatMap((protocol) => [
    multichainDeployment(chains, `${brand}-${protocol}-multichain`, protocol),
    ...chains.flatMap((chain) =>
      chain.subgraphSuffix === null
        ? []
        : [subgraphDeployment(chain, `${brand}-${protocol}-${chain.subgraphSuffix}`, protocol)],
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
