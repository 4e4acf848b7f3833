import { cached } from "../base/collections.ts";
import { VERSION } from "../base/own-package.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";
import type { ProjectPlace } from "../project/load-project.ts";
import { type Finding, IMPACT_KINDS, type ImpactKind } from "../report/finding.ts";
import type { AcceptedFinding, DecidedFinding, EndpointReport } from "../report/outcome.ts";
import {
  buildReport,
  type GroupReport,
  type MovedFile,
  type OperationReport,
  type Report,
} from "../report/report.ts";
import type { AcceptedEntry } from "../workspace/baseline.ts";
import { applyBaseline } from "./apply-baseline.ts";
import type { BaselineContext } from "./coverage.ts";
import { DEFAULT_REQUIREMENT, decideOutcome, type FailOn, type Requirement } from "./decide-outcome.ts";
import { joinProtocols, mergeFindings } from "./join-findings.ts";
import type { DiffOptions } from "./severity-rules.ts";

/** The findings and facts of a run, before the baseline is applied and the outcome decided. */
export type FinishedRun = ReportedRun & {
  readonly command: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** Returns the results of the endpoints, given the findings with acceptances; omitted for a run without requests. */
  readonly endpoints?: (findings: readonly AcceptedFinding[]) => readonly EndpointReport[];
  readonly groups?: readonly GroupReport[];
  readonly operations: readonly OperationReport[];
  /** Whether the run would report an accepted finding again if it still existed. */
  readonly covers: BaselineContext["covers"];
  /** Why the run could not be done, as a clause; null when it could. */
  readonly failure?: string | null;
  /** The snapshot files that were updated, removed or kept; omitted if the run updates none. */
  readonly moved?: readonly MovedFile[] | undefined;
  /** Further content of the report; omitted if not requested. */
  readonly details?: RunDetails | undefined;
  /** Joins findings of one event. @default findings of several protocols */
  readonly join?: (findings: readonly AcceptedFinding[]) => AcceptedFinding[];
};

/** The parts of a report besides findings. */
export type RunDetails = Pick<
  Report,
  "protocols" | "deployments" | "against" | "snapshots" | "sources" | "apis"
>;

/** The resolved options that decide a run's outcome. */
export type JudgingRules = DiffOptions & {
  /** Whether the report includes parity and the texts of operations. */
  readonly details: boolean;
  readonly failOn: FailOn;
  readonly failOnHealth: boolean;
  readonly require: Requirement;
};

/** Applies the accepted findings to a run, decides its outcome, and builds its report. */
export function judgeRun(
  run: FinishedRun,
  entries: readonly AcceptedEntry[],
  { failOn, failOnHealth, require }: JudgingRules,
): Report {
  const { startedAt, command, moved, answered, covers, join = joinProtocols } = run;
  const start = new Date(startedAt).toISOString();
  const context = { today: start.slice(0, 10), answered, covers };
  const { findings: applied } = applyBaseline(mergeFindings(run.findings), entries, context);
  const endpoints = run.endpoints?.(applied) ?? [];
  const { outcome, findings } = decideOutcome({
    findings: join(applied),
    endpoints,
    failOn,
    failOnHealth,
    require,
    categories: run.categories,
    failure: run.failure ?? null,
  });
  return buildReport({
    outcome,
    endpoints,
    groups: run.groups ?? [],
    findings,
    operations: reportImpacts(run.operations, applied),
    ...(moved && { moved }),
    ...run.details,
    run: { command, version: VERSION, startedAt: start, durationMs: Date.now() - startedAt },
  });
}

/** Sets the impact of each operation to the worst one of findings that are not accepted. */
function reportImpacts(
  operations: readonly OperationReport[],
  findings: readonly AcceptedFinding[],
): OperationReport[] {
  const keyOf = (of: OfSurface, name: string) => `${surfaceId(of)} ${name}`;
  const impacts = new Map<string, Set<ImpactKind>>();
  for (const { accepted, where, operations: affected } of findings) {
    if (accepted || where === null) continue;
    for (const { name, impact } of affected) cached(impacts, keyOf(where, name), () => new Set()).add(impact);
  }
  return operations.map((operation) => {
    const kinds = impacts.get(keyOf(operation, operation.name));
    return { ...operation, impact: IMPACT_KINDS.find((kind) => kinds?.has(kind)) ?? "unaffected" };
  });
}

/** Resolves the judging options with the defaults that all commands share. */
export function resolveJudging({
  failOn = "operations",
  failOnHealth = false,
  require = DEFAULT_REQUIREMENT,
  exhaustiveEnums = false,
  details = true,
}: { readonly [Name in keyof JudgingRules]?: JudgingRules[Name] | undefined }): JudgingRules {
  return { failOn, failOnHealth, require, exhaustiveEnums, details };
}

/** Options that decide which findings fail a run. */
export type JudgingOptions = {
  /** The severity from which a finding fails the run. @default "operations": only if it affects operations */
  readonly failOn?: FailOn | undefined;
  /** Whether a new enum value breaks clients. @default false */
  readonly exhaustiveEnums?: boolean | undefined;
  /** Whether the report includes parity and the texts of operations. @default true */
  readonly details?: boolean | undefined;
};

/** The findings that fail a run, and the project's folders. */
export type Judged = ProjectPlace & {
  /**
   * The findings of the report that fail the run, the worst first. Without any, the run may still not be clean, because
   * too few deployments answered. `report.outcome` has the result.
   */
  readonly failed: readonly DecidedFinding[];
};

/** Adds the failing findings and the project's folders to a run. */
export function judged<Run extends { readonly report: Report }>(
  { root, output }: ProjectPlace,
  run: Run,
): Run & Judged {
  return { ...run, failed: run.report.findings.filter(({ fails }) => fails), root, output };
}

/** The results of a run that accepting findings needs. */
export type ReportedRun = {
  /** Without findings about the baseline, which is applied again. */
  readonly findings: readonly Finding[];
  /** The deployments whose schemas the run knows. */
  readonly answered: ReadonlySet<string>;
  /** The checked categories. */
  readonly categories: readonly string[];
  /** The fingerprints of the other places of each finding, by its fingerprint; omitted without a report. */
  readonly places?: ReadonlyMap<string, readonly string[]>;
};
