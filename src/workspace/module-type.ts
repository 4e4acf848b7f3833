import { dirname, join } from "node:path";
import { isObject, parseJson } from "../base/parse-json.ts";
import { readText } from "../base/read-files.ts";
import { GENERATED_MARK, isMarked, type OutputFile } from "../base/write-files.ts";
import type { Project } from "../project/project.ts";

/** What the nearest package.json says of `.js` files. */
export type ModuleType = {
  /** Null if it is not set: Node then detects the type by the syntax of each file. */
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

/** Where the package.json of the output folder is, from it. */
export const PACKAGE_PATH = "package.json";

/** Renders what makes Node read the output folder as ES modules in a package that says it is of CommonJS. */
export function renderPackageFile(): OutputFile {
  const value = {
    description: `${GENERATED_MARK}: the modules beside this file are ES modules. Do not edit; run \`lockflow generate\`.`,
    type: "module",
    // What the package above says of itself ends here.
    sideEffects: false,
  };
  return { path: PACKAGE_PATH, content: `${JSON.stringify(value, null, 2)}\n` };
}
