import { join } from "node:path";
import { GENERATED_MARK, type OutputFile } from "../files/output-file.ts";
import { readText, readTree } from "../files/read-tree.ts";

/** Modules in the output folder that generation does not make. */
export type Orphan = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** Carries the mark of what Lockflow writes, so it may be removed; anything else may be somebody's work. */
  readonly ours: boolean;
};

/** Finds the orphans of an output folder, given what is generated now. */
export async function findOrphans(
  outputRoot: string,
  files: readonly Pick<OutputFile, "path">[],
): Promise<Orphan[]> {
  const expected = new Set(files.map((file) => file.path));
  const present = await readTree(outputRoot, [".ts"]);
  const strays = present.filter((path) => !expected.has(path) && !path.startsWith("node_modules/"));
  return Promise.all(
    strays.map(async (path) => {
      const text = (await readText(join(outputRoot, path))) ?? "";
      return { path, ours: text.slice(0, 200).includes(GENERATED_MARK) };
    }),
  );
}
