import type { Chain, Deployment, Served } from "./manifest-types.ts";
import type { DeploymentName, Protocol } from "./narrowed.ts";
import { own } from "./own.ts";
import { refuseName } from "./refuse-name.ts";

/** What a caller asks for. It may come from outside the type system. */
export type EndpointQuestion = {
  readonly protocol?: unknown;
  readonly style?: unknown;
  readonly chain?: unknown;
  readonly environment?: unknown;
};

/** An endpoint that exists. */
type FoundEndpoint = {
  readonly served: Served;
  readonly name: DeploymentName;
  readonly deployment: Deployment;
  readonly environment: string;
};

/** Finds what is asked for. Throws where there is no such endpoint, and tells what there is. */
export function findEndpoint(
  all: readonly Served[],
  chains: Readonly<Record<string, Chain>>,
  { protocol, style, chain, environment = "production", ...strays }: EndpointQuestion,
): FoundEndpoint {
  const stray = Object.keys(strays)[0];
  if (stray !== undefined) return refuseName("option", stray, OPTIONS);
  const protocols = all.map((one) => one.protocol);
  const served = all[protocols.indexOf(protocol as Protocol)];
  if (!served) return refuseName("protocol", protocol, protocols);
  const { deployments } = served;
  const styleOf = (name: string) => deployments[name]?.style ?? "";
  const serves = (name: string) => deployments[name]?.chains.some((key) => key === chain);
  const active = Object.keys(deployments).filter((name) => deployments[name]?.status === "active");
  const ofStyle = active.filter((name) => styleOf(name) === style);
  if (ofStyle.length === 0) refuseName("style", style, active.map(styleOf));
  const [name = "", ...others] = chain === undefined ? ofStyle : ofStyle.filter(serves);
  const deployment = others.length > 0 ? undefined : deployments[name];
  if (!deployment) {
    const wasServed = Object.keys(deployments).some((other) => styleOf(other) === style && serves(other));
    const isRetired = wasServed || own(chains, chain)?.status === "retired";
    return refuseName(
      `chain of ${protocol} in ${style} style${isRetired ? " any more (retired)" : ""}`,
      chain,
      ofStyle.flatMap((other) => deployments[other]?.chains ?? []),
    );
  }
  return deployment.environments.some((one) => one === environment)
    ? { served, name: name as DeploymentName, deployment, environment: String(environment) }
    : refuseName(`environment of ${name}`, environment, deployment.environments);
}

const OPTIONS: readonly string[] = ["protocol", "style", "chain", "environment"];
