import { dirname, join } from "node:path";
import { GENERATED_MARK, isMarked, type OutputFile } from "../base/output-file.ts";
import { isObject, parseJson } from "../base/parse-json.ts";
import { readText } from "../base/read-files.ts";
import type { Project } from "../project/project.ts";

/** The module type of `.js` files according to the nearest package.json. */
export type ModuleType = {
  /** Null if it is not set: Node then detects the type by the syntax of each file. */
  readonly type: "module" | "commonjs" | null;
  /** The absolute path of that package.json; null if there is none. */
  readonly path: string | null;
};

/** Reads the module type of JavaScript in the output folder. Ignores a package.json that Lockflow wrote there. */
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

/** Returns whether a package.json above the output folder makes its JavaScript CommonJS, and no user file in it overrides that. */
export async function isCommonJsAbove(project: Pick<Project, "root" | "output">): Promise<boolean> {
  const { type, path } = await readModuleType(project);
  return type === "commonjs" && path !== join(project.root, project.output, PACKAGE_PATH);
}

/** The path of the package.json in the output folder. */
export const PACKAGE_PATH = "package.json";

/** Renders the package.json that makes the output folder ES modules within a CommonJS package. */
export function renderPackageFile(): OutputFile {
  const value = {
    description: `${GENERATED_MARK}: the modules beside this file are ES modules. Do not edit; run \`lockflow generate\`.`,
    type: "module",
    // The setting of the package above does not apply here.
    sideEffects: false,
  };
  return { path: PACKAGE_PATH, content: `${JSON.stringify(value, null, 2)}\n` };
}
