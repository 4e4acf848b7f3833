import { relative, resolve, sep } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { FileError } from "../base/errors/file-error.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import type { Project } from "../project/project.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { OperationSource } from "./operation-source.ts";

/**
 * Reads a file that is named on the command line, wherever it lies.
 *
 * @returns its text, and its path from the root of the project.
 * @throws FileError where there is none.
 */
export async function readGivenFile(project: Project, given: string, cwd: string): Promise<OperationSource> {
  const absolute = resolve(cwd, given);
  const text = await readText(absolute);
  if (text === null) {
    throw new FileError({
      code: "FILE_UNREADABLE",
      sentence: `There is no file "${given}".`,
      hint: "name a file of operations, or an operation by its name alone.",
    });
  }
  return { path: relative(project.root, absolute).split(sep).join("/"), text };
}

/**
 * The protocol that a file is of: that of its folder, else the only one there is.
 *
 * @throws UsageError where it may be of several.
 */
export function findProtocolOfFile(
  project: Project,
  given: string,
  path: string,
  candidates: readonly Protocol[],
): Protocol {
  const within = candidates.find((protocol) => path.startsWith(`${project.operations}/${protocol}/`));
  const protocol = within ?? (candidates.length === 1 ? candidates[0] : undefined);
  if (protocol !== undefined) return protocol;
  throw new UsageError({
    sentence: `It is not clear which protocol "${given}" is of.`,
    hint: `say it with --protocol: ${candidates.join(", ")}.`,
  });
}
