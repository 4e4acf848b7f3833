import { dirname, join, relative } from "node:path";
import type { Layout } from "./detect-layout.ts";
import type { Repository } from "./detect-repository.ts";
import { readWholeText, surveyPlace } from "./survey-disk.ts";

/** A file with lines appended, or a new file with these lines. */
export type AppendedFile = {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
  readonly added: readonly string[];
};

/** The file that `lockflow emulate --write-env` writes in the documentation. */
const EMULATOR_VARIABLES = ".env.emulator";

/**
 * Plans the lines about Lockflow's files for git and Prettier. Existing lines are not repeated, and links are not edited.
 */
export async function planIgnoreFiles(repository: Repository, layout: Layout): Promise<AppendedFile[]> {
  const { folder, root, path, dependencies } = repository;
  const patterns = await readIgnorePatterns(folder, root);
  const ignores = [
    ...(isIgnored(EMULATOR_VARIABLES, patterns) ? [] : [EMULATOR_VARIABLES]),
    ...(isIgnored(".env.example", patterns) ? ["!.env.example"] : []),
  ];
  const wanted: readonly (readonly [name: string, lines: readonly string[]])[] = [
    [".gitattributes", [`${layout.output}/** linguist-generated`]],
    [".gitignore", ignores],
    [".prettierignore", dependencies.has("prettier") ? [`${layout.output}/`] : []],
  ];
  const files: AppendedFile[] = [];
  for (const [name, lines] of wanted) {
    const file = path === "" ? name : `${path}/${name}`;
    const place = await surveyPlace(root, file);
    if (place !== "free" && place !== "taken") continue;
    const text = (await readWholeText(join(folder, name))) ?? "";
    const known = text.split(/\r?\n/).map((line) => line.trim());
    const added = lines.filter((line) => !known.includes(line));
    if (added.length > 0) files.push({ path: file, content: appendLines(text, added), added });
  }
  return files;
}

/** Appends lines with the line ends of the text. */
function appendLines(text: string, lines: readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : text + end;
  return before + lines.map((line) => line + end).join("");
}

/** Reads the patterns of `.gitignore` from the root of the repository down to the package. */
async function readIgnorePatterns(folder: string, root: string): Promise<string[]> {
  const above =
    folder === root || relative(root, folder).startsWith("..")
      ? []
      : await readIgnorePatterns(dirname(folder), root);
  const text = await readWholeText(join(folder, ".gitignore")).catch(() => null);
  return [...above, ...(text ?? "").split(/\r?\n/).map((line) => line.trim())];
}

/** Returns whether patterns ignore a file name; the last matching pattern decides, as in git. */
function isIgnored(name: string, patterns: readonly string[]): boolean {
  const last = patterns.findLast((pattern) => matcherOf(pattern.replace(/^!/, "")).test(name));
  return last !== undefined && !last.startsWith("!");
}

function matcherOf(pattern: string): RegExp {
  const source = pattern
    .replace(/^(\/|\*\*\/)/, "")
    .replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]");
  return new RegExp(`^${source}$`);
}
