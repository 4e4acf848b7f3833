/** A real graph-node and its PostgreSQL, from npm packages alone. @module */
export type { NodeValue } from "./column-text.ts";
export type { DeployedEntities, NodeDeployment } from "./deploy.ts";
export { isSupported } from "./is-supported.ts";
export type { NodeBlock } from "./serve-chain.ts";
export { type GraphNode, type GraphNodeOptions, startGraphNode } from "./start-graph-node.ts";
export {
  type Postgres,
  type PostgresClient,
  type PostgresOptions,
  type PostgresRow,
  startPostgres,
} from "./start-postgres.ts";
export type { NodeChain } from "./write-chains.ts";
export type { NodeSearch } from "./write-searches.ts";
export type { NodeTable, NodeVersion } from "./write-tables.ts";
