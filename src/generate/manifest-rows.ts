import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Chain } from "../project/chain.ts";
import type { Deployment } from "../project/deployment.ts";
import { ENVIRONMENTS, type Environment, type StyleName } from "../project/vocabulary.ts";
import type { Chain as ChainRow, Deployment as DeploymentRow } from "../runtime/manifest-types.ts";
import type { Coverage } from "./generate-documents.ts";

/** A chain as the manifest lists it. */
export function chainRow(chain: Chain): ChainRow {
  return {
    chainId: chain.chainId,
    // What rows share stands between what looks alike in one row: so they compress best.
    subgraph: chain.subgraphSuffix,
    blockExplorer: chain.blockExplorer,
    multichain: chain.multichainName,
    aliases: chain.aliases,
    testnet: chain.testnet,
    status: chain.status,
    caip2: `eip155:${chain.chainId}`,
    name: chain.name,
  };
}

/** A deployment as the manifest lists it. */
export function deploymentRow({ protocol, style, chains, endpoints, status }: Deployment): DeploymentRow {
  const environments = ENVIRONMENTS.filter((name) =>
    endpoints.some(({ environment }) => environment === name),
  );
  // What differs comes first: what the rows share is then one text, which costs next to nothing to send.
  return { chains, protocol, style, environments, status };
}

/** The keys of the chains that have an endpoint of a style in an environment, in code-unit order. */
export function servedChains(
  deployments: readonly Deployment[],
  style: StyleName,
  environment: Environment,
): string[] {
  return deployments
    .filter((deployment) => deployment.style === style && deployment.status === "active")
    .filter(({ endpoints }) => endpoints.some((endpoint) => endpoint.environment === environment))
    .flatMap(({ chains }) => chains)
    .sort(compareCodeUnits);
}

/** The chains an operation is valid on; "all" is every chain of the style. */
export function operationRow({ chains, missing }: Coverage, served: readonly string[]): "all" | string[] {
  return missing.length === 0 ? "all" : served.filter((chain) => chains.includes(chain));
}
