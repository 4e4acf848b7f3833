import { join } from "node:path";
import { GENERATED_MARK } from "../base/disk/output-file.ts";
import { isForeignFolder, readText, readTree } from "../base/disk/read-tree.ts";
import type { Project } from "../project/project.ts";
import { SCHEMAS_FOLDER } from "../snapshots/snapshot.ts";

/** Code in the output folder that generation does not make. */
export type Orphan = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** Carries the mark of what Lockflow writes, so it may be removed; anything else may be somebody's work. */
  readonly ours: boolean;
};

/** The folders of a project that decide what is an orphan. */
export type ProjectFolders = Pick<Project, "root" | "output" | "operations">;

/**
 * Finds the orphans of the output folder. Snapshots are not looked at, because introspection answers for them,
 * and neither are operations, where the configuration has them below the output folder.
 *
 * @param expected what is generated now, relative to the output folder.
 */
export async function findOrphans(
  { root, output, operations }: ProjectFolders,
  expected: readonly string[],
): Promise<Orphan[]> {
  const known = new Set(expected);
  const present = await readTree(join(root, output), [...CODE, ...GRAPHQL], isNotLookedAt);
  const strays = present.filter(
    (path) =>
      !known.has(path) &&
      !`${output}/${path}`.startsWith(`${operations}/`) &&
      !(path.startsWith(`${SCHEMAS_FOLDER}/`) && GRAPHQL.some((extension) => path.endsWith(extension))),
  );
  return Promise.all(
    strays.map(async (path) => {
      const text = (await readText(join(root, output, path))) ?? "";
      return { path, ours: text.slice(0, 200).includes(GENERATED_MARK) };
    }),
  );
}

/** Published as a package, the output folder holds what the package was built of and what it was built to. */
function isNotLookedAt(folder: string): boolean {
  return isForeignFolder(folder) || folder === "dist";
}

/** Declarations end in `.ts` as well. */
const CODE = [".ts", ".tsx", ".mts", ".cts"];
const GRAPHQL = [".graphql", ".gql"];
