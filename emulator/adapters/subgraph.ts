import { deploymentHash, subgraphId } from "../indexers/emulated-deployment.ts";
import type { Adapter } from "./adapter.ts";
import { addressAtGateway, isGatewayPath, PRODUCTION, replyAsGateway } from "./subgraph/gateway.ts";
import { addressAtNode, isNodePath, replyAsNode, TESTING } from "./subgraph/node.ts";

/**
 * The subgraph provider: a plain node at the testing URLs, with a daily limit, and at the node's own paths,
 * without one; the decentralised network's gateway, which asks for a key, at the production URLs and at the
 * gateway's own paths. Almost everything is answered with status 200 (C.1, C.6).
 */
export const subgraphAdapter: Adapter = {
  pathOf: ({ name }, environment) => `${environment === "production" ? PRODUCTION : TESTING}${name}`,
  otherPathsOf: ({ name, environments }, environment) => {
    const hash = deploymentHash(name);
    // One node serves a deployment, whatever its environments are.
    const own = environment === environments.at(-1);
    return [
      ...(own ? [`/subgraphs/name/${name}`, `/subgraphs/id/${hash}`] : []),
      ...(environment === "production"
        ? [`/api/subgraphs/id/${subgraphId(name)}`, `/api/deployments/id/${hash}`]
        : []),
    ];
  },
  addressOf: (path) => (isGatewayPath(path) ? addressAtGateway(path) : addressAtNode(path)),
  owns: (path) => isGatewayPath(path) || isNodePath(path),
  reply: (exchange) => (isGatewayPath(exchange.path) ? replyAsGateway(exchange) : replyAsNode(exchange)),
};
