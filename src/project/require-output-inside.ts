import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ConfigError } from "../base/errors/config-error.ts";
import { type Project, requireOwnFolder } from "./project.ts";

/** Requires that the output folder, there or not yet, lies in the project: a link leads out of it as `..` does. */
export function requireOutputInside({ root, output }: Pick<Project, "root" | "output">): void {
  const way = relative(realPathOf(root), realPathOf(join(root, output))).replaceAll(sep, "/");
  if (way === "" || way === ".." || way.startsWith("../") || /^[A-Za-z]:/.test(way)) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"output" must name a folder below the configuration's own, but a link leads from "${output}" out of it.`,
      hint: "name the folder that it leads to in a configuration there, or put a folder in the place of the link.",
    });
  }
  requireOwnFolder(way);
}

/** Where a path leads; for what is not there yet, where its nearest folder leads. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPathOf(dirname(path)), path.slice(dirname(path).length));
  }
}
