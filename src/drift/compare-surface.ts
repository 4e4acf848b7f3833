import { findDifferences } from "../compare/find-differences.ts";
import { mergeFindings } from "../compare/merge-findings.ts";
import { readSide } from "../compare/schema-side.ts";
import type { DiffOptions } from "../compare/severity-rules.ts";
import { IS_PER_CHAIN } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { hashEntities } from "../snapshots/hash-entities.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { flappingFinding } from "./flapping-finding.ts";
import { inconsistentFinding } from "./inconsistent-finding.ts";
import { namesOf, type Observation } from "./observation.ts";
import { isExplained, tellPlatformVariant } from "./platform-variant.ts";
import type { PlacedOperation } from "./read-operations.ts";
import { reportGroups } from "./report-groups.ts";
import { reportOperations } from "./report-operations.ts";

/** The deployments of one surface: what they serve, and how to tell of what differs. */
export type SurfaceInput = DiffOptions & {
  readonly snapshot: Snapshot;
  readonly observations: readonly Observation[];
  /** What those served last who did not answer: operations are told to be valid by it. */
  readonly absent: readonly Observation[];
  readonly operations: readonly PlacedOperation[];
  /** Whether the fleet is compared with itself, and not each deployment with what it served before. */
  readonly isFleet: boolean;
  /** What to type where no operation is hit. */
  readonly fixes: { readonly difference: string | null; readonly variant: string | null };
  /** The output folder from the project's root. */
  readonly output: string;
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

export type UnexpectedStatus = "drifted" | "flapping" | "platform-variant";

/** Compares what the deployments of one surface serve, every distinct schema once. */
export function compareSurface(input: SurfaceInput): SurfaceComparison {
  const { snapshot, observations, absent, operations } = input;
  const findings: Finding[] = [];
  const statuses = new Map<string, UnexpectedStatus>();
  for (const group of groupUnexpected(observations)) {
    const { status, found } = judge(group, input);
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

/** Those that serve the same and are compared with the same. */
type Group = readonly [Observation, ...Observation[]];

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

type Judgement = { readonly status: UnexpectedStatus | null; readonly found: readonly Finding[] };

function judge(group: Group, input: SurfaceInput): Judgement {
  const { snapshot, operations, exhaustiveEnums, isFleet, fixes, output } = input;
  const [{ reference, schema, hashes, second }] = group;
  const style = styles[snapshot.style];
  const where = { protocol: snapshot.protocol, style: snapshot.style, deployments: namesOf(group) };
  const before = parseSnapshot(reference);
  const differences = (after: ApiSchema) =>
    findDifferences({
      before,
      after,
      style,
      where,
      operations,
      exhaustiveEnums,
      placeOf: locateCoordinates(reference.text, `${output}/${reference.path}`),
      fix: fixes.difference,
    }).findings;
  const after = schema();
  const found = differences(after);
  if (second !== null) {
    const releases = [after, second.schema].map((one) => readSide(one, style).recognized.release);
    const all = [...found, ...differences(second.schema)];
    return { status: "flapping", found: [flappingFinding(all, releases, where)] };
  }
  if (found.length === 0) return { status: null, found };
  const [was, is] = [readSide(before, style), readSide(after, style)];
  if (hashEntities(was.model) !== hashEntities(is.model)) {
    return {
      status: "drifted",
      found: isFleet ? [inconsistentFinding(group, found, where), ...found] : found,
    };
  }
  if (hashes.schema === reference.hash) return { status: "drifted", found };
  if (!IS_PER_CHAIN[style.name]) return { status: "platform-variant", found };
  return {
    status: found.every(isExplained) ? "platform-variant" : "drifted",
    found: tellPlatformVariant({
      found,
      before: was.recognized,
      after: is.recognized,
      schema: hashes.schema,
      where,
      fix: fixes.variant,
    }),
  };
}
