import { cached, compareCodeUnits, groupBy } from "../base/collections.ts";
import { shortHash } from "../base/hash.ts";
import { styles } from "../dialects/index.ts";
import type { Recognized } from "../dialects/style.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";
import type { OperationsBySurface } from "../operations/operation-set.ts";
import type { Finding } from "../report/finding.ts";
import type { ProtocolParity } from "../report/outcome.ts";
import type { GroupReport, OperationReport } from "../report/report.ts";
import { readOperations } from "../workspace/operations.ts";
import { allCommitted, type CommittedSchemas, type Workspace } from "../workspace/workspace.ts";
import type { ComparisonRules, UnexpectedStatus } from "./compare-group.ts";
import type { Rename } from "./find-api-renames.ts";
import { fingerprint, mergeFindings } from "./join-findings.ts";
import type { ReportedRun } from "./judge-run.ts";
import { namesOf, type Observation, observeRows } from "./observation.ts";
import { compareStyles, parityFindings } from "./parity.ts";
import { reportOperations } from "./report-operations.ts";

/** The schemas that the deployments of one surface serve, and the options of their comparison. */
export type SurfaceInput = ComparisonRules & {
  readonly observations: readonly Observation[];
  /** The last known schemas of deployments that did not answer. They still decide where operations are valid. */
  readonly absent: readonly Observation[];
  /** Whether deployments are compared with each other; otherwise each with its own last known schema. */
  readonly isFleet: boolean;
  /** The deployment whose schema is the snapshot. @default the schema of most deployments is */
  readonly followed?: string | undefined;
};

/** The result of comparing the deployments of one surface with its snapshot. */
export type SurfaceComparison = {
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupReport[];
  /** Without the effects of the findings. */
  readonly operations: readonly OperationReport[];
  /** The status of each deployment with an unexpected schema. */
  readonly statuses: ReadonlyMap<string, UnexpectedStatus>;
  readonly renames: readonly Rename[];
};

/** Compares the schemas of one surface's deployments with its snapshot, each distinct schema once. */
export async function compareSurface(input: SurfaceInput): Promise<SurfaceComparison> {
  const { snapshot, observations, absent, operations } = input;
  const findings: Finding[] = [];
  const statuses = new Map<string, UnexpectedStatus>();
  const renames: Rename[] = [];
  const unexpected = observations.filter(({ isSame, second }) => !isSame || second !== null);
  const groups = groupBy(unexpected, ({ text, second, reference }) =>
    JSON.stringify([text, second?.hashes.schema, reference.path]),
  );
  for (const group of groups.values()) {
    // The code that compares schemas is large, and usually no deployment serves anything new.
    const { compareGroup } = await import("./compare-group.ts");
    const compared = compareGroup(group, input);
    renames.push(...compared.renames);
    // One by one, because a call has a limited number of arguments.
    for (const finding of compared.findings) findings.push(finding);
    if (compared.status === null) continue;
    for (const { deployment } of group) statuses.set(deployment, compared.status);
  }
  const leading = findLeading(input);
  return {
    findings: mergeFindings(findings).map((finding) =>
      finding.operations.length === 0 || finding.where?.deployments.some((name) => leading.has(name))
        ? finding
        : { ...finding, fix: input.fixes.minority },
    ),
    groups: reportGroups(observations, snapshot),
    operations: reportOperations(operations, [...observations, ...absent], snapshot),
    statuses,
    renames,
  };
}

/** Returns the deployments whose schema is that of most, or of the followed deployment: it becomes the snapshot. */
function findLeading({ observations, absent, followed, isFleet }: SurfaceInput): ReadonlySet<string> {
  // The snapshot is the schema of most already.
  if (isFleet) return new Set();
  const groups = groupBy([...observations, ...absent], ({ hashes }) => hashes.schema).values();
  const ranked = [...groups].map(namesOf).sort((a, b) => b.length - a.length);
  const [most = [], next = []] = ranked;
  if (followed !== undefined) return new Set(ranked.find((names) => names.includes(followed)));
  return new Set(most.length > next.length ? most : []);
}

/**
 * Groups the deployments of one surface by schema and descriptions. The reference has the most common entities, with their
 * most common schema and its most common descriptions. It goes first, then the largest groups.
 */
