import { existsSync, readFileSync } from "node:fs";

/**
 * The text of a file that belongs to the program, by its path in the repository and in the published package alike.
 *
 * @param from the module whose package it is: a build puts this one into a file of its own, wherever that lies.
 */
export function readOwnFile(path: string, from = import.meta.url): string {
  let folder = new URL(".", from);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`No package.json lies above ${from}.`);
    folder = above;
  }
  return readFileSync(new URL(path, folder), "utf8").replaceAll("\r\n", "\n");
}
