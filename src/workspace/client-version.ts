import { dirname, join } from "node:path";
import { CLIENT_PACKAGE, VERSION } from "../base/own-package.ts";
import { isObject, parseJson } from "../base/parse-json.ts";
import { readText } from "../base/read-files.ts";
import type { Project } from "../project/project.ts";

/** Returns the version of the run time that generated code imports; null if it is not installed, or not needed. */
export async function readClientVersion({
  root,
  output,
  runtime,
}: Pick<Project, "root" | "output" | "runtime">): Promise<string | null> {
  if (runtime !== "package") return null;
  for (let folder = join(root, output); ; folder = dirname(folder)) {
    const text = await readText(join(folder, "node_modules", CLIENT_PACKAGE, "package.json"));
    const value = text === null ? null : parseJson(text);
    if (isObject(value) && typeof value["version"] === "string") return value["version"];
    if (folder === dirname(folder)) return null;
  }
}

/** Returns the installed version of the run time if the generated files need another one, else null. */
export async function findClientMismatch(project: Project): Promise<string | null> {
  const version = await readClientVersion(project);
  return version === null || isClientVersion(version) ? null : version;
}

/** Returns whether a version is in the range that generated code needs: before 1.0 the same minor, else the same major. */
export function isClientVersion(version: string): boolean {
  const parts = (text: string) => text.split(/[.+-]/).slice(0, 3).map(Number);
  const [major, minor = 0, patch = 0] = parts(version);
  const [ownMajor, ownMinor = 0, ownPatch = 0] = parts(VERSION);
  if (major !== ownMajor) return false;
  if (minor !== ownMinor) return ownMajor !== 0 && minor > ownMinor;
  return patch >= ownPatch;
}
