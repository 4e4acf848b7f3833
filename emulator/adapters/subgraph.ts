import { deploymentHash, subgraphId } from "../indexers/emulated-deployment.ts";
import type { Adapter } from "./adapter.ts";
import { addressAtGateway, isGatewayPath, PRODUCTION, replyAsGateway } from "./subgraph/gateway.ts";
import { addressAtNode, isNodePath, replyAsNode, TESTING } from "./subgraph/node.ts";

/**
 * The subgraph provider. Testing URLs and the node's own paths lead to a plain node, the former with a daily limit.
 * Production URLs and the gateway's own paths lead to the decentralised network's gateway, which needs a key. Almost
 * every answer has status 200.
 */
export const subgraphAdapter: Adapter = {
  pathOf: ({ name }, environment) => `${environment === "production" ? PRODUCTION : TESTING}${name}`,
  otherPathsOf: ({ name, environments }, environment) => {
    const hash = deploymentHash(name);
    // One node serves a deployment in all its environments.
    const isLast = environment === environments.at(-1);
    return [
      ...(isLast ? [`/subgraphs/name/${name}`, `/subgraphs/id/${hash}`] : []),
      ...(environment === "production"
        ? [`/api/subgraphs/id/${subgraphId(name)}`, `/api/deployments/id/${hash}`]
        : []),
    ];
  },
  addressOf: (path) => (isGatewayPath(path) ? addressAtGateway(path) : addressAtNode(path)),
  owns: (path) => isGatewayPath(path) || isNodePath(path),
  reply: (exchange) => (isGatewayPath(exchange.path) ? replyAsGateway(exchange) : replyAsNode(exchange)),
};
