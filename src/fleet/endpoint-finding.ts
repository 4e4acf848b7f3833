import type { Deployment } from "../project/deployment.ts";
import { groupBySurface, isOf, surfaceId } from "../project/surface.ts";
import { type Code, type FactsOf, messageOf } from "../report/codes/code.ts";
import { ENDPOINTS } from "../report/codes/endpoints.ts";
import type { Finding } from "../report/finding.ts";

/** What is found of deployments as such, their schemas apart: a code, and the facts that its message is made of. */
export type EndpointFacts = {
  [C in keyof typeof ENDPOINTS]: { readonly code: C; readonly facts: FactsOf<(typeof ENDPOINTS)[C]> };
}[keyof typeof ENDPOINTS] &
  Partial<Pick<Finding, "severity" | "before" | "after" | "fix">> & {
    /** What they are together, where they may be of more than one surface. */
    readonly across?: string;
  };

/** Builds a finding on the identity or the health of deployments, at least one. */
export function buildEndpointFinding(
  deployments: readonly Deployment[],
  { code, facts, severity, before, after, fix, across }: EndpointFacts,
): Finding {
  const [first] = deployments as readonly [Deployment, ...Deployment[]];
  const isOneFleet = deployments.every(isOf(first));
  const { protocol, style, name } = first;
  const row: Code = ENDPOINTS[code];
  return {
    code,
    severity: severity ?? row.severity ?? "risky",
    layer: code.startsWith("identity/") ? "identity" : "health",
    subject: deployments.length === 1 ? name : isOneFleet ? surfaceId(first) : (across ?? name),
    message: messageOf(row, facts),
    coordinate: null,
    before: before ?? null,
    after: after ?? null,
    derived: 0,
    where: isOneFleet ? { protocol, style, deployments: deployments.map((one) => one.name) } : null,
    operations: [],
    place: null,
    fix: fix ?? row.fix ?? null,
  };
}

/** Builds one finding for each surface of which there is something. */
export function findingsBySurface<T extends { readonly deployment: Deployment }>(
  items: readonly T[],
  describe: (group: readonly T[]) => EndpointFacts,
): Finding[] {
  return groupBySurface(items, ({ deployment }) => deployment).map((group) => {
    const deployments = [...new Set(group.map(({ deployment }) => deployment))];
    return buildEndpointFinding(deployments, describe(group));
  });
}
