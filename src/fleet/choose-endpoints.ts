import type { Deployment, Endpoint } from "../project/deployment.ts";
import { isConfigured } from "../project/is-configured.ts";
import { type Environment, IS_PER_CHAIN } from "../project/vocabulary.ts";

/** The endpoints to ask, and the deployments that have none. */
export type EndpointChoice = {
  readonly chosen: readonly ChosenEndpoint[];
  /** What would be asked of retired deployments, were they active. */
  readonly retired: readonly ChosenEndpoint[];
  /** Active deployments without a configured URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
};

export type ChosenEndpoint = {
  readonly deployment: Deployment;
  readonly endpoint: Endpoint;
};

/**
 * Chooses one endpoint of every active deployment: testing where there is one, else production; or the wanted
 * environment only.
 *
 * A multichain deployment has no testing endpoint, so its production endpoint is asked in either case.
 *
 * @param env tells which endpoints have their host in variables that no configuration names.
 */
export function chooseEndpoints(
  deployments: readonly Deployment[],
  environment: Environment | undefined,
  env: Readonly<Record<string, string | undefined>>,
): EndpointChoice {
  const chosen: ChosenEndpoint[] = [];
  const retired: ChosenEndpoint[] = [];
  const unconfigured: Deployment[] = [];
  for (const deployment of deployments) {
    const isRetired = deployment.status === "retired";
    const hasChoice = IS_PER_CHAIN[deployment.style];
    const endpoint = deployment.endpoints.find(
      (candidate) =>
        isConfigured(candidate, env) &&
        (environment === undefined || !hasChoice || candidate.environment === environment),
    );
    if (endpoint) {
      (isRetired ? retired : chosen).push({ deployment, endpoint });
    } else if (!isRetired) unconfigured.push(deployment);
  }
  return { chosen, retired, unconfigured };
}
