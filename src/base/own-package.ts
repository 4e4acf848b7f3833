import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The version of the package. A test compares it with package.json. */
export const VERSION = "0.1.0";

/** The package that generated code imports, and its compatible versions. */
export const CLIENT_PACKAGE = "lockflow-client";
export const CLIENT_RANGE = `^${VERSION}`;

declare const __LOCKFLOW_BUILD__: string | undefined;

/** Returns an identifier of the code of a built package; null if the sources run directly. */
export function buildId(): string | null {
  return typeof __LOCKFLOW_BUILD__ === "string" ? __LOCKFLOW_BUILD__ : null;
}

/**
 * Reads a file of the package. Its path is the same in the repository and in the published package.
 *
 * @param from the URL of a module of the package.
 */
export function readOwnFile(path: string, from = import.meta.url): string {
  return readFileSync(new URL(path, ownFolder(from)), "utf8").replaceAll("\r\n", "\n");
}

/** Lists the files of a folder of the package by their paths from that folder, in code-unit order. */
export function listOwnFiles(path: string): string[] {
  const entries = readdirSync(ownPath(path), { recursive: true }) as string[];
  return entries.map((entry) => entry.replaceAll("\\", "/")).sort();
}

/** Returns the absolute path of a folder of the package. */
export function ownPath(path: string): string {
  return fileURLToPath(new URL(path, ownFolder(import.meta.url)));
}

function ownFolder(from: string): URL {
  let folder = new URL(".", from);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`There is no package.json above ${from}.`);
    folder = above;
  }
  return folder;
}
