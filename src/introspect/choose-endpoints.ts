import type { Deployment, Endpoint } from "../model/deployment.ts";
import { type Environment, IS_PER_CHAIN } from "../model/vocabulary.ts";

/** The endpoints to ask, and the deployments that have none. */
export type EndpointChoice = {
  readonly chosen: readonly {
    readonly deployment: Deployment;
    readonly endpoint: Endpoint;
    readonly url: string;
  }[];
  /** Active deployments without a configured URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
};

/**
 * Chooses one endpoint of every active deployment: testing where there is one, else production; or the wanted
 * environment only.
 *
 * A multichain deployment has no testing endpoint, so its production endpoint is asked in either case.
 */
export function chooseEndpoints(
  deployments: readonly Deployment[],
  environment: Environment | undefined,
): EndpointChoice {
  const chosen: { deployment: Deployment; endpoint: Endpoint; url: string }[] = [];
  const unconfigured: Deployment[] = [];
  for (const deployment of deployments) {
    if (deployment.status === "retired") continue;
    const hasChoice = IS_PER_CHAIN[deployment.style];
    const endpoint = deployment.endpoints.find(
      (candidate) =>
        candidate.url !== null &&
        (environment === undefined || !hasChoice || candidate.environment === environment),
    );
    if (endpoint && endpoint.url !== null) chosen.push({ deployment, endpoint, url: endpoint.url });
    else unconfigured.push(deployment);
  }
  return { chosen, unconfigured };
}
