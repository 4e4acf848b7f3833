import { resolve } from "node:path";
import { FileError, LockflowError } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";
import { type AppliedBaseline, applyBaseline } from "../compare/apply-baseline.ts";
import {
  type AcceptedEntry,
  BASELINE_PATH,
  judgeEntries,
  readBaseline,
  renderBaseline,
} from "../compare/baseline.ts";
import { compareSnapshots, readShown } from "../compare/compare-surface.ts";
import {
  type AcceptRequest,
  acceptFindings,
  parseReportedRun,
  pruneBaseline,
} from "../compare/edit-baseline.ts";
import type { ReportedRun } from "../compare/judge-run.ts";
import { openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { type Finding, isAboutFile } from "../report/finding.ts";
import { readGenerationInputs } from "../workspace/generation-inputs.ts";
import { allCommitted, openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { checkRepository } from "./check.ts";
import type { GenerateOptions } from "./generate.ts";

/** Changes the list of accepted findings: see `accept` of `src/index.ts`. */
export async function accept(options: AcceptOptions): Promise<AcceptResult> {
  const { cwd, prune, fingerprints = [], reason = "", until = null, scope = null, from = null } = options;
  const request = prune ? null : { fingerprints, reason, until, scope };
  return runAccept(await openProject(options), { request, from, cwd, startedAt: Date.now() });
}

/** The options of `accept`. */
export type AcceptOptions = GenerateOptions & {
  /** What reports call the findings: twelve hex digits each. */
  readonly fingerprints?: readonly string[] | undefined;
  /** Why they are tolerated. Needed beside fingerprints. */
  readonly reason?: string | undefined;
  /** The last day they are tolerated on, as `2027-01-31`. @default no end */
  readonly until?: string | undefined;
  /** Names of the deployments they are tolerated for. @default all that show them */
  readonly scope?: readonly string[] | undefined;
  /** A report of `--report json=<file>` to take the findings from, from `cwd`. @default what the snapshots show */
  readonly from?: string | undefined;
  /** Takes out what has ended or matches nothing any more, and accepts nothing. @default false */
  readonly prune?: boolean | undefined;
};

/** What became of the list of accepted findings. */
export type AcceptResult = AcceptRun;

/** What to accept, or that what is not needed is to go, and where the findings are. */
export type AcceptRules = {
  /** Null to take out what has ended or matches nothing any more. */
  readonly request: Omit<AcceptRequest, "today" | "places"> | null;
  /** A saved report, from `cwd`; null for what the snapshots show. */
  readonly from: string | null;
  readonly cwd: string;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
};

/** What became of the list of accepted findings. */
export type AcceptRun = {
  /** All that is accepted now. */
  readonly entries: readonly AcceptedEntry[];
  /** Entries that are new or changed. */
  readonly added: readonly AcceptedEntry[];
  /** Entries that are gone, or as they were before they changed. */
  readonly removed: readonly AcceptedEntry[];
  /** Whether the file changed. */
  readonly written: boolean;
};

/**
 * Adds findings to what is known and tolerated, or takes out what is not needed.
 *
 * @throws BaselineError for a finding that is not there, or a report of another project.
 */
export async function runAccept(project: Project, rules: AcceptRules): Promise<AcceptRun> {
  const { request, from } = rules;
  const workspace = openWorkspace(project);
  const entries = readBaseline(workspace);
  const today = new Date(rules.startedAt).toISOString().slice(0, 10);
  // Without asking anybody, what `lockflow diff` finds is known, as far as there are snapshots.
  const run =
    from === null
      ? await compareSnapshots(workspace, allCommitted(workspace), false)
      : await readReport(project, from, rules.cwd);
  // A run that asked no deployment knows nothing of what they serve, and its report has no endpoints.
  const shown =
    request === null && run.answered.size > 0 && from !== null ? await readShown(workspace) : null;
  const applied = hold(run, shown, entries, today);
  if (request === null) return write(project, entries, pruneBaseline(entries, applied.stale));
  const known = new Set(applied.findings.map(({ fingerprint }) => fingerprint));
  const isElsewhere = from === null && request.fingerprints.some((id) => !known.has(id));
  const errors = isElsewhere ? await findFileErrors(workspace) : [];
  const unaccepted = hold({ findings: errors, answered: new Set(), categories: [] }, null, [], "").findings;
  const found = [...applied.findings, ...unaccepted];
  const { places } = run;
  return write(
    project,
    entries,
    acceptFindings(entries, found, { ...request, today, ...(places && { places }) }),
  );
}

/** What `lockflow check` finds wrong with files, so that the error names it; nothing where the check cannot run. */
async function findFileErrors(workspace: Workspace): Promise<readonly Finding[]> {
  try {
    const { findings } = await checkRepository(workspace, await readGenerationInputs(workspace), null);
    return findings.filter(isAboutFile);
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return [];
  }
}

async function readReport({ deployments }: Project, from: string, cwd: string): Promise<ReportedRun> {
  const text = await readText(resolve(cwd, from));
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${from}".`,
      hint: "name a report that `--report json=<file>` wrote.",
    });
  }
  return parseReportedRun(text, from, new Set(deployments.map(({ name }) => name)));
}

function hold(
  { findings, answered, categories }: ReportedRun,
  shown: ReadonlySet<string> | null,
  entries: readonly AcceptedEntry[],
  today: string,
): AppliedBaseline {
  return applyBaseline(findings, entries, { today, answered, judges: judgeEntries(categories, shown) });
}

async function write(
  { root }: Project,
  before: readonly AcceptedEntry[],
  after: readonly AcceptedEntry[],
): Promise<AcceptRun> {
  const keyOf = (entry: AcceptedEntry) => renderBaseline([entry]);
  const [was, is] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  // Nothing was ever accepted: there is no need for a file that says so.
  const isNothing = after.length === 0 && (await readText(resolve(root, BASELINE_PATH))) === null;
  const { written } = isNothing
    ? { written: [] }
    : await writeFiles(root, [{ path: BASELINE_PATH, content: renderBaseline(after) }]);
  return {
    entries: after,
    added: after.filter((entry) => !was.has(keyOf(entry))),
    removed: before.filter((entry) => !is.has(keyOf(entry))),
    written: written.length > 0,
  };
}
