import type { Endpoint, Routes } from "../manifest/manifest-types.ts";
import type { EndpointRequest } from "../manifest/project.ts";
import { findRoute } from "../manifest/routes.ts";

/** The endpoint of a proxy, which alone knows the URL and headers of the deployment; null if the chain is not served. */
export function proxyEndpoint(routes: Routes, url: string, request: EndpointRequest): Endpoint | null {
  const { protocol, style, environment = "production" } = request;
  const found = findRoute(routes, { ...request, environment: undefined });
  const { endpoints = {} } = routes.protocols[protocol] ?? {};
  const { maxRows } =
    endpoints[`${found?.name} ${environment}`] ?? endpoints[`${style} ${environment}`] ?? {};
  return (
    found && {
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
      secretHeaders: {},
      auth: null,
      limits: { dailyQueries: null, ...(maxRows && { maxRows }) },
      playground: null,
      explorer: null,
      deployment: found.name,
      chains: found.chains,
    }
  );
}
