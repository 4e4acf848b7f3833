import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../src/base/collections.ts";
import { buildOnce } from "./build-once.ts";
import { IS_THOROUGH } from "./is-thorough.ts";
import { linkClient } from "./link-client.ts";
import { REPOSITORY } from "./repository.ts";

/** The package that generated code imports, as it is published. It is built when its sources have changed. */
const builtClient = once((): string =>
  buildOnce("client", ["packages/client", "scripts/build-client.ts"], (folder) => {
    const args = [join(REPOSITORY, "node_modules/tsx/dist/cli.mjs"), "scripts/build-client.ts", folder];
    return spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: "utf8" });
  }),
);

/** The built package for compilers and Node in a thorough run, else its sources, which Vitest loads at once. */
const clientFolder = (): string => (IS_THOROUGH ? builtClient() : join(REPOSITORY, "packages/client"));

/** Installs the package that generated code imports into a project. */
export function installClient(root: string): void {
  linkClient(root, clientFolder());
}

/** Installs what this repository has installed, with the built client and with other folders for some packages. */
export function installAll(root: string, others: Readonly<Record<string, string>> = {}): void {
  const installed = join(REPOSITORY, "node_modules");
  const folders: Readonly<Record<string, string>> = { "lockflow-client": clientFolder(), ...others };
  mkdirSync(join(root, "node_modules"));
  for (const name of readdirSync(installed)) {
    symlinkSync(folders[name] ?? join(installed, name), join(root, "node_modules", name));
  }
}
