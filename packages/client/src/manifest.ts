export { buildEndpoint, isServed } from "./manifest/build-endpoint.ts";
export { findChain } from "./manifest/find-chain.ts";
export { listDeployments } from "./manifest/list-deployments.ts";
export type {
  AuthRule,
  Chain,
  Deployment,
  Endpoint,
  EndpointOf,
  Lifecycle,
  ProtocolRoutes,
  Routes,
  Served,
  ServedRoutes,
  Variables,
} from "./manifest/manifest-types.ts";
export { routeEndpoint } from "./manifest/routes.ts";
