import type { SpawnSyncReturns } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, readRepositoryFile, readRepositoryTree } from "./repository.ts";

/**
 * Builds something of this repository when its sources are not those of the last build.
 *
 * @param sources files and folders that the build depends on, beside the package files.
 * @returns the folder of the build.
 */
export function buildOnce(
  name: string,
  sources: readonly string[],
  build: (folder: string) => SpawnSyncReturns<string>,
): string {
  const builds = join(REPOSITORY, "node_modules/.cache/lockflow-tests", name);
  const digest = digestOf(["package.json", "package-lock.json", ...sources]);
  const folder = join(builds, digest);
  if (existsSync(folder)) return folder;
  mkdirSync(builds, { recursive: true });
  for (const other of readdirSync(builds)) {
    if (!other.startsWith(digest)) rmSync(join(builds, other), { recursive: true, force: true });
  }
  const own = `${folder}-${process.pid}`;
  const { status, stdout, stderr } = build(own);
  if (status !== 0) throw new Error(`The ${name} could not be built:\n${stdout}${stderr}`);
  try {
    renameSync(own, folder);
  } catch (error) {
    // The other worker was faster.
    if (!existsSync(folder)) throw error;
    rmSync(own, { recursive: true });
  }
  return folder;
}

function digestOf(sources: readonly string[]): string {
  const digest = createHash("sha256");
  for (const path of sources) {
    const text = /\.\w+$/.test(path) ? readRepositoryFile(path) : JSON.stringify(readRepositoryTree(path));
    digest.update(text);
  }
  return digest.digest("hex").slice(0, 16);
}
