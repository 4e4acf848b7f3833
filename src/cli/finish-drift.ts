import { displayText } from "../base/display-text.ts";
import { shortHash } from "../base/hash.ts";
import { findUnmet } from "../compare/require.ts";
import { applyBaseline } from "../drift/baseline/apply-baseline.ts";
import type { LiveComparison, LiveGroup } from "../drift/compare-live.ts";
import { isServed, judgeEntries } from "../drift/judge-entries.ts";
import type { LiveOperations } from "../drift/live-operations.ts";
import { moveSnapshots } from "../drift/move-snapshots.ts";
import { reportLiveGroups } from "../drift/report-live-groups.ts";
import { servesWhatIsKnown } from "../drift/serves-what-is-known.ts";
import { statusOfFailure } from "../fleet/failure.ts";
import { findHealth } from "../fleet/find-health.ts";
import { findIdentity } from "../fleet/identity.ts";
import type { Memory } from "../fleet/memory.ts";
import { updateMemory } from "../fleet/memory.ts";
import type { OpenTargets } from "../fleet/open-targets.ts";
import type { Introspected, Outcome } from "../fleet/outcome.ts";
import type { SchemaReading } from "../fleet/read-schema.ts";
import { secretsOf } from "../fleet/resolve-targets.ts";
import { sampleAgain } from "../fleet/sample-again.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { STYLE_NAMES } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { EndpointReport, EndpointStatus } from "../report/outcome.ts";
import type { MovedFile } from "../report/report.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { writeMemory } from "./drift-memory.ts";
import { finishRun, type Judging, readBaseline } from "./judged-run.ts";

/** A run of `drift` once everybody was asked. */
export type AskedRun = {
  readonly context: CommandContext;
  readonly project: Project;
  readonly opened: OpenTargets;
  readonly known: CommittedSchemas;
  readonly judging: Judging;
  /** What earlier runs kept. */
  readonly earlier: Memory;
  /** The file of what the next run shall know. */
  readonly memory: string | undefined;
  /** Whether the snapshots move to what was answered. */
  readonly update: boolean;
  readonly startedAt: number;
  readonly outcomes: readonly Outcome[];
  /** What was found of those that are called retired. */
  readonly retired: readonly Finding[];
  readonly operations: LiveOperations;
};

/** Compares what was answered with what is known, reports it, and moves the snapshots where that was asked for. */
export async function finishDrift(run: AskedRun): Promise<ExitCode> {
  const { context, project, opened, known, judging, startedAt, outcomes } = run;
  const memory = updateMemory(run.earlier, outcomes, project, startedAt);
  const rows = new Map(known.rows.map((row) => [row.name, row]));
  const answered = outcomes.filter((outcome) => outcome.kind === "introspected");
  const suspects = findSuspects(answered, (outcome) => servesWhatIsKnown(outcome, rows));
  const flapping = await sampleAgain(suspects, opened.targets, project);
  const moving = run.update ? findMoving(run) : null;
  const isAll = moving !== null && project.deployments.every((one) => moving.has(nameOfGroup(one)));
  const extent = moving === null || moving.size === 0 ? "none" : isAll ? "all" : "some";
  const live = await compareGroups(run, rows, answered, flapping, extent);
  const findings = [
    ...live.findings,
    ...findIdentity(outcomes, project.chains),
    ...findHealth(outcomes, project.chains, memory, startedAt),
    ...run.retired,
  ];
  const entries = await readBaseline(project);
  const baseline = applyBaseline(findings, entries, {
    today: new Date(startedAt).toISOString().slice(0, 10),
    answered: new Set(),
    judges: () => false,
  });
  const secrets = secretsOf(opened.targets);
  const accepted = findAccepted(baseline.findings);
  const endpoints = [
    ...outcomes.map((outcome) => reportEndpoint(outcome, live.statuses, accepted, secrets)),
    ...skippedEndpoints(project, opened),
  ];
  const followed = outcomes.filter(({ deployment }) => !flapping.has(deployment.name));
  const moved = moving === null ? undefined : await move(run, followed, moving);
  const exit = await finishRun(
    context,
    project,
    {
      command: "drift",
      startedAt,
      findings,
      endpoints,
      groups: live.groups,
      operations: live.operations,
      categories: LOOKED,
      answered: new Set(answered.map(({ deployment }) => deployment.name)),
      judges: judgeEntries(LOOKED, entries.some(isServed) ? await readShown(project) : new Set()),
      accept: "report",
      failure: opened.targets.length === 0 ? "no deployment has a URL to be asked at" : null,
      moved,
    },
    judging,
  );
  // A run that could not be done has seen nothing.
  if (exit !== 2) await writeMemory(context, run.memory, memory);
  return exit;
}

