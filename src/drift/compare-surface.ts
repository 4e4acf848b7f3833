import { cached } from "../base/cached.ts";
import { groupBy } from "../base/group-by.ts";
import { shortHash } from "../base/hash.ts";
import { groupFleet } from "../compare/group-fleet.ts";
import { mergeFindings } from "../compare/merge-findings.ts";
import type { OfSurface } from "../project/surface.ts";
import type { Finding } from "../report/finding.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import { styles } from "../styles/index.ts";
import type { Recognized } from "../styles/style.ts";
import type { ComparisonRules, UnexpectedStatus } from "./compare-group.ts";
import type { Observation } from "./observation.ts";
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
  const unexpected = observations.filter(({ isSame, second }) => !isSame || second !== null);
  const groups = groupBy(unexpected, ({ text, second, reference }) =>
    JSON.stringify([text, second?.hashes.schema, reference.path]),
  );
  for (const group of groups.values()) {
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

/** Builds what a report says of the deployments of one surface, by what they serve. */
function reportGroups(observations: readonly Observation[], { protocol, style }: OfSurface): GroupReport[] {
  const recognized = new Map<string, Recognized>();
  for (const { hashes, schema } of observations) {
    cached(recognized, hashes.schema, () => styles[style].recognize(schema()));
  }
  const { groups } = groupFleet(
    observations.map(({ deployment, entities, hashes }) => ({
      deployment,
      entities,
      ...hashes,
      release: recognized.get(hashes.schema)?.release ?? null,
    })),
  );
  return groups.map(({ kind, entities, schema, release, deployments }) => ({
    id: shortHash(schema),
    protocol,
    style,
    entities: shortHash(entities),
    release,
    features: recognized.get(schema)?.features ?? [],
    kind,
    deployments,
  }));
}
