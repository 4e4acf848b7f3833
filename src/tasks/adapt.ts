import { join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { compareCodeUnits } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { readForeignText } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";
import { openProject } from "../project/load-project.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { AdaptConfiguration, AdaptedOperation, AdaptOptions, AdaptRename } from "./adapt/adapt-types.ts";
import { planAdapt } from "./adapt/plan-adapt.ts";

/** What became of the operations of a project. */
export type Adapted = {
  /** In order of surface, file and place. */
  readonly operations: readonly AdaptedOperation[];
  /** In order of surface, kind and name. */
  readonly renames: readonly AdaptRename[];
  /** The paths of changed files, in code-unit order. */
  readonly files: readonly string[];
  /** Whether they were written. */
  readonly written: boolean;
  /** The changes as a unified diff; empty if there are none. */
  readonly diff: string;
  /** What to write in the configuration: the code of the notes `adapt/configuration`, each once. */
  readonly configuration: readonly AdaptConfiguration[];
  /** Remarks, one sentence each. */
  readonly notes: readonly string[];
};

/**
 * Writes the new names in the operations of a project after its schema was renamed. Answers keep their shape by aliases.
 * Nothing is written without `write`.
 *
 * @throws UsageError for a rename that does not apply, for a ref without the snapshot, and if a file was changed during the
 * run. FileError outside a repository. SchemaError for a missing snapshot.
 */
export async function adapt(options: AdaptOptions): Promise<Adapted> {
  const project = await openProject(options);
  const workspace = openWorkspace(project);
  const plan = await planAdapt(workspace, options);
  const files = [...plan.files].sort((a, b) => compareCodeUnits(a.path, b.path));
  if (options.write && files.length + plan.removals.length > 0) {
    requireUnchanged(project.root, plan.contents);
    await writeFiles(project.root, files, { removals: plan.removals });
  }
  return {
    operations: plan.operations,
    renames: plan.renames,
    files: [...new Set([...files.map(({ path }) => path), ...plan.removals])].sort(compareCodeUnits),
    written: options.write === true && files.length + plan.removals.length > 0,
    diff: renderDiff(files, plan.removals, plan.contents),
    configuration: plan.configuration,
    notes: plan.notes,
  };
}

/**
 * Requires that files have the content that was read.
 *
 * @param contents by path; null for a file that did not exist.
 * @throws UsageError
 */
export function requireUnchanged(root: string, contents: ReadonlyMap<string, string | null>): void {
  for (const [path, content] of contents) {
    const now = readForeignText(join(root, path), Number.POSITIVE_INFINITY);
    if (now.text === content && (content !== null || now.problem === "missing")) continue;
    throw new UsageError({
      sentence: `${path} was changed during the run. Nothing was written.`,
      hint: "run the command again.",
    });
  }
}

function renderDiff(
  files: readonly OutputFile[],
  removals: readonly string[],
  contents: ReadonlyMap<string, string | null>,
): string {
  const patch = (path: string, before: string | null, after: string | null) => {
    const [from, to] = [before === null ? "/dev/null" : path, after === null ? "/dev/null" : path];
    const text = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, PATCH);
    return `${text.trimEnd()}\n`;
  };
  return [
    ...files.map(({ path, content }) => patch(path, contents.get(path) ?? null, content)),
    ...removals.map((path) => patch(path, contents.get(path) ?? null, null)),
  ].join("");
}

const PATCH = { context: 1, headerOptions: FILE_HEADERS_ONLY };
