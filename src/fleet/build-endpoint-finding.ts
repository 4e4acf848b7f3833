import type { Deployment } from "../project/deployment.ts";
import type { Finding, Severity } from "../report/finding.ts";

/** What is found of deployments as such, their schemas apart. */
export type EndpointFacts = {
  readonly code: `identity/${string}` | `health/${string}`;
  readonly severity: Severity;
  /** At least one. */
  readonly deployments: readonly Deployment[];
  /** What they are together, where they may be of more than one protocol and style. */
  readonly across?: string;
  readonly message: string;
  readonly before?: string | undefined;
  readonly after?: string;
  readonly fix: string;
};

/** Builds a finding on who a deployment is, or how it is. */
export function buildEndpointFinding(facts: EndpointFacts): Finding {
  const { code, severity, deployments, message, before, after, fix, across } = facts;
  const { protocol, style, name } = deployments[0] as Deployment;
  const isOneFleet = deployments.every((one) => one.protocol === protocol && one.style === style);
  return {
    code,
    severity,
    layer: code.startsWith("identity/") ? "identity" : "health",
    subject: deployments.length === 1 ? name : isOneFleet ? `${protocol}/${style}` : (across ?? name),
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

/** Deployments by protocol and style, in the order in which these come. */
export function byProtocolAndStyle<T extends { readonly deployment: Deployment }>(
  items: readonly T[],
): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = `${item.deployment.protocol}/${item.deployment.style}`;
    const others = groups.get(key);
    if (others) others.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
