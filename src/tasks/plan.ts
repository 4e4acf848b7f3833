import type { AcceptedEntry } from "../compare/baseline.ts";
import { joinStyles } from "../compare/join-findings.ts";
import { type JudgingRules, judgeRun } from "../compare/judge-run.ts";
import { collectSources } from "../compare/report-operations.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import { type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import { surfaceId } from "../dialects/surface.ts";
import type { Finding } from "../report/finding.ts";
import type { OperationReport, PlannedApi, Report } from "../report/report.ts";
import { type PlanRules, planSurface } from "./plan/plan-surface.ts";
import type { ResolvedPlan } from "./plan/resolve-plan.ts";

/** What a plan came to. */
export type PlanRun = {
  /** What `--report json` writes. */
  readonly report: Report;
  /** The APIs that the protocol would have; empty for a file that no platform can read. */
  readonly apis: readonly PlannedApi[];
};

/** When a run began, what it is called, and by what it is judged. */
export type PlanRunRules = JudgingRules &
  Omit<PlanRules, keyof JudgingRules> & {
    readonly startedAt: number;
    readonly command: string;
    readonly entries: readonly AcceptedEntry[];
  };

/** Derives what entity schemas would give on every platform, and judges what that changes. */
export async function runPlan(
  { files, surfaces, lost }: ResolvedPlan,
  rules: PlanRunRules,
): Promise<PlanRun> {
  const findings: Finding[] = [...files.flatMap(({ problems }) => problems), ...lost];
  const operations: OperationReport[] = [];
  const apis: PlannedApi[] = [];
  for (const surface of surfaces) {
    const planned = await planSurface(surface, rules);
    // One by one: there may be more of them than a call can have arguments.
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
    // What is planned says nothing of what is accepted of what is served.
    judges: () => false,
    details: {
      apis,
      ...(rules.details && {
        sources: collectSources(new Map(surfaces.map((one) => [surfaceId(one), one.operations]))),
      }),
    },
    join: (held: Parameters<typeof joinStyles>[0]) => joinStyles(held, (type) => authored.has(type)),
  };
  return { report: judgeRun(run, rules.entries, rules), apis };
}

/** The types that an entity schema defines or uses. */
function typeNames({ definitions }: EntityModel): string[] {
  return definitions.flatMap((one) => [
    one.name,
    ...(isRowDefinition(one) ? one.fields.map(({ type }) => baseTypeName(type)) : []),
  ]);
}
