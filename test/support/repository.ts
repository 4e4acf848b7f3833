import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this repository, without a slash at its end. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** The text of a file of the repository. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}

/** The generated files by their paths in `generated/`, without the files of its package. */
export function readGenerated(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readRepositoryTree("generated")).filter(
      ([path]) => !/^(dist\/|(LICENSE|README\.md|package\.json)$)/.test(path),
    ),
  );
}

/** The text of every file below a folder of the repository, by its path from `below`, in code-unit order. */
export function readRepositoryTree(below: string): Record<string, string> {
  const folder = join(REPOSITORY, below);
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort()
      .map((path) => [path.split(sep).join("/"), readFileSync(join(folder, path), "utf8")]),
  );
}

/** The same files, in a folder. */
export function inFolder(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** Copies a protocol with few operations, because a command reads and checks each one. */
export function copyFewOperations(root: string, protocol: string): void {
  const paths = ["multichain", "subgraph", "portable/fragments", "portable/recent-streams.graphql"];
  copyFromRepository(root, ...paths.map((path) => `operations/${protocol}/${path}`));
  copyFromRepository(root, `generated/schemas/${protocol}`, "generated/schemas/deployments.json");
}

/** Copies files and folders of this repository into a project, to the same paths. */
export function copyFromRepository(root: string, ...paths: readonly string[]): void {
  for (const path of paths) cpSync(join(REPOSITORY, path), join(root, path), { recursive: true });
}
