import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { writeFiles } from "../base/disk/write-files.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { VERSION } from "../base/version.ts";
import type { FailOn } from "../compare/gate.ts";
import { joinProtocols } from "../compare/join-protocols.ts";
import { mergeFindings } from "../compare/merge-findings.ts";
import { decideOutcome } from "../compare/outcome.ts";
import { DEFAULT_REQUIREMENT, parseRequirement, type Requirement } from "../compare/require.ts";
import { type AcceptedEntry, BASELINE_PATH } from "../drift/baseline/accepted-entry.ts";
import { applyBaseline, type BaselineContext, type StaleEntry } from "../drift/baseline/apply-baseline.ts";
import { parseBaseline } from "../drift/baseline/parse-baseline.ts";
import type { Project } from "../project/project.ts";
import { buildReport } from "../report/build-report.ts";
import { type Finding, IMPACT_KINDS, type ImpactKind } from "../report/finding.ts";
import { type Form, RENDERERS } from "../report/forms/index.ts";
import type { AcceptedFinding, EndpointReport, ExitCode } from "../report/outcome.ts";
import { parseReports, type RequestedReport } from "../report/parse-reports.ts";
import type { RenderOptions } from "../report/renderer.ts";
import type { GroupReport, MovedFile, OperationReport, Report } from "../report/report.ts";
import { FLEET_RECORD_PATH } from "../snapshots/fleet-record.ts";
import type { CommandContext } from "./context.ts";
import type { JudgingOptions } from "./options.ts";

/** What a run found, before it is held against the baseline and judged. */
export type JudgedRun = {
  readonly command: string;
  readonly startedAt: number;
  readonly findings: readonly Finding[];
  readonly endpoints: readonly EndpointReport[];
  readonly groups: readonly GroupReport[];
  readonly operations: readonly OperationReport[];
  /** Categories that were looked at. */
  readonly categories: readonly string[];
  /** Names of the deployments whose schemas the run knows. */
  readonly answered: ReadonlySet<string>;
  /** Whether it would have found again what was accepted, were it still so. */
  readonly judges: BaselineContext["judges"];
  /** How what it found can be accepted. */
  readonly accept: RenderOptions["accept"];
  /** Why the run could not be done, as a clause; null when it could. */
  readonly failure: string | null;
  /** What became of the files of snapshots; left out of a run that moves none. */
  readonly moved?: readonly MovedFile[] | undefined;
};

/** How to judge and where to report, as the flags say. Parsed before anything is done. */
export type Judging = {
  readonly reports: readonly RequestedReport[];
  readonly failOn: FailOn;
  readonly failOnHealth: boolean;
  readonly require: Requirement;
  readonly exhaustiveEnums: boolean;
  readonly verbose: boolean;
};

/** @throws UsageError */
export function parseJudging(
  options: JudgingOptions & { readonly require?: string | undefined; readonly failOnHealth?: boolean },
): Judging {
  const { failOn = "operations", failOnHealth = false, require, exhaustiveEnums, verbose } = options;
  return {
    reports: parseReports(reportForms(options)),
    failOn,
    failOnHealth,
    require: require === undefined ? DEFAULT_REQUIREMENT : parseRequirement(require),
    exhaustiveEnums,
    verbose,
  };
}

/** @throws UsageError when the flags say two things of what to report. */
function reportForms({ report, json }: JudgingOptions): string {
  if (!json) return report ?? "text";
  if (report === undefined) return "json";
  if (report.split(",").some((form) => form.trim() === "json")) return report;
  throw new UsageError({
    sentence: "--json is --report json, and --report is given too.",
    hint: `write --report ${report},json.`,
  });
}

/** Reads what was accepted; nothing when there is no file. */
export async function readBaseline(project: Project): Promise<AcceptedEntry[]> {
  const text = await readText(join(project.root, BASELINE_PATH));
  return text === null ? [] : parseBaseline(text, BASELINE_PATH);
}

