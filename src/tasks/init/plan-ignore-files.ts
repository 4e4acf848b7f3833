import { join, posix } from "node:path";
import type { Change } from "./change.ts";
import type { Layout } from "./detect-layout.ts";
import type { Repository } from "./detect-repository.ts";
import { readWholeText, surveyPlace } from "./survey-disk.ts";

/**
 * Plans the lines about Lockflow's files for git and Prettier. Existing lines are not repeated, and links are not edited.
 */
export async function planIgnoreFiles(repository: Repository, { project }: Layout): Promise<Change[]> {
  const { folder, root, path, dependencies } = repository;
  const wanted = {
    ".gitattributes": [`${project.output}/** linguist-generated`],
    // The file that `lockflow emulate --write-env` writes in the documentation.
    ".gitignore": [".env.emulator", "!.env.example"],
    ".prettierignore": dependencies.has("prettier") ? [`${project.output}/`] : [],
  };
  const changes: Change[] = [];
  for (const [name, lines] of Object.entries(wanted)) {
    const file = posix.join(path, name);
    const place = await surveyPlace(root, file);
    if (place !== "free" && place !== "taken") continue;
    const text = (await readWholeText(join(folder, name))) ?? "";
    const present = text.split(/\r?\n/).map((line) => line.trim());
    const rows = lines.filter((line) => !present.includes(line));
    if (rows.length > 0) changes.push({ kind: "add", path: file, content: appendLines(text, rows), rows });
  }
  return changes;
}

/** Appends lines with the line ends of the text. */
function appendLines(text: string, lines: readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : text + end;
  return before + lines.map((line) => line + end).join("");
}
