import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The version of the package; a test holds it against package.json. */
export const VERSION = "0.1.0";

declare const __LOCKFLOW_BUILD__: string | undefined;

/** Identifies the code of a built package; null when the sources run as they are. */
export const BUILD_ID: string | null = typeof __LOCKFLOW_BUILD__ === "string" ? __LOCKFLOW_BUILD__ : null;

/**
 * The text of a file that belongs to the program, by its path in the repository and in the published package alike.
 *
 * @param from the module whose package it is: a build puts this one into a file of its own, wherever that lies.
 */
export function readOwnFile(path: string, from = import.meta.url): string {
  return readFileSync(new URL(path, ownFolder(from)), "utf8").replaceAll("\r\n", "\n");
}

/** The absolute path of a folder that belongs to the program. */
export function ownPath(path: string): string {
  return fileURLToPath(new URL(path, ownFolder(import.meta.url)));
}

function ownFolder(from: string): URL {
  let folder = new URL(".", from);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`No package.json lies above ${from}.`);
    folder = above;
  }
  return folder;
}
