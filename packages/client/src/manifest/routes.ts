import { type FoundRoute, fillEndpoint } from "./fill-endpoint.ts";
import type {
  DeploymentRoute,
  Endpoint,
  EndpointRequest,
  EndpointSource,
  Environment,
  Routes,
} from "./manifest-types.ts";

/** Finds the deployment that serves a chain, in any environment if none is given; null if there is none. */
export function findRoute(
  { chains, protocols }: Routes,
  { protocol, style, chain, environment }: EndpointRequest,
): FoundRoute | null {
  const routes = protocols[protocol];
  if (!routes) return null;
  for (const { style: other, name: rule, chains: keys, environments } of routes.deployments) {
    if (other !== style || (environment && !environments.includes(environment))) continue;
    const key = keys.find((candidate) => candidate === chain);
    if (key === undefined) continue;
    const { chainId, subgraph: suffix = key } = chains[key] ?? {};
    const name = rule.replace("{suffix}", () => suffix);
    const served = name === rule ? keys : [key];
    const place: FoundRoute["place"] =
      served.length === 1 ? { chain: key, chainId: String(chainId), suffix } : {};
    return { style, name, chains: served, environments, place, routes };
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
  { env }: EndpointSource,
): Endpoint | null {
  const { protocol, environment = "production" } = request;
  const found = findRoute(routes, { ...request, environment });
  return found && fillEndpoint({ ...found, protocol, environment }, env).endpoint;
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
    .filter(
      (deployment) =>
        isIn(deployment) || !all.some((other) => isIn(other) && other.style === deployment.style),
    )
    .flatMap(({ chains }) => chains);
}
