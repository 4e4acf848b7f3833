import type { Project } from "../project/project.ts";
import { buildEndpoint, isServed } from "../runtime/build-endpoint.ts";
import type { Manifest } from "../runtime/client/client-options.ts";
import type { Served, Text } from "../runtime/manifest-types.ts";
import { buildSources, chainRow, deploymentRow } from "./manifest-rows.ts";

/** What `manifest.ts` holds once it is generated, to be asked at once. */
export type LiveManifest = Manifest & {
  /** How each protocol is served. */
  readonly served: readonly Served[];
};

/** Creates the manifest of a project. Its endpoints need the variables that they are made of: it reads none by itself. */
export function createManifest({
  brand,
  shared,
  chains,
  deployments,
  definitions,
}: Pick<Project, "brand" | "shared" | "chains" | "deployments" | "definitions">): LiveManifest {
  const rows = Object.fromEntries(chains.map((chain) => [chain.key, chainRow(chain)]));
  const served = definitions.map((definition): Served => {
    const own = deployments.filter(({ protocol }) => protocol === definition.key);
    const { values, endpoints, links } = buildSources(shared, own, definition.key);
    return {
      protocol: definition.key,
      brand: definition.deployment.startsWith("{brand}") ? brand : "",
      values: Object.fromEntries(Object.entries(values).flatMap(entryOf)),
      deployments: Object.fromEntries(own.map((deployment) => [deployment.name, deploymentRow(deployment)])),
      endpoints,
      links: Object.fromEntries(
        Object.entries(links).map(([name, link]) => [
          name,
          Object.fromEntries(Object.entries(link).flatMap(entryOf)),
        ]),
      ),
    };
  });
  return {
    chains: rows,
    deployments: Object.assign({}, ...served.map((one) => one.deployments)),
    served,
    endpoint: (request, env = {}) => buildEndpoint(served, rows, { ...request }, env),
    hasEndpoint: (request) => isServed(served, rows, { ...request }),
  };
}

function entryOf([key, text]: [string, Text | null | undefined]): [string, Text][] {
  return text == null ? [] : [[key, text]];
}
