import { dirname, join } from "node:path";
import { isMarked } from "../base/disk/output-file.ts";
import { readText } from "../base/disk/read-tree.ts";
import { isObject } from "../base/is-object.ts";
import { parseJson } from "../base/parse-json.ts";
import type { Project } from "../project/project.ts";
import { PACKAGE_PATH } from "./render-package-file.ts";

/** What the nearest package.json says of `.js` files. */
export type ModuleType = {
  /** Null where it says nothing: Node then tells by the syntax of each file. */
  readonly type: "module" | "commonjs" | null;
  /** Its absolute path; null where there is none. */
  readonly path: string | null;
};

/** Reads what Node takes JavaScript in the output folder for, without what Lockflow itself has written there. */
export async function readModuleType({
  root,
  output,
}: Pick<Project, "root" | "output">): Promise<ModuleType> {
  for (let folder = join(root, output); ; folder = dirname(folder)) {
    const path = join(folder, PACKAGE_PATH);
    const text = await readText(path);
    if (text !== null && !isMarked(text)) {
      const value = parseJson(text);
      const type = isObject(value) ? value["type"] : null;
      return { type: type === "module" || type === "commonjs" ? type : null, path };
    }
    if (folder === dirname(folder)) return { type: null, path: null };
  }
}

/** Whether a package.json above the output folder makes JavaScript in it CommonJS, and none of a user's in it says otherwise. */
export async function isCommonJsAbove(project: Pick<Project, "root" | "output">): Promise<boolean> {
  const { type, path } = await readModuleType(project);
  return type === "commonjs" && path !== join(project.root, project.output, PACKAGE_PATH);
}
