import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { once } from "../../src/base/collections.ts";
import { buildOnce } from "./build-once.ts";
import { copyFromRepository, REPOSITORY, readRepositoryFile } from "./repository.ts";

/**
 * The program as it is published, in a package of its own without declarations: it starts in a tenth of a second, and
 * from source that takes a whole one. It is built when the sources are not those of the last build.
 */
export const builtProgram = once((): string =>
  join(
    buildOnce("program", ["tsdown.config.ts", "src", "emulator", "packages/client"], buildInto),
    "dist/cli.js",
  ),
);

function buildInto(folder: string) {
  const tsdown = join(REPOSITORY, "node_modules/tsdown/dist/run.mjs");
  const args = [tsdown, "--no-dts", "--logLevel", "error", "--out-dir", join(folder, "dist")];
  const done = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: "utf8" });
  const { files }: { readonly files: readonly string[] } = JSON.parse(readRepositoryFile("package.json"));
  for (const pattern of ["package.json", ...files.filter((one) => !/^(dist|docs)\b|\.md$/.test(one))]) {
    copyFromRepository(folder, pattern.replace(/\/\*.*/, ""));
  }
  return done;
}
