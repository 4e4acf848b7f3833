import { join } from "node:path";
import { DISK, type TextSource } from "../base/disk/read-tree.ts";
import type { Project } from "../project/project.ts";

/** The text of an operation file, before it is parsed. */
export type OperationSource = { readonly path: string; readonly text: string };

/**
 * Reads the operation files below a folder; their paths are from the project's root, with `/`.
 *
 * @param folder in that of the operations: `lockup/subgraph`.
 */
export async function readOperationSources(
  { root, operations }: Pick<Project, "root" | "operations">,
  folder: string,
  { readTree, readText }: TextSource = DISK,
): Promise<OperationSource[]> {
  const base = `${operations}/${folder}`;
  const paths = await readTree(join(root, base), [".graphql", ".gql"]);
  return Promise.all(
    paths.map(async (path) => ({
      path: `${base}/${path}`,
      text: (await readText(join(root, base, path))) ?? "",
    })),
  );
}
