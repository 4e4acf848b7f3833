import type { Chain, Deployment, Endpoint, Variables } from "../manifest-types.ts";
import type { ChainKey, EndpointRequest } from "../narrowed.ts";

// Not emitted: the manifest of a project has these.

export declare const chains: Readonly<Record<ChainKey, Chain>>;

export declare const deployments: Readonly<Record<string, Deployment>>;

export declare function endpoint(request: EndpointRequest, env?: Variables): Endpoint;

export declare function hasEndpoint(request: EndpointRequest): boolean;
