import { basename, dirname, join } from "node:path";
import { readTree } from "../../base/disk/read-tree.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { hasHost } from "../../project/is-configured.ts";
import { findConfig, loadProject } from "../../project/load-project.ts";
import { type Project, resolveProject } from "../../project/project.ts";
import { projectVariables } from "../../project/project-variables.ts";
import { PROTOCOLS, type Protocol, STYLE_NAMES } from "../../project/vocabulary.ts";
import { SCHEMAS_FOLDER } from "../../snapshots/snapshot.ts";
import type { Layout, Repository } from "./repository.ts";
import { readNames } from "./survey-disk.ts";

/**
 * Tells what of Lockflow is in a package already and, where it is not, where it will lie.
 *
 * @param protocols those the user wants; undefined for what the configuration says, or both.
 * @throws ConfigError when there is a configuration that is not valid.
 * @throws UsageError when the package belongs to a project above it.
 */
export async function detectLayout(
  repository: Repository,
  protocols: readonly Protocol[] | undefined,
): Promise<{ readonly layout: Layout; readonly project: Project }> {
  const config = ownConfig(repository);
  if (config !== null && protocols !== undefined) {
    throw new UsageError({
      sentence: `--protocol is for a configuration that is yet to be written, and there is ${config}.`,
      hint: 'set "protocols" in it, and run `lockflow init` without the flag.',
    });
  }
  const project =
    config === null
      ? resolveProject(
          {
            protocols,
            operations: await chooseOperations(repository),
            output: await chooseOutput(repository),
          },
          repository.folder,
        )
      : await loadProject(repository.folder);
  const withOperations = new Set<string>();
  for (const protocol of project.protocols) {
    for (const style of STYLE_NAMES) {
      const folder = join(repository.folder, project.operations, protocol, style);
      if ((await readTree(folder, [".graphql"])).length > 0) withOperations.add(`${protocol}/${style}`);
    }
  }
  // Nobody's variables are read here: what is written is for everybody who works on the repository.
  const isHostKnown = hasHost(project, {});
  const snapshots = await readNames(join(repository.folder, project.output, SCHEMAS_FOLDER));
  return {
    project,
    layout: {
      config,
      protocols: project.protocols,
      variables: projectVariables(project),
      operations: project.operations,
      output: project.output,
      withOperations,
      needsSnapshots: !isHostKnown && snapshots.size === 0,
      lacksSnapshots: isHostKnown && snapshots.size === 0,
    },
  };
}

function ownConfig({ folder }: Repository): string | null {
  const file = findConfig(folder, undefined);
  if (file === null || dirname(file) === folder) return file && basename(file);
  throw new UsageError({
    sentence: `This folder belongs to the project of ${file}.`,
    hint: `run \`lockflow init\` in ${dirname(file)}, or write a configuration here first: \`export default {};\` in lockflow.config.mjs.`,
  });
}

/** A file that stands where no protocol and style is would fail every generation: such a folder is another API's. */
async function chooseOperations({ folder }: Repository): Promise<string> {
  const paths = await readTree(join(folder, "operations"), [".graphql", ".gql"]);
  const isOurs = paths.every((path) => PLACE.test(path));
  return isOurs ? "operations" : "lockflow-operations";
}

const PLACE = new RegExp(`^(${PROTOCOLS.join("|")})/(${STYLE_NAMES.join("|")})/`);

/**
 * A folder beside what imports it. One that holds other things is nobody's to judge, and `check` would: then
 * everything goes into a folder of its own.
 */
async function chooseOutput({ folder, hasSourceFolder }: Repository): Promise<string> {
  const above = hasSourceFolder ? "src/" : "";
  const names = await readNames(join(folder, above, "generated"));
  const isOurs = names.size === 0 || names.has(SCHEMAS_FOLDER) || names.has("manifest.ts");
  return `${above}${isOurs ? "generated" : "lockflow"}`;
}
