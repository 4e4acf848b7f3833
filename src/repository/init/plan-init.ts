import type { OutputFile } from "../../base/disk/output-file.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { PORTABLE_FOLDER } from "../../generate/read-portable.ts";
import { addScripts, type Script } from "./edit-scripts.ts";
import { planScripts, type ScriptPlan } from "./plan-scripts.ts";
import { fromPackage, type ProposedFile, proposeFiles, snapshotFolder } from "./propose-files.ts";
import type { Layout, Repository } from "./repository.ts";
import type { Place } from "./survey-disk.ts";

/** What `lockflow init` will do. All paths are from the root of the repository. */
export type InitPlan = {
  readonly files: readonly ProposedFile[];
  /** The folder that snapshots are written into; null when there are some, or hosts to ask for them. */
  readonly snapshots: string | null;
  /** The edited package.json; null when nothing is to be added. */
  readonly packageFile: (OutputFile & { readonly added: readonly Script[] }) | null;
  /** The configuration with one more protocol, or with ids; null when it stays as it is. */
  readonly configFile: (OutputFile & { readonly gets: "protocol" | "ids" | "both" }) | null;
  /** What stays as it is, and what there is to say of it. */
  readonly leftAlone: readonly Pick<ProposedFile, "path" | "why">[];
  readonly scripts: ScriptPlan;
};

/** The places to look at before a plan can be made. */
export function placesOf(repository: Repository, layout: Layout): string[] {
  return [
    ...proposeFiles(repository, layout).map(({ path }) => path),
    ...(layout.needsSnapshots ? [`${snapshotFolder(repository, layout)}/deployments.json`] : []),
    fromPackage(repository, "package.json"),
    ...editedConfig(repository, layout).map(({ path }) => path),
  ];
}

/** Plans what is written, from what was seen. Nothing that is there is replaced, and no link is followed. */
export function planInit(
  repository: Repository,
  layout: Layout,
  places: ReadonlyMap<string, Place>,
): InitPlan {
  for (const [path, place] of places) {
    if (place !== "outside") continue;
    throw new UsageError({
      sentence: `A link leads ${path} out of the repository.`,
      hint: "remove the link, or run the command where it leads to. Nothing was written.",
    });
  }
  const [configFile = null] = editedConfig(repository, layout);
  if (configFile !== null && places.get(configFile.path) === "link") {
    throw new UsageError({
      sentence: `${configFile.path} is a link.`,
      hint: `write ${configFile.gets === "both" ? "the protocol and the ids" : `the ${configFile.gets}`} into the file it leads to, and run the command without the flag. Nothing was written.`,
    });
  }
  const proposed = proposeFiles(repository, layout);
  const scripts = planScripts(repository.package.scripts);
  const packagePath = fromPackage(repository, "package.json");
  const isEditable = places.get(packagePath) !== "link";
  const { added } = scripts;
  const content = addScripts(repository.package.text, added);
  return {
    files: proposed.filter(({ path }) => places.get(path) === "free"),
    snapshots: layout.needsSnapshots ? snapshotFolder(repository, layout) : null,
    packageFile: isEditable && added.length > 0 ? { path: packagePath, content, added } : null,
    configFile,
    leftAlone: [
      ...alreadyThere(repository, layout),
      ...proposed
        .filter(({ path }) => places.get(path) !== "free")
        .map(({ path }) => ({ path, why: whyLeftAlone(repository, layout, path) })),
      ...(isEditable ? [] : [{ path: packagePath, why: `is a link; add ${renderScripts(added)}` }]),
    ],
    scripts,
  };
}

function editedConfig(
  repository: Repository,
  { config, editedConfig: content, ids, isProtocolNew }: Layout,
): NonNullable<InitPlan["configFile"]>[] {
  if (config === null || content === null) return [];
  const gets = ids === null ? "protocol" : isProtocolNew ? "both" : "ids";
  return [{ path: fromPackage(repository, config), content, gets }];
}

/** `"generate": "lockflow generate"`, as it stands in a package.json. */
export function renderScripts(scripts: readonly Script[]): string {
  return scripts.map(({ name, command }) => `"${name}": "${command}"`).join(", ");
}

function alreadyThere(repository: Repository, layout: Layout): InitPlan["leftAlone"] {
  const { config, editedConfig, operations, output, withOperations, needsSnapshots, lacksSnapshots } = layout;
  const there: Pick<ProposedFile, "path" | "why">[] = [];
  const say = (path: string, why: string) => there.push({ path: fromPackage(repository, path), why });
  if (config !== null && editedConfig === null) say(config, "is there already");
  for (const { path, why } of layout.library?.leftAlone ?? []) say(`${operations}/${path}`, why);
  for (const protocol of new Set(layout.wanted.map((surface) => surface.protocol))) {
    const folder = `${protocol}/${PORTABLE_FOLDER}`;
    if (withOperations.has(folder)) say(`${operations}/${folder}/`, "has operations already");
  }
  for (const { id, protocol } of layout.wanted) {
    if (withOperations.has(id)) say(`${operations}/${id}/`, "has operations already");
    else if (withOperations.has(`${protocol}/${PORTABLE_FOLDER}`) || layout.library?.protocols.has(protocol))
      continue;
    else if (!layout.starts.has(id))
      say(
        `${operations}/${id}/`,
        "gets a first operation once there is a schema: introspect, then run this again",
      );
  }
  if (lacksSnapshots)
    say(
      `${output}/schemas/`,
      layout.isHostKnown
        ? "is for the snapshots of your hosts, which are not asked now"
        : "lacks the snapshots of a protocol, which `lockflow introspect` writes",
    );
  else if (!needsSnapshots) say(`${output}/schemas/`, "has snapshots already");
  if (repository.graphqlConfig !== null) {
    const { name, text } = repository.graphqlConfig;
    const schemas = `${output}/schemas/`;
    const lacks = `has no project with a schema of ${schemas}<protocol>/<style>.graphql`;
    say(name, text.includes(schemas) ? "is there already" : lacks);
  }
  return there;
}

function whyLeftAlone({ envExample }: Repository, { variables }: Layout, path: string): string {
  if (!path.endsWith(".env.example") || envExample === null) return "is there already";
  const missing = variables.filter((name) => !new RegExp(`\\b${name}\\b`).test(envExample));
  return `is there already${missing.length === 0 ? "" : `; it lacks ${missing.join(", ")}`}`;
}
