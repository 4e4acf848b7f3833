import { cpSync } from "node:fs";
import { join } from "node:path";
import { installAll } from "./built-client.ts";
import { REPOSITORY } from "./repository.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

/** Where bundlers do the work, and every package is where it is linked, so that all have one graphql. */
const BUNDLED = {
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "preserve",
  types: [],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  preserveSymlinks: true,
};

/**
 * The repository's generated modules with clients, which find one release of graphql.
 *
 * @param graphql the folder of that release.
 */
export function clientProject(graphql: string): TempProject {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions: BUNDLED, include: ["test/**/*.ts"] }),
  });
  for (const path of ["generated", "test/fixtures/generated-clients"]) {
    copySources(path, project);
  }
  installAll(project.root, { graphql });
  return project;
}

/** Copies a folder of the repository without what a build may have left there. */
export function copySources(path: string, project: TempProject): void {
  const built = join(REPOSITORY, "generated/dist");
  cpSync(join(REPOSITORY, path), join(project.root, path), {
    recursive: true,
    filter: (source) => source !== built,
  });
}
