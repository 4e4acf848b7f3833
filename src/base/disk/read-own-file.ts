import { existsSync, readFileSync } from "node:fs";

/** The text of a file that belongs to the program, by its path in the repository and in the published package alike. */
export function readOwnFile(path: string): string {
  // A build puts this module into a file of its own, so the package is found by what lies at its root.
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("..", folder);
  return readFileSync(new URL(path, folder), "utf8").replaceAll("\r\n", "\n");
}
