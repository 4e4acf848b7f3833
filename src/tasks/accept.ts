import { resolve } from "node:path";
import { FileError, orNull } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";
import { applyBaseline } from "../compare/apply-baseline.ts";
import { compareSnapshots, fingerprintSnapshots } from "../compare/compare-surface.ts";
import { createCoverage } from "../compare/coverage.ts";
import { acceptFindings, parseReportedRun, pruneBaseline } from "../compare/edit-baseline.ts";
import type { ReportedRun } from "../compare/judge-run.ts";
import { openProject } from "../project/load-project.ts";
import type { Project } from "../project/project.ts";
import { FILE_LAYERS, type Finding, isAboutFile } from "../report/finding.ts";
import { type AcceptedEntry, BASELINE_PATH, readBaseline, renderBaseline } from "../workspace/baseline.ts";
import { readGenerationInputs } from "../workspace/generation-inputs.ts";
import { allCommitted, openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { checkRepository } from "./check.ts";
import type { GenerateOptions } from "./generate.ts";

/** Changes the accepted findings: see `accept` of `src/index.ts`. */
export async function accept(options: AcceptOptions): Promise<AcceptResult> {
  return acceptAt(await openProject(options), options, Date.now());
}

/** The options of `accept`. */
export type AcceptOptions = GenerateOptions & {
  /** The fingerprints of the findings in reports: twelve hex digits each. */
  readonly fingerprints?: readonly string[] | undefined;
  /** Why they are accepted. Required with fingerprints. */
  readonly reason?: string | undefined;
  /** The last day of the acceptance, as `2027-01-31`. @default no end */
  readonly until?: string | undefined;
  /** Names of the deployments to accept them for. @default all that show them */
  readonly scope?: readonly string[] | undefined;
  /** The path from `cwd` of a report of `--report json=<file>` with the findings. @default the findings of the snapshots */
  readonly from?: string | undefined;
  /** Removes entries that have ended or match no finding, and accepts nothing. @default false */
  readonly prune?: boolean | undefined;
};

/** The accepted findings after a change. */
export type AcceptResult = {
  /** All accepted entries. */
  readonly entries: readonly AcceptedEntry[];
  /** Entries that are new or changed. */
  readonly added: readonly AcceptedEntry[];
  /** Entries that were removed, and the previous version of changed ones. */
  readonly removed: readonly AcceptedEntry[];
  /** Whether the file changed. */
  readonly written: boolean;
};

/**
 * Adds accepted findings, or removes entries that are not needed.
 *
 * @param startedAt in milliseconds since the epoch.
 * @throws BaselineError for an unknown finding, or a report of another project.
 */
export async function acceptAt(
  project: Project,
  options: AcceptOptions,
  startedAt: number,
): Promise<AcceptResult> {
  const { cwd, prune, fingerprints = [], reason = "", until = null, scope = null, from } = options;
  const workspace = openWorkspace(project);
  const entries = readBaseline(workspace);
  const today = new Date(startedAt).toISOString().slice(0, 10);
  // Without a report, the findings are those of `lockflow diff`, which sends no request.
  const run =
    from === undefined
      ? await compareSnapshots(workspace, allCommitted(workspace), false)
      : await readReport(project, resolve(cwd, from), from);
  // A report without answers says nothing about the schemas that deployments serve.
  const shown =
    prune && run.answered.size > 0 && from !== undefined ? await fingerprintSnapshots(workspace) : null;
  // Findings about files cannot be accepted, so every entry of one is stale.
  const covers = createCoverage([...run.categories, ...FILE_LAYERS], shown);
  const applied = applyBaseline(run.findings, entries, { today, answered: run.answered, covers });
  if (prune) return write(project, entries, pruneBaseline(entries, applied.stale));
  const ids = new Set(applied.findings.map(({ fingerprint }) => fingerprint));
  const isElsewhere = from === undefined && fingerprints.some((id) => !ids.has(id));
  const errors = isElsewhere ? await findFileErrors(workspace) : [];
  const unaccepted = applyBaseline(errors, [], { today, answered: new Set(), covers }).findings;
  const { places } = run;
  const request = { fingerprints, reason, until, scope, today, ...(places && { places }) };
  return write(project, entries, acceptFindings(entries, [...applied.findings, ...unaccepted], request));
}

/** Returns the findings of `lockflow check` about files, for the error message; empty if the check cannot run. */
async function findFileErrors(workspace: Workspace): Promise<readonly Finding[]> {
  const checked = await orNull(async () =>
    checkRepository(workspace, await readGenerationInputs(workspace), null),
  );
  return checked?.findings.filter(isAboutFile) ?? [];
}

async function readReport({ deployments }: Project, path: string, from: string): Promise<ReportedRun> {
  const text = await readText(path);
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `The file "${from}" does not exist.`,
      hint: "pass a report that `--report json=<file>` wrote.",
    });
  }
  return parseReportedRun(text, from, new Set(deployments.map(({ name }) => name)));
}

async function write(
  { root }: Project,
  before: readonly AcceptedEntry[],
  after: readonly AcceptedEntry[],
): Promise<AcceptResult> {
  const keyOf = (entry: AcceptedEntry) => renderBaseline([entry]);
  const oldKeys = new Set(before.map(keyOf));
  const newKeys = new Set(after.map(keyOf));
  // Do not create a file for an empty list.
  const isNothing = after.length === 0 && (await readText(resolve(root, BASELINE_PATH))) === null;
  const { written } = isNothing
    ? { written: [] }
    : await writeFiles(root, [{ path: BASELINE_PATH, content: renderBaseline(after) }]);
  return {
    entries: after,
    added: after.filter((entry) => !oldKeys.has(keyOf(entry))),
    removed: before.filter((entry) => !newKeys.has(keyOf(entry))),
    written: written.length > 0,
  };
}
