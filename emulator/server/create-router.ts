import { once } from "../../src/base/collections.ts";
import type { Adapter } from "../adapters/adapter.ts";
import { adapters } from "../adapters/index.ts";
import type { EmulatedEndpoint } from "../indexers/emulated-deployment.ts";

/** Who answers at a path. */
export type Router = {
  readonly adapterOf: (path: string) => Adapter;
  /** Null when nothing is deployed there. */
  readonly endpointAt: (path: string) => EmulatedEndpoint | null;
};

/** Creates the list of what is served where. Of several platforms, the last answers for all that is nobody's. */
export function createRouter(endpoints: readonly EmulatedEndpoint[]): Router {
  const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const styles = new Set(endpoints.map(({ deployment }) => deployment.style));
  const served = Object.entries(adapters)
    .filter(([style]) => endpoints.length === 0 || [...styles].some((one) => one === style))
    .map(([, adapter]) => adapter);
  const last = served.at(-1);
  if (last === undefined) throw new TypeError("There is an adapter for every style.");
  const adapterOf = (path: string) => served.find((adapter) => adapter.owns(path)) ?? last;
  // Hashes are made of names here, which a start should not wait for.
  const others = once(() => listOthers(endpoints));
  return {
    adapterOf,
    endpointAt: (path) => {
      const endpoint = byPath.get(path);
      if (endpoint) return endpoint;
      const address = adapterOf(path).addressOf(path);
      return byPath.get(address) ?? others().get(address) ?? null;
    },
  };
}

function listOthers(endpoints: readonly EmulatedEndpoint[]): ReadonlyMap<string, EmulatedEndpoint | null> {
  const others = new Map<string, EmulatedEndpoint | null>();
  for (const endpoint of endpoints) {
    const { deployment, environment } = endpoint;
    for (const path of adapters[deployment.style].otherPathsOf(deployment, environment)) {
      others.set(path, others.has(path) ? null : endpoint);
    }
  }
  return others;
}
