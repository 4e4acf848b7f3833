import { GENERATED_MARK, type OutputFile } from "../base/disk/output-file.ts";

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
