import { fillEndpoint } from "./fill-endpoint.ts";
import type {
  DeploymentRoute,
  Endpoint,
  EndpointRequest,
  Environment,
  Routes,
  Variables,
} from "./manifest-types.ts";

/** A deployment that serves a chain. */
type FoundRoute = {
  readonly name: string;
  readonly chains: readonly string[];
  readonly route: DeploymentRoute;
};

/** Finds the deployment that serves a chain, in any environment if none is given; null if there is none. */
export function findRoute(
  { chains, protocols }: Routes,
  { protocol, style, chain, environment }: EndpointRequest,
): FoundRoute | null {
  for (const route of protocols[protocol]?.deployments ?? []) {
    const { name, chains: keys, environments } = route;
    if (route.style !== style || (environment && !environments.includes(environment))) continue;
    const key = keys.find((one) => one === chain);
    if (key === undefined) continue;
    const isShared = !name.includes("{suffix}");
    return {
      name: isShared ? name : name.replace("{suffix}", chains[key]?.subgraph ?? key),
      chains: isShared ? keys : [key],
      route,
    };
  }
  return null;
}

/**
 * Builds the endpoint of a chain; null if no deployment serves it.
 *
 * @throws Error for a missing variable, or a value that is not valid in a URL.
 */
export function routeEndpoint(
  routes: Routes,
  request: EndpointRequest,
  env: Variables | undefined,
): Endpoint | null {
  const { protocol, style, environment = "production" } = request;
  const found = findRoute(routes, { ...request, environment });
  const served = routes.protocols[protocol];
  if (!found || !served) return null;
  const { name, chains, route } = found;
  const [key = ""] = chains;
  const { chainId, subgraph = key } = routes.chains[key] ?? {};
  return fillEndpoint(
    {
      ...{ protocol, style, environment, name, chains },
      routes: served,
      hasTesting: route.environments.includes("testing"),
      chain: chains.length === 1 ? { chain: key, chainId: String(chainId), suffix: subgraph } : {},
    },
    env,
  ).endpoint;
}

/** Lists the chains of a protocol that an environment serves. A style without that environment counts in its other one. */
export function listServed(
  { protocols }: Routes,
  protocol: string,
  environment: Environment,
): readonly string[] {
  const all = protocols[protocol]?.deployments ?? [];
  const isIn = ({ environments }: DeploymentRoute) => environments.includes(environment);
  return all
    .filter((one) => isIn(one) || !all.some((other) => isIn(other) && other.style === one.style))
    .flatMap(({ chains }) => chains);
}
