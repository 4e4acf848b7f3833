import { join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { compareCodeUnits } from "../base/collections.ts";
import { UsageError } from "../base/errors.ts";
import type { OutputFile } from "../base/output-file.ts";
import { readForeignText } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";
import { openProject } from "../project/load-project.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { Adapted, AdaptOptions } from "./adapt/adapt-types.ts";
import { planAdapt } from "./adapt/plan-adapt.ts";

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
  const { removals, contents, ...plan } = await planAdapt(workspace, options);
  const files = [...plan.files].sort((a, b) => compareCodeUnits(a.path, b.path));
  const written = options.write === true && files.length + removals.length > 0;
  if (written) {
    requireUnchanged(project.root, contents);
    await writeFiles(project.root, files, { removals });
  }
  const { operations, renames, configuration, notes } = plan;
  const paths = [...new Set([...files.map(({ path }) => path), ...removals])].sort(compareCodeUnits);
  const diff = renderDiff(files, removals, contents);
  return { operations, renames, files: paths, written, diff, configuration, notes };
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
