import { copyFromRepository } from "./repository.ts";
import { type TempProject, tempProject } from "./temp-project.ts";

const PORTABLE = "operations/lockup/portable";

/** A project of lockup with the snapshots of this repository, and some of its portable operations. */
export function libraryProject(...operations: readonly string[]): TempProject {
  const project = tempProject({ "lockflow.config.json": '{ "protocols": ["lockup"] }' });
  const files = operations.map((name) => `${PORTABLE}/${name}.graphql`);
  copyFromRepository(project.root, "generated/schemas", `${PORTABLE}/fragments`, ...files);
  return project;
}
