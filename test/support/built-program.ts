import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../src/base/collections.ts";
import { copyFromRepository, REPOSITORY, readRepositoryFile, readRepositoryTree } from "./repository.ts";

/**
 * The program as it is published, in a package of its own without declarations: it starts in a tenth of a second, and
 * from source that takes a whole one. It is built when the sources are not those of the last build.
 */
export const builtProgram = once((): string => {
  const builds = join(REPOSITORY, "node_modules/.cache/lockflow-tests");
  const digest = digestOfSources();
  const build = join(builds, digest);
  if (!existsSync(build)) {
    mkdirSync(builds, { recursive: true });
    for (const name of readdirSync(builds)) {
      if (!name.startsWith(digest)) rmSync(join(builds, name), { recursive: true, force: true });
    }
    const own = `${build}-${process.pid}`;
    buildInto(own);
    try {
      renameSync(own, build);
    } catch (error) {
      // The other worker was faster.
      if (!existsSync(build)) throw error;
      rmSync(own, { recursive: true });
    }
  }
  return join(build, "dist/cli.js");
});

function buildInto(folder: string): void {
  const tsdown = join(REPOSITORY, "node_modules/tsdown/dist/run.mjs");
  const args = [tsdown, "--no-dts", "--logLevel", "error", "--out-dir", join(folder, "dist")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: "utf8" });
  if (status !== 0) throw new Error(`The program could not be built:\n${stdout}${stderr}`);
  const { files }: { readonly files: readonly string[] } = JSON.parse(readRepositoryFile("package.json"));
  for (const pattern of ["package.json", ...files.filter((one) => !/^(dist|docs)\b|\.md$/.test(one))]) {
    const path = pattern.replace(/\/\*.*/, "");
    copyFromRepository(folder, path);
  }
}

function digestOfSources(): string {
  const digest = createHash("sha256");
  for (const path of ["package.json", "package-lock.json", "tsdown.config.ts"]) {
    digest.update(readRepositoryFile(path));
  }
  for (const tree of ["src", "emulator"]) digest.update(JSON.stringify(readRepositoryTree(tree)));
  return digest.digest("hex").slice(0, 16);
}