/** The protocols and styles, as `lockup/subgraph`, of which enough answered for their snapshots to move. */
function findMoving({ project, outcomes, judging }: AskedRun): ReadonlySet<string> {
  const answers = outcomes.map(({ deployment: { protocol, style }, ...outcome }) => ({
    protocol,
    style,
    status: outcome.kind === "failed" ? statusOfFailure(outcome.error) : ("same" as const),
  }));
  const unmet = new Set(findUnmet(answers, judging.require).map(({ name }) => name));
  return new Set(project.deployments.map(nameOfGroup).filter((name) => !unmet.has(name)));
}

function nameOfGroup({ protocol, style }: Pick<Deployment, "protocol" | "style">): string {
  return `${protocol}/${style}`;
}

async function move(
  { context, project, known }: AskedRun,
  outcomes: readonly Outcome[],
  moving: ReadonlySet<string>,
): Promise<MovedFile[]> {
  const isMoving = (group: Pick<Deployment, "protocol" | "style">) => moving.has(nameOfGroup(group));
  const { written, removed } = await moveSnapshots(project, known, outcomes, isMoving);
  const moved: MovedFile[] = [
    ...written.map((path) => ({ file: `${project.output}/${path}`, change: "written" }) as const),
    ...removed.map((path) => ({ file: `${project.output}/${path}`, change: "removed" }) as const),
  ];
  context.err(moved.length === 0 ? "No snapshot moved.\n" : `${moved.length} files of snapshots moved.\n`);
  const asked = outcomes.map(({ deployment }) => deployment).filter((one) => !isMoving(one));
  for (const name of new Set(asked.map(nameOfGroup))) {
    context.err(`Those of ${name} stay: too few answered.\n`);
  }
  return moved;
}

/** Comparing the fleets of the snapshots is loaded for what was accepted of them only. */
async function readShown(project: Project): Promise<ReadonlySet<string>> {
  return (await import("../drift/compare-fleets.ts")).readShown(project);
}

const LOOKED = ["drift", "identity", "health"];

/**
 * The deployments to be asked again: those with an unexpected answer, unless half of their group gives the same. That
 * many do not flap at once, and asking all of them again would cost a day's quota.
 */
function findSuspects(
  answered: readonly Introspected[],
  isKnown: (outcome: Introspected) => boolean,
): Introspected[] {
  const sizes = new Map<string, number>();
  const count = (key: string) => sizes.set(key, (sizes.get(key) ?? 0) + 1);
  for (const one of answered) {
    count(groupOf(one));
    count(`${groupOf(one)} ${one.reading.hashes.schema}`);
  }
  return answered.filter((one) => {
    const [all = 0, same = 0] = [
      sizes.get(groupOf(one)),
      sizes.get(`${groupOf(one)} ${one.reading.hashes.schema}`),
    ];
    return !isKnown(one) && (all < FLEET || same * 2 < all);
  });
}

/** Of fewer deployments than this, half is no crowd. */
const FLEET = 4;

function groupOf({ deployment }: Pick<Introspected, "deployment">): string {
  return nameOfGroup(deployment);
}

