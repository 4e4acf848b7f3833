import type { Deployment } from "../project/deployment.ts";
import type { DeploymentEndpoint } from "../project/read-urls.ts";
import { type Environ, isConfigured } from "../project/variables.ts";
import { type Environment, IS_PER_CHAIN } from "../project/vocabulary.ts";

/** The endpoints to ask, and the deployments that have none. */
export type EndpointChoice = {
  readonly chosen: readonly DeploymentEndpoint[];
  /** What would be asked of retired deployments, were they active. */
  readonly retired: readonly DeploymentEndpoint[];
  /** Active deployments without a configured URL in the wanted environment. */
  readonly unconfigured: readonly Deployment[];
};

/**
 * Chooses one endpoint of every deployment: testing where there is one, else production; or the wanted environment only.
 * A multichain deployment has no testing endpoint, so its production endpoint is asked in either case.
 */
export function chooseEndpoints(
  deployments: readonly Deployment[],
  environment: Environment | undefined,
  env: Environ,
): EndpointChoice {
  const chosen: DeploymentEndpoint[] = [];
  const retired: DeploymentEndpoint[] = [];
  const unconfigured: Deployment[] = [];
  for (const deployment of deployments) {
    const isRetired = deployment.status === "retired";
    const wanted = IS_PER_CHAIN[deployment.style] ? environment : undefined;
    const endpoint = deployment.endpoints.find(
      (one) => isConfigured(one, env) && one.environment === (wanted ?? one.environment),
    );
    if (endpoint) (isRetired ? retired : chosen).push({ deployment, endpoint });
    else if (!isRetired) unconfigured.push(deployment);
  }
  return { chosen, retired, unconfigured };
}
