import { UsageError } from "../base/errors.ts";
import { shellArgument } from "../base/text.ts";
import { joinStyles } from "../compare/join-findings.ts";
import { type Judged, type JudgingRules, judged, judgeRun, resolveJudging } from "../compare/judge-run.ts";
import { collectSources } from "../compare/report-operations.ts";
import { shareRenames } from "../compare/share-renames.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import { type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { requireRelease } from "../dialects/platform.ts";
import { STYLE_NAMES, surfaceId } from "../dialects/surface.ts";
import { openProject } from "../project/load-project.ts";
import type { Finding } from "../report/finding.ts";
import type { OperationReport, PlannedApi, Report } from "../report/report.ts";
import { type AcceptedEntry, readBaseline } from "../workspace/baseline.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { type PlanRules, planSurface } from "./plan/plan-surface.ts";
import { type PlanOptions, type ResolvedPlan, resolvePlan } from "./plan/resolve-plan.ts";

/** Compares the API of an entity schema with the snapshots. See `plan` in `src/index.ts`. */
export async function plan(options: PlanOptions): Promise<PlanResult> {
  const startedAt = Date.now();
  const { file, against, releases = {} } = options;
  const foreign = Object.keys(releases).find((name) => !STYLE_NAMES.some((style) => style === name));
  if (foreign !== undefined) {
    throw new UsageError({
      sentence: `Unknown style "${foreign}" in "releases".`,
      hint: `the styles are ${STYLE_NAMES.join(" and ")}.`,
    });
  }
  const resolved = STYLE_NAMES.flatMap((name) => {
    const release = releases[name];
    return release === undefined ? [] : [[name, requireRelease(release, styles[name].platform)]];
  });
  const project = await openProject(options);
  const workspace = openWorkspace(project);
  const request = { ...options, releases: Object.fromEntries(resolved) };
  const run = await runPlan(await resolvePlan(workspace, request), {
    ...resolveJudging(options),
    startedAt,
    command: ["plan", ...(file ? [file] : []), ...(against ? ["--against", against] : [])]
      .map(shellArgument)
      .join(" "),
    entries: readBaseline(workspace),
    output: project.output,
  });
  return judged(project, run);
}

/** What `plan` found. */
export type PlanResult = PlanRun & Judged;

/** The result of a plan. */
export type PlanRun = {
  /** What `--report json` writes. */
  readonly report: Report;
  /** The APIs that the protocol would have; empty for a file that does not parse. */
  readonly apis: readonly PlannedApi[];
};

/** The start of a run, its command line, and its rules. */
export type PlanRunRules = JudgingRules &
  Omit<PlanRules, keyof JudgingRules> & {
    readonly startedAt: number;
    readonly command: string;
    readonly entries: readonly AcceptedEntry[];
  };

/** Derives the APIs of entity schemas on every platform, and reports the changes. */
export async function runPlan(
  { files, surfaces, unknownNames }: ResolvedPlan,
  rules: PlanRunRules,
): Promise<PlanRun> {
  const findings: Finding[] = [...files.flatMap(({ problems }) => problems), ...unknownNames];
  const operations: OperationReport[] = [];
  const apis: PlannedApi[] = [];
  const plans = await shareRenames(surfaces, (surface, renames) =>
    planSurface(surface, { ...rules, renames }),
  );
  for (const planned of plans) {
    // Not spread into `push`: there may be more findings than a call can have arguments.
    for (const finding of planned.findings) findings.push(finding);
    operations.push(...planned.operations);
    apis.push(planned.api);
  }
  const authored = new Set(files.flatMap(({ model }) => (model === null ? [] : typeNames(model))));
  const run = {
    command: rules.command,
    startedAt: rules.startedAt,
    findings,
    operations,
    categories: ["drift", "plan"],
    answered: new Set<string>(),
    // Accepted findings are about what is served, so a plan makes none of them stale.
    covers: () => false,
    details: {
      apis,
      ...(rules.details && {
        sources: collectSources(new Map(surfaces.map((surface) => [surfaceId(surface), surface.operations]))),
      }),
    },
    join: (held: Parameters<typeof joinStyles>[0]) => joinStyles(held, (type) => authored.has(type)),
  };
  return { report: judgeRun(run, rules.entries, rules), apis };
}

/** Returns the types that an entity schema defines or uses. */
function typeNames({ definitions }: EntityModel): string[] {
  return definitions.flatMap((definition) => [
    definition.name,
    ...(isRowDefinition(definition) ? definition.fields.map(({ type }) => baseTypeName(type)) : []),
  ]);
}