async function compareGroups(
  run: AskedRun,
  rows: LiveGroup["rows"],
  answered: readonly Introspected[],
  flapping: ReadonlyMap<string, SchemaReading>,
  moving: LiveGroup["moving"],
): Promise<LiveComparison> {
  const { project, known, judging } = run;
  const compare = await chooseComparison(run, rows, answered);
  const comparisons: LiveComparison[] = [];
  for (const protocol of project.protocols) {
    for (const style of STYLE_NAMES) {
      const snapshot = known.snapshots.find((one) => one.protocol === protocol && one.style === style);
      if (snapshot === undefined) continue;
      const isOwn = (deployment: { readonly protocol: string; readonly style: string }) =>
        deployment.protocol === protocol && deployment.style === style;
      comparisons.push(
        compare({
          snapshot,
          style: styles[style],
          rows,
          deployments: project.deployments.filter((one) => isOwn(one) && one.status !== "retired"),
          answered: answered.filter(({ deployment }) => isOwn(deployment)),
          flapping,
          moving,
          exhaustiveEnums: judging.exhaustiveEnums,
          output: project.output,
        }),
      );
    }
  }
  return {
    findings: comparisons.flatMap(({ findings }) => findings),
    groups: comparisons.flatMap(({ groups }) => groups),
    operations: comparisons.flatMap(({ operations }) => operations),
    statuses: new Map(comparisons.flatMap(({ statuses }) => [...statuses])),
  };
}

/** Nothing that compares or judges is loaded where everybody serves what is known and the record tells the rest. */
async function chooseComparison(
  { operations: { recorded, parse } }: AskedRun,
  rows: LiveGroup["rows"],
  answered: readonly Introspected[],
): Promise<(group: Omit<LiveGroup, "operations">) => LiveComparison> {
  if (recorded !== null && answered.every((one) => servesWhatIsKnown(one, rows))) {
    return ({ answered, style, snapshot: { protocol } }) => ({
      findings: [],
      groups: reportLiveGroups(answered, style, protocol),
      operations: recorded(protocol, style.name),
      statuses: new Map(),
    });
  }
  const operations = await parse();
  const { compareLive } = await import("../drift/compare-live.ts");
  return (group) =>
    compareLive({ ...group, operations: operations.of(group.snapshot.protocol, group.style.name) });
}

/** The deployments of which something is found, and nothing that is not accepted. */
function findAccepted(findings: readonly (Finding & { readonly accepted: boolean })[]): ReadonlySet<string> {
  const [found, open] = [new Set<string>(), new Set<string>()];
  for (const { code, where, accepted } of findings) {
    if (!/^(drift|fleet)\//.test(code)) continue;
    for (const name of where?.deployments ?? []) (accepted ? found : open).add(name);
  }
  return new Set([...found].filter((name) => !open.has(name)));
}

function reportEndpoint(
  outcome: Outcome,
  statuses: LiveComparison["statuses"],
  accepted: ReadonlySet<string>,
  secrets: readonly string[],
): EndpointReport {
  const { name: deployment, protocol, style, chains } = outcome.deployment;
  const facts = { deployment, protocol, style, chains };
  if (outcome.kind === "failed") {
    const message = displayText(outcome.error.sentence, secrets);
    return { ...facts, status: statusOfFailure(outcome.error), message, group: null };
  }
  const group = shortHash(outcome.reading.hashes.schema);
  const status = statuses.get(deployment);
  const seen: EndpointStatus =
    status !== undefined && status !== "flapping" && accepted.has(deployment)
      ? "accepted"
      : (status ?? (outcome.probe.hasIndexingErrors ? "indexing-error" : "same"));
  const message = outcome.notes.length > 0 ? displayText(outcome.notes.join("; "), secrets) : null;
  return { ...facts, status: seen, message, group };
}

function skippedEndpoints(project: Project, { unconfigured }: OpenTargets): EndpointReport[] {
  const retired = project.deployments.filter(({ status }) => status === "retired");
  return [
    ...unconfigured.map((deployment) => ({ deployment, message: "It has no URL." })),
    ...retired.map((deployment) => ({ deployment, message: "It is retired." })),
  ].map(({ deployment: { name, protocol, style, chains }, message }) => ({
    deployment: name,
    protocol,
    style,
    chains,
    status: "skipped",
    message,
    group: null,
  }));
}
