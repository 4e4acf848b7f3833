import { mergeFindings } from "../compare/merge-findings.ts";
import type { Finding } from "../report/finding.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import type { ComparisonRules, Group, UnexpectedStatus } from "./compare-group.ts";
import type { Observation } from "./observation.ts";
import { reportGroups } from "./report-groups.ts";
import { reportOperations } from "./report-operations.ts";

/** The deployments of one surface: what they serve, and how to tell of what differs. */
export type SurfaceInput = ComparisonRules & {
  readonly observations: readonly Observation[];
  /** What deployments that did not answer served last: it still decides where operations are valid. */
  readonly absent: readonly Observation[];
};

/** What the deployments of one surface serve, compared with its snapshot. */
export type SurfaceComparison = {
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupReport[];
  /** Without what the findings do to them. */
  readonly operations: readonly OperationReport[];
  /** What each deployment that serves something unexpected is. */
  readonly statuses: ReadonlyMap<string, UnexpectedStatus>;
};

/** Compares what the deployments of one surface serve, every distinct schema once. */
export async function compareSurface(input: SurfaceInput): Promise<SurfaceComparison> {
  const { snapshot, observations, absent, operations } = input;
  const findings: Finding[] = [];
  const statuses = new Map<string, UnexpectedStatus>();
  for (const group of groupUnexpected(observations)) {
    // The engine that compares is large, and most nights no deployment serves anything new.
    const { compareGroup } = await import("./compare-group.ts");
    const { status, found } = compareGroup(group, input);
    // One by one: there may be more of them than a call can have arguments.
    for (const finding of found) findings.push(finding);
    if (status !== null) for (const { deployment } of group) statuses.set(deployment, status);
  }
  return {
    findings: mergeFindings(findings),
    groups: reportGroups(observations, snapshot),
    operations: reportOperations(operations, [...observations, ...absent], snapshot),
    statuses,
  };
}

function groupUnexpected(observations: readonly Observation[]): Group[] {
  const groups = new Map<string, [Observation, ...Observation[]]>();
  for (const one of observations) {
    if (one.isSame && one.second === null) continue;
    const key = JSON.stringify([one.text, one.second?.hashes.schema, one.reference.path]);
    const others = groups.get(key);
    if (others) others.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