export function reportGroups(
  observations: readonly Observation[],
  { protocol, style }: OfSurface,
): GroupReport[] {
  const commonEntities = mostCommon(observations.map(({ entities }) => entities));
  const sameEntities = observations.filter(({ entities }) => entities === commonEntities);
  const commonSchema = mostCommon(sameEntities.map(({ hashes }) => hashes.schema));
  const sameSchema = sameEntities.filter(({ hashes }) => hashes.schema === commonSchema);
  const commonDocs = mostCommon(sameSchema.map(({ hashes }) => hashes.docs));
  const kindOf = ({ entities, hashes: { schema, docs } }: Observation): GroupReport["kind"] => {
    if (entities !== commonEntities) return "entities";
    if (schema !== commonSchema) return "platform";
    return docs === commonDocs ? "reference" : "docs";
  };
  const recognized = new Map<string, Recognized>();
  for (const { hashes, schema } of observations) {
    cached(recognized, hashes.schema, () => styles[style].schemas.recognize(schema()));
  }
  const groups = groupBy(
    observations,
    ({ entities, hashes }) => `${entities} ${hashes.schema} ${hashes.docs}`,
  );
  return [...groups.values()]
    .flatMap((group) =>
      group.slice(0, 1).map((observation) => ({
        id: shortHash(observation.hashes.schema),
        protocol,
        style,
        entities: shortHash(observation.entities),
        release: recognized.get(observation.hashes.schema)?.release ?? null,
        features: recognized.get(observation.hashes.schema)?.features ?? [],
        kind: kindOf(observation),
        deployments: namesOf(group),
      })),
    )
    .sort(
      (a, b) =>
        Number(b.kind === "reference") - Number(a.kind === "reference") ||
        b.deployments.length - a.deployments.length ||
        compareCodeUnits(a.deployments[0] ?? "", b.deployments[0] ?? ""),
    );
}

function mostCommon(values: readonly string[]): string | null {
  const [most] = [...groupBy(values, (value) => value)].sort(
    ([a, m], [b, n]) => n.length - m.length || compareCodeUnits(a, b),
  );
  return most?.[0] ?? null;
}

/** The parity and fleet differences that the snapshots record. Needs no requests. */
type SnapshotComparison = ReportedRun & {
  readonly parities: readonly ProtocolParity[];
  readonly fleets: readonly SurfaceComparison[];
  readonly operations: OperationsBySurface;
};

/** Compares the styles of every protocol with each other, and every fleet with its snapshot. */
export async function compareSnapshots(
  workspace: Workspace,
  schemas: CommittedSchemas,
  exhaustiveEnums: boolean,
): Promise<SnapshotComparison> {
  const operations = await readOperations(workspace, schemas.snapshots);
  const { output, protocols } = workspace.project;
  const parities = compareStyles(protocols, schemas.snapshots);
  const { fleets, answered } = await compareFleets(schemas, operations, { output, exhaustiveEnums });
  return {
    findings: [
      ...parities.flatMap((parity) => parityFindings(parity, parity.protocol)),
      ...fleets.flatMap(({ findings }) => findings),
    ],
    parities,
    fleets,
    operations,
    answered,
    categories: ["fleet", "parity"],
  };
}

/** Returns the fingerprints of the fleet findings that the snapshots alone give. */
export async function fingerprintSnapshots(workspace: Workspace): Promise<ReadonlySet<string>> {
  const schemas = allCommitted(workspace);
  const operations = await readOperations(workspace, schemas.snapshots);
  const { output } = workspace.project;
  const { fleets } = await compareFleets(schemas, operations, { output, exhaustiveEnums: false });
  return new Set(fleets.flatMap(({ findings }) => findings.map(fingerprint)));
}

/** Compares every fleet with its snapshot. */
export async function compareFleets(
  { snapshots, rows }: CommittedSchemas,
  operations: OperationsBySurface,
  { output, exhaustiveEnums }: Pick<ComparisonRules, "output" | "exhaustiveEnums">,
): Promise<Pick<SnapshotComparison, "fleets" | "answered">> {
  const answered = new Set<string>();
  const fleets: SurfaceComparison[] = [];
  for (const snapshot of snapshots) {
    const observations = observeRows(rows, snapshot);
    for (const { deployment } of observations) answered.add(deployment);
    const comparison = await compareSurface({
      snapshot,
      observations,
      absent: [],
      operations: operations.get(surfaceId(snapshot)) ?? [],
      exhaustiveEnums,
      isFleet: true,
      fixes: RECORDED,
      output,
    });
    fleets.push(comparison);
  }
  return { fleets, answered };
}

/**
 * Returns the differences that the snapshots record, for commands besides `diff`. One that only adds something is not a
 * problem.
 */
export function recordedFindings(fleets: readonly SurfaceComparison[]): Finding[] {
  return fleets
    .flatMap(({ findings }) => findings)
    .filter(({ severity, operations }) => operations.length > 0 || RISKY.has(severity));
}

const RISKY: ReadonlySet<Finding["severity"]> = new Set(["breaking", "risky"]);

/** The hints for differences that the snapshots record. */
const RECORDED: ComparisonRules["fixes"] = {
  difference: null,
  variant: null,
  minority:
    "most deployments accept the operations: keep them, and wait until the others follow or accept the finding.\nthe manifest lists the chains of each operation.",
};
