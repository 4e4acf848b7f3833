import { join, posix } from "node:path";
import type { Project } from "../../project/project.ts";
import type { Change } from "./change.ts";
import type { Repository } from "./detect-repository.ts";
import { readNames, readWholeText, surveyPlace } from "./survey-disk.ts";

/** The change of an ESLint configuration that makes ESLint skip generated files: made by `init`, or by its user. */
export type EslintPlan = {
  readonly edited: Change | null;
  /** The line for a configuration without a list to add to. The path is from the root of the repository. */
  readonly advice: { readonly path: string; readonly line: string } | null;
};

/** The names of flat configurations, in the order in which ESLint looks them up. */
const NAMES = ["js", "mjs", "cjs", "ts", "mts", "cts"].map((extension) => `eslint.config.${extension}`);

/**
 * Plans to ignore the folder of generated files in the flat configuration of ESLint. ESLint reports the directive
 * `eslint-disable` in each of these files in which its rules find no problem.
 */
export async function planEslint(
  { root, path }: Repository,
  { output }: Pick<Project, "output">,
): Promise<EslintPlan> {
  const config = await findConfig(root, path);
  const text = config === null ? null : await readWholeText(join(root, config));
  if (config === null || text === null) return { edited: null, advice: null };
  const folder = posix.relative(posix.dirname(config), posix.join(path, output));
  if (ignorePattern(folder).test(text)) return { edited: null, advice: null };
  const glob = `${folder}/**`;
  const content = addToGlobalIgnores(text, glob);
  if (content === null || (await surveyPlace(root, config)) !== "taken") {
    return { edited: null, advice: { path: config, line: `{ ignores: [${JSON.stringify(glob)}] },` } };
  }
  return { edited: { kind: "add", path: config, content, rows: [JSON.stringify(glob)] }, advice: null };
}

/** Finds the configuration for a folder: its own, or the nearest above it in the repository. */
async function findConfig(root: string, folder: string): Promise<string | null> {
  const names = await readNames(join(root, folder));
  const name = NAMES.find((candidate) => names.has(candidate));
  if (name !== undefined) return posix.join(folder, name);
  return folder === "" ? null : findConfig(root, posix.join(folder, "..").replace(/^\.$/, ""));
}

/** Matches a text in quotes that ignores a folder, such as `"generated"` and `"./generated/**"`. */
function ignorePattern(folder: string): RegExp {
  const escaped = folder.replaceAll(/[\\^$.|+*?()[\]{}]/g, "\\$&");
  return new RegExp(`(["'\`])(?:\\*\\*/|\\./)?${escaped}(?:/(?:\\*\\*(?:/\\*)?)?)?\\1`);
}

/** Adds a glob to the first list of `globalIgnores` in code, in the style of the list; null without one. */
function addToGlobalIgnores(text: string, glob: string): string | null {
  // A line that begins a comment or a text before the call is not code.
  const list = /^[^"'`/*\n]*\bglobalIgnores\(\s*\[/m.exec(text);
  if (list === null) return null;
  const start = list.index + list[0].length;
  const rest = text.slice(start);
  const quote = /^[^\]]*?(["'])/.exec(rest)?.[1] ?? '"';
  // A list with lines gets a line.
  const [line] = /^\r?\n[ \t]*(?=\S)(?!\])/.exec(rest) ?? [];
  const added = `${line ?? ""}${quote}${glob}${quote}`;
  const end = line !== undefined ? "," : /^\s*\]/.test(rest) ? "" : ", ";
  return text.slice(0, start) + added + end + rest;
}
