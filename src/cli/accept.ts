import { join, resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { writeFiles } from "../base/disk/write-files.ts";
import { displayText } from "../base/display-text.ts";
import { FileError } from "../base/errors/file-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { type AcceptedEntry, BASELINE_PATH } from "../drift/baseline/accepted-entry.ts";
import { type AppliedBaseline, applyBaseline } from "../drift/baseline/apply-baseline.ts";
import { acceptFindings, pruneBaseline } from "../drift/baseline/edit-baseline.ts";
import { parseReportedRun, type ReportedRun } from "../drift/baseline/parse-reported-run.ts";
import { renderBaseline } from "../drift/baseline/render-baseline.ts";
import { readShown } from "../drift/compare-fleets.ts";
import { judgeEntries } from "../drift/judge-entries.ts";
import { openProject } from "../project/open-project.ts";
import type { Project } from "../project/project.ts";
import type { AcceptedFinding } from "../report/outcome.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { findFaults, findOffline } from "./find-offline.ts";
import { readBaseline } from "./judged-run.ts";
import type { Options } from "./options.ts";
import { projectOptions } from "./project-options.ts";

/**
 * `lockflow accept`: adds findings to what is known and tolerated, or with --prune takes out what is not needed. The
 * findings are those of the snapshots or, with --from, those of a saved report.
 */
export async function runAccept(context: CommandContext, options: Options<"accept">): Promise<ExitCode> {
  const { prune: isPrune, reason = "", until = null, scope = null, from } = options;
  checkUsage(context, options);
  const project = await openProject(projectOptions(context, options));
  const entries = await readBaseline(project);
  const today = new Date().toISOString().slice(0, 10);
  const run = await findRun(context, project, from);
  // Who asked nobody tells nothing of what is served; a report of nobody who was asked has no endpoints.
  const shown = isPrune && run.answered.size > 0 && from !== undefined ? await readShown(project) : null;
  const applied = hold(run, shown, entries, today);
  const edited = isPrune
    ? pruneBaseline(entries, applied.stale)
    : acceptFindings(
        entries,
        [...applied.findings, ...(await findUnaccepted(context, project, applied, from))],
        {
          fingerprints: context.positionals,
          reason,
          until,
          scope,
          today,
        },
      );
  await write(context, project, entries, edited);
  return 0;
}

function checkUsage(context: CommandContext, options: Options<"accept">): void {
  const hint = "run `lockflow accept --help`.";
  const isPrune = options.prune;
  const refused = isPrune
    ? (["reason", "until", "scope"] as const).find((name) => options[name] !== undefined)
    : undefined;
  if (refused !== undefined)
    throw new UsageError({ sentence: `--${refused} does not go with --prune.`, hint });
  if (isPrune && context.positionals.length > 0) {
    throw new UsageError({
      sentence: "--prune takes no fingerprints: it takes out all that is not needed.",
      hint,
    });
  }
  if (isPrune) return;
  if (context.positionals.length === 0) {
    throw new UsageError({
      sentence: "`lockflow accept` needs a fingerprint, or --prune.",
      hint: "copy the fingerprint from a report: twelve hex digits behind the code.",
    });
  }
  if (options.reason === undefined) {
    throw new UsageError({
      sentence: "`lockflow accept` needs --reason: why it is tolerated.",
      hint: 'for example --reason "linea is being redeployed".',
    });
  }
  if (options.scope?.length === 0) {
    throw new UsageError({ sentence: "--scope names no deployment.", hint });
  }
}

async function findRun(
  context: CommandContext,
  project: Project,
  from: string | undefined,
): Promise<ReportedRun> {
  if (from === undefined) return findOffline(project);
  const text = await readText(resolve(context.cwd, from));
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${from}".`,
      hint: "name a report that `--report json=<file>` wrote.",
    });
  }
  return parseReportedRun(text, from, new Set(project.deployments.map(({ name }) => name)));
}

/** What is named and was not found among what can be accepted may be a fault of a file, which tells what it is. */
async function findUnaccepted(
  context: CommandContext,
  project: Project,
  { findings }: AppliedBaseline,
  from: string | undefined,
): Promise<readonly AcceptedFinding[]> {
  const known = new Set(findings.map(({ fingerprint }) => fingerprint));
  if (from !== undefined || context.positionals.every((id) => known.has(id))) return [];
  const run = { findings: await findFaults(project), answered: new Set<string>(), categories: [] };
  return hold(run, null, [], "").findings;
}

function hold(
  run: ReportedRun,
  shown: ReadonlySet<string> | null,
  entries: readonly AcceptedEntry[],
  today: string,
): AppliedBaseline {
  return applyBaseline(run.findings, entries, {
    today,
    answered: run.answered,
    judges: judgeEntries(run.categories, shown),
  });
}

async function write(
  context: CommandContext,
  project: Project,
  before: readonly AcceptedEntry[],
  after: readonly AcceptedEntry[],
): Promise<void> {
  const [was, is] = [new Set(before.map(lineOf)), new Set(after.map(lineOf))];
  const lines = [
    ...after.filter((entry) => !was.has(lineOf(entry))).map((entry) => `  + ${describe(entry)}\n`),
    ...before.filter((entry) => !is.has(lineOf(entry))).map((entry) => `  - ${describe(entry)}\n`),
  ];
  // Nothing was ever accepted: there is no need for a file that says so.
  const isNothing = after.length === 0 && (await readText(join(project.root, BASELINE_PATH))) === null;
  const { written } = isNothing
    ? { written: [] }
    : await writeFiles(project.root, [{ path: BASELINE_PATH, content: renderBaseline(after) }]);
  for (const line of lines) context.out(line);
  context.out(
    written.length === 0
      ? `${BASELINE_PATH} is as it was.\n`
      : `Wrote ${BASELINE_PATH}: ${after.length} accepted. Commit it.\n`,
  );
}

function lineOf(entry: AcceptedEntry): string {
  return renderBaseline([entry]);
}

function describe({ fingerprint, code, coordinate, scope, reason, until }: AcceptedEntry): string {
  const facts = [
    fingerprint,
    code,
    ...(coordinate === null ? [] : [displayText(coordinate, [])]),
    ...(scope.length === 0 ? [] : [scope.length <= 3 ? scope.join(", ") : `${scope.length} deployments`]),
  ];
  return `${facts.join("  ")}${until === null ? "" : ` until ${until}`}: ${displayText(reason, [])}`;
}
