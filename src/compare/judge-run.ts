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
import { applyBaseline } from "./apply-baseline.ts";
import type { AcceptedEntry, BaselineContext } from "./baseline.ts";
import { DEFAULT_REQUIREMENT, decideOutcome, type FailOn, type Requirement } from "./decide-outcome.ts";
import { joinProtocols, mergeFindings } from "./join-findings.ts";
import type { DiffOptions } from "./severity-rules.ts";

/** What a run found, before the baseline is applied and it is judged. */
export type FinishedRun = ReportedRun & {
  readonly command: string;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  /** The results of the endpoints, given the accepted findings; left out for a run without requests. */
  readonly endpoints?: (findings: readonly AcceptedFinding[]) => readonly EndpointReport[];
  readonly groups?: readonly GroupReport[];
  readonly operations: readonly OperationReport[];
  /** Whether it would have found again what was accepted, were it still so. */
  readonly judges: BaselineContext["judges"];
  /** Why the run could not be done, as a clause; null when it could. */
  readonly failure?: string | null;
  /** What became of the files of snapshots; left out of a run that moves none. */
  readonly moved?: readonly MovedFile[] | undefined;
  /** What people look at beside the findings; left out of a run that was not to tell it. */
  readonly details?: RunDetails | undefined;
  /** Makes one of findings that are one event. @default those of several protocols */
  readonly join?: (findings: readonly AcceptedFinding[]) => AcceptedFinding[];
};

/** What a report holds beside what was found. */
export type RunDetails = Pick<Report, "protocols" | "deployments" | "snapshots" | "sources" | "apis">;

/** By what a run is judged. */
export type JudgingRules = DiffOptions & {
  /** Whether the report is to hold what people look at beside the findings: parity, and the texts of operations. */
  readonly details: boolean;
  readonly failOn: FailOn;
  readonly failOnHealth: boolean;
  readonly require: Requirement;
};

/** Holds a run against what was accepted, decides how it ended, and reports it. */
export function judgeRun(
  {
    startedAt,
    command,
    endpoints: reportEndpoints,
    groups = [],
    failure = null,
    moved,
    details,
    join = joinProtocols,
    ...run
  }: FinishedRun,
  entries: readonly AcceptedEntry[],
  { failOn, failOnHealth, require }: JudgingRules,
): Report {
  const { answered, judges, categories } = run;
  const today = new Date(startedAt).toISOString().slice(0, 10);
  const { findings: held } = applyBaseline(mergeFindings(run.findings), entries, { today, answered, judges });
  const endpoints = reportEndpoints?.(held) ?? [];
  const { outcome, findings } = decideOutcome({
    findings: join(held),
    endpoints,
    failOn,
    failOnHealth,
    require,
    categories,
    failure,
  });
  return buildReport({
    outcome,
    endpoints,
    groups,
    findings,
    operations: reportImpacts(run.operations, held),
    ...(moved && { moved }),
    ...details,
    run: {
      command,
      version: VERSION,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
    },
  });
}

/** Gives every operation the worst that what is not accepted does to it. */
function reportImpacts(
  operations: readonly OperationReport[],
  findings: readonly AcceptedFinding[],
): OperationReport[] {
  const keyOf = (of: OfSurface, name: string) => `${surfaceId(of)} ${name}`;
  const impacts = new Map<string, Set<ImpactKind>>();
  for (const { accepted, where, operations: hit } of findings) {
    if (accepted || where === null) continue;
    for (const { name, impact } of hit) cached(impacts, keyOf(where, name), () => new Set()).add(impact);
  }
  return operations.map((operation) => {
    const own = impacts.get(keyOf(operation, operation.name));
    return { ...operation, impact: IMPACT_KINDS.find((kind) => own?.has(kind)) ?? "unaffected" };
  });
}

/** Resolves how a run is judged, with the defaults of every command. */
export function resolveJudging({
  failOn = "operations",
  failOnHealth = false,
  require = DEFAULT_REQUIREMENT,
  exhaustiveEnums = false,
  details = true,
}: { readonly [Name in keyof JudgingRules]?: JudgingRules[Name] | undefined }): JudgingRules {
  return { failOn, failOnHealth, require, exhaustiveEnums, details };
}

/** How what was found is judged. */
export type JudgingOptions = {
  /** From which severity on a finding fails the run by itself. @default "operations", only what hits operations */
  readonly failOn?: FailOn | undefined;
  /** Whether a new member of an enum breaks clients. @default false */
  readonly exhaustiveEnums?: boolean | undefined;
  /** Whether the report holds what people look at beside findings: parity, and the texts of operations. @default true */
  readonly details?: boolean | undefined;
};

/** What failed, and where its files are. */
export type Judged = ProjectPlace & {
  /**
   * The findings of the report that fail the run, the worst first. A run without any may still not be clean: too few
   * may have answered. `report.outcome` has the result.
   */
  readonly failed: readonly DecidedFinding[];
};

/** Adds to a run which of its findings fail it, and where its files are. */
export function judged<Run extends { readonly report: Report }>(
  { root, output }: ProjectPlace,
  run: Run,
): Run & Judged {
  return { ...run, failed: run.report.findings.filter(({ fails }) => fails), root, output };
}

/** What a run found, as far as accepting needs it. */
export type ReportedRun = {
  /** Without what was found of the baseline, which is applied to the findings anew. */
  readonly findings: readonly Finding[];
  /** Names of the deployments whose schemas it knows. */
  readonly answered: ReadonlySet<string>;
  /** Categories that were looked at. */
  readonly categories: readonly string[];
  /** Fingerprints of the further places of findings, by those of the findings; left out where nothing was reported. */
  readonly places?: ReadonlyMap<string, readonly string[]>;
};
