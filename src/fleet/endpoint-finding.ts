import type { Deployment } from "../project/deployment.ts";
import { groupBySurface, isOf, surfaceId } from "../project/surface.ts";
import type { Finding, Severity } from "../report/finding.ts";

/** What is found of deployments as such, their schemas apart. */
export type EndpointFacts = {
  readonly code: `identity/${string}` | `health/${string}`;
  readonly severity: Severity;
  /** At least one. */
  readonly deployments: readonly Deployment[];
  /** What they are together, where they may be of more than one surface. */
  readonly across?: string;
  readonly message: string;
  readonly before?: string | undefined;
  readonly after?: string;
  readonly fix: string;
};

/** Builds a finding on the identity or the health of deployments. */
export function buildEndpointFinding(facts: EndpointFacts): Finding {
  const { code, severity, deployments, message, before, after, fix, across } = facts;
  const [first] = deployments as readonly [Deployment, ...Deployment[]];
  const isOneFleet = deployments.every(isOf(first));
  const { protocol, style, name } = first;
  return {
    code,
    severity,
    layer: code.startsWith("identity/") ? "identity" : "health",
    subject: deployments.length === 1 ? name : isOneFleet ? surfaceId(first) : (across ?? name),
    message,
    coordinate: null,
    before: before ?? null,
    after: after ?? null,
    derived: 0,
    where: isOneFleet
      ? { protocol, style, deployments: deployments.map((deployment) => deployment.name) }
      : null,
    operations: [],
    place: null,
    fix,
  };
}

/** Builds one finding for each surface of which there is something. */
export function findingsBySurface<T extends { readonly deployment: Deployment }>(
  items: readonly T[],
  describe: (group: readonly T[]) => Omit<EndpointFacts, "deployments">,
): Finding[] {
  return groupBySurface(items, ({ deployment }) => deployment).map((group) => {
    const deployments = [...new Set(group.map(({ deployment }) => deployment))];
    return buildEndpointFinding({ ...describe(group), deployments });
  });
}