/** What a run came to. */
export type Judgement = {
  readonly report: Report;
  readonly stale: readonly StaleEntry[];
};

/** Holds a run against the baseline and decides how it ended. */
export async function judgeRun(project: Project, run: JudgedRun, judging: Judging): Promise<Judgement> {
  const { findings: held, stale } = applyBaseline(mergeFindings(run.findings), await readBaseline(project), {
    today: new Date(run.startedAt).toISOString().slice(0, 10),
    answered: run.answered,
    judges: run.judges,
  });
  const { outcome, findings } = decideOutcome({
    findings: joinProtocols(held),
    endpoints: run.endpoints,
    failOn: judging.failOn,
    failOnHealth: judging.failOnHealth,
    require: judging.require,
    categories: run.categories,
    failure: run.failure,
  });
  const report = buildReport({
    outcome,
    endpoints: run.endpoints,
    groups: run.groups,
    findings,
    operations: tellImpacts(run.operations, held),
    ...(run.moved === undefined ? {} : { moved: run.moved }),
    run: {
      command: run.command,
      version: VERSION,
      startedAt: new Date(run.startedAt).toISOString(),
      durationMs: Date.now() - run.startedAt,
    },
  });
  return { report, stale };
}

/** Gives every operation the worst that what is not accepted does to it. */
function tellImpacts(
  operations: readonly OperationReport[],
  findings: readonly AcceptedFinding[],
): OperationReport[] {
  const impacts = new Map<string, Set<ImpactKind>>();
  for (const { accepted, where, operations: hit } of findings) {
    if (accepted || where === null) continue;
    for (const { name, impact } of hit) {
      const key = `${where.protocol}/${where.style} ${name}`;
      const known = impacts.get(key);
      if (known) known.add(impact);
      else impacts.set(key, new Set([impact]));
    }
  }
  return operations.map((operation) => {
    const own = impacts.get(`${operation.protocol}/${operation.style} ${operation.name}`);
    return { ...operation, impact: IMPACT_KINDS.find((kind) => own?.has(kind)) ?? "unaffected" };
  });
}

/** Judges a run, writes every report that was asked for, and gives the exit code. */
export async function finishRun(
  context: CommandContext,
  project: Project,
  run: JudgedRun,
  judging: Judging,
  dress: Dress = (_, text) => text,
): Promise<ExitCode> {
  const { report } = await judgeRun(project, run, judging);
  await writeReports(context, project, report, { ...judging, accept: run.accept }, dress);
  return report.outcome.exit;
}

/** What a command makes of a rendered report, where it has more to show than a report holds. */
export type Dress = (form: Form, text: string) => string;

/** Writes every report that was asked for. */
export async function writeReports(
  context: CommandContext,
  project: Project,
  report: Report,
  { reports, verbose, accept }: Judging & Pick<RenderOptions, "accept">,
  dress: Dress,
): Promise<void> {
  const anchor = `${project.output}/${FLEET_RECORD_PATH}`;
  const folder = folderInCheckout(project.root, context.env["GITHUB_WORKSPACE"]);
  for (const { form, file, stream } of reports) {
    const color = file === null && stream === "err" ? context.isTerminal : false;
    const text = dress(form, RENDERERS[form].render(report, { color, verbose, anchor, folder, accept }));
    // One form is there to give commands to the reader of a log, and lets none through that it has not made.
    const streams = form === "github" ? context.asIs : context;
    if (file === null) streams[stream](text);
    else {
      const path = resolve(context.cwd, file);
      await writeFiles(dirname(path), [{ path: basename(path), content: text }]);
    }
  }
}

/** Where a project lies in a checkout: GitHub shows nothing at a path that is not from there. */
function folderInCheckout(root: string, checkout: string | undefined): string {
  if (!checkout) return "";
  const folder = relative(checkout, root).replaceAll("\\", "/");
  return folder === "" || folder.startsWith("..") || isAbsolute(folder) ? "" : `${folder}/`;
}
