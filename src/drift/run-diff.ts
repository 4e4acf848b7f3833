import { join } from "node:path";
import type { Project } from "../project/project.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import type { GroupReport, OperationReport, Report } from "../report/report.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";
import { readFleetRecord, requireSnapshot } from "../snapshots/read-snapshots.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { readBaseline } from "./baseline/read-baseline.ts";
import { compareSnapshots } from "./compare-snapshots.ts";
import { compareTwo } from "./compare-two.ts";
import { judgeEntries } from "./judge-entries.ts";
import { type FinishedRun, type JudgingRules, judgeRun } from "./judge-run.ts";
import { readSource, type SourceContext } from "./schema-source.ts";

/** What a comparison of snapshots, or of two schemas, came to. */
export type DiffRun = {
  /** What `--report json` writes. */
  readonly report: Report;
  /** How the styles agree, by protocol; null where two schemas of one style were compared. */
  readonly parities: readonly ProtocolParity[] | null;
  /** What the fleets serve, by surface; empty where two schemas were compared. */
  readonly fleets: readonly FleetReport[];
  /** The two schemas that were compared; empty where the snapshots were. */
  readonly schemas: readonly ComparedSchema[];
};

/** What the deployments of one surface serve. */
export type FleetReport = {
  /** The deployments by what they serve. */
  readonly groups: readonly GroupReport[];
  /** The operations of the surface, with the chains they are valid on. */
  readonly operations: readonly OperationReport[];
};

/** One of two schemas that were compared. */
export type ComparedSchema = {
  /** As it was given, without secrets. */
  readonly name: string;
  /** False for a file that did not exist at its git ref: it was taken for empty. */
  readonly exists: boolean;
};

/** When a run began, and by what it is judged. */
export type DiffRules = JudgingRules & { readonly startedAt: number };

/** Compares what the snapshots hold: the styles of every protocol with each other, and every fleet with its snapshot. */
export async function diffSnapshots(project: Project, rules: DiffRules): Promise<DiffRun> {
  const { findings, parities, fleets, answered, categories } = await compareSnapshots(
    project,
    await requireKnownSchemas(project),
    rules.exhaustiveEnums,
  );
  const report = await judge(project, rules, {
    command: "diff",
    findings,
    groups: fleets.flatMap(({ groups }) => groups),
    operations: fleets.flatMap(({ operations }) => operations),
    categories,
    answered,
    judges: judgeEntries(["parity"], null),
  });
  return {
    report,
    parities,
    fleets: fleets.map(({ groups, operations }) => ({ groups, operations })),
    schemas: [],
  };
}

/**
 * Compares any two schemas.
 *
 * @throws UsageError, or what went wrong with one of them.
 */
export async function diffTwo(
  before: string,
  after: string,
  context: SourceContext,
  rules: DiffRules,
): Promise<DiffRun> {
  const { project } = context;
  const [from, to] = [await readSource(before, context), await readSource(after, context)];
  const { findings, operations, parity } = await compareTwo(from, to, project, rules);
  const report = await judge(project, rules, {
    command: `diff ${from.name} ${to.name}`,
    findings,
    groups: [],
    operations,
    categories: [],
    answered: new Set(),
    // No later run repeats the comparison of two named schemas, so nothing of it is accepted.
    judges: () => false,
  });
  return {
    report,
    parities: parity === null ? null : [parity],
    fleets: [],
    schemas: [from, to].map(({ name, schema }) => ({ name, exists: schema !== null })),
  };
}

async function judge(
  project: Project,
  rules: DiffRules,
  run: Omit<FinishedRun, "endpoints" | "failure" | "startedAt">,
): Promise<Report> {
  const { startedAt } = rules;
  return judgeRun(
    { ...run, startedAt, endpoints: () => [], failure: null },
    await readBaseline(project),
    rules,
  );
}

async function requireKnownSchemas({ root, output, surfaces }: Project): Promise<CommittedSchemas> {
  const outputRoot = join(root, output);
  const snapshots: Snapshot[] = [];
  for (const surface of surfaces) snapshots.push(await requireSnapshot(outputRoot, surface));
  return { snapshots, rows: await readFleetRecord(outputRoot) };
}
