import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./repository.ts";

/** Links the package that generated code imports into a project: its sources, or a build of it. */
export function linkClient(root: string, folder = join(REPOSITORY, "packages/client")): void {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(folder, join(root, "node_modules/lockflow-client"), "dir");
}
