import { basename, dirname, join, posix } from "node:path";
import { UsageError } from "../../base/errors.ts";
import { ownPath, readOwnFile } from "../../base/own-package.ts";
import { readTree } from "../../base/read-files.ts";
import { nearestName } from "../../base/text.ts";
import type { OutputFile } from "../../base/write-files.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import {
  type DocumentMode,
  type Format,
  type ImportExtension,
  type Protocol,
  STYLE_NAMES,
  type Surface,
} from "../../dialects/surface.ts";
import type { Config } from "../../project/config.ts";
import type { Deployment } from "../../project/deployment.ts";
import { checkedProject, findConfig, loadConfig } from "../../project/load-project.ts";
import { type Project, resolveProject } from "../../project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { hasHost, projectVariables } from "../../project/variables.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { SCHEMAS_FOLDER } from "../../workspace/snapshot.ts";
import type { Repository } from "./detect-repository.ts";
import { type FirstOperation, findFirstOperations } from "./first-operations.ts";
import { readNames, readWholeText } from "./survey-disk.ts";

/** The choices of the command line. */
export type InitOptions = {
  /** The protocols to set up; empty for all of the configuration, or all that ship. */
  readonly protocols: readonly Protocol[];
  /** Whether to write the operations that ship, instead of a first one. */
  readonly library?: boolean | undefined;
};

/** Detects what a package has of Lockflow already and, for the rest, where it will be. */
export async function detectLayout(
  repository: Repository,
  { protocols, library: isLibrary = false }: InitOptions,
): Promise<{ readonly layout: Layout; readonly project: Project }> {
  const { folder } = repository;
  const config = ownConfig(repository);
  const added = await findMissing(repository, config, protocols);
  const editedConfig = config !== null && added.length > 0 ? await editConfig(folder, config, added) : null;
  const project =
    config === null
      ? resolveProject(
          {
            ...(protocols.length > 0 && { protocols }),
            ...(await choosePlaces(repository)),
            format: repository.typescript ? "ts" : "js",
            importExtension: repository.typescript?.importExtension ?? ".js",
            documentMode: repository.client.sends === "fetch" ? "string" : "documentNode",
          },
          folder,
        )
      : checkedProject(addedTo(await loadConfig(join(folder, config)), added), folder);
  const withOperations = new Set<string>();
  const portable = project.protocols.map((key) => `${key}/${PORTABLE_FOLDER}`);
  for (const id of [...portable, ...project.surfaces.map((surface) => surface.id)]) {
    const files = readTree(join(folder, project.operations, id), [".graphql"]);
    if (files.length > 0) withOperations.add(id);
  }
  const wanted = project.surfaces.filter(
    ({ protocol }) => protocols.length === 0 || added.length > 0 || protocols.includes(protocol),
  );
  // Nobody's variables are read here: what is written is for everybody who works on the repository.
  const isHostKnown = hasHost(project, {});
  const snapshots = await readNames(join(folder, project.output, SCHEMAS_FOLDER));
  return {
    project,
    layout: {
      config,
      editedConfig,
      protocols: project.protocols,
      surfaces: project.surfaces,
      wanted,
      starts: await findFirstOperations(project, new Set(wanted.map((surface) => surface.protocol))),
      deployments: project.deployments,
      library: isLibrary ? await readLibrary(wanted, join(folder, project.operations)) : null,
      variables: projectVariables(project),
      operations: project.operations,
      output: project.output,
      format: project.format,
      importExtension: project.importExtension,
      documentMode: project.documentMode,
      withOperations,
      needsSnapshots: editedConfig === null && !isHostKnown && snapshots.size === 0,
      isHostKnown,
      lacksSnapshots:
        editedConfig !== null ||
        (snapshots.size === 0 ? isHostKnown : lacksSome(project.protocols, snapshots)),
    },
  };
}

/** Whether some protocols have snapshots and others have none. */
function lacksSome(protocols: readonly Protocol[], folders: ReadonlySet<string>): boolean {
  return protocols.some((key) => folders.has(key)) && protocols.some((key) => !folders.has(key));
}

/**
 * Finds the protocols that a configuration does not name.
 *
 * @throws UsageError for a protocol that neither the configuration nor the toolkit knows.
 */
async function findMissing(
  { folder }: Repository,
  config: string | null,
  protocols: readonly Protocol[],
): Promise<readonly Protocol[]> {
  if (protocols.length === 0) return [];
  const { protocols: configured = [] } = config === null ? {} : await loadConfig(join(folder, config));
  const own = isList(configured) ? configured : Object.keys(configured);
  const known = [...new Set([...BUILT_IN_PROTOCOLS, ...own])];
  const unknown = protocols.find((protocol) => !known.includes(protocol));
  if (unknown === undefined) return protocols.filter((protocol) => !own.includes(protocol));
  const nearest = nearestName(unknown, known);
  throw new UsageError({
    sentence: `--protocols takes ${known.slice(0, -1).join(", ")} or ${known.at(-1)}, not "${unknown}".`,
    hint: `${nearest ? `did you mean "${nearest}"? ` : ""}a protocol of your own needs its definition in the configuration first, under "protocols".`,
  });
}

/** Adds protocols to the list in the text of a configuration. */
async function editConfig(folder: string, config: string, added: readonly Protocol[]): Promise<string> {
  let text = (await readWholeText(join(folder, config))) ?? "";
  const { addProtocol } = await import("./add-protocol.ts");
  for (const protocol of added) {
    const edited = /\.[jt]s$|\.mjs$/.test(config) ? addProtocol(config, text, protocol) : null;
    if (edited === null) throw notEditable(config, protocol);
    text = edited;
  }
  return text;
}

function notEditable(config: string, protocol: Protocol): UsageError {
  return new UsageError({
    sentence: `${protocol} cannot be added to ${config}: only what a TypeScript or JavaScript file writes out under "protocols" is added to.`,
    hint: `add it there by hand, as "${protocol}" in a list or ${protocol}: true in an object, and run the command again.`,
  });
}

/** A configuration with protocols that it does not name yet. */
function addedTo(config: Config, added: readonly Protocol[]): Config {
  const { protocols } = config;
  if (protocols === undefined || added.length === 0) return config;
  return {
    ...config,
    protocols: isList(protocols)
      ? [...protocols, ...added]
      : { ...Object.fromEntries(added.map((key) => [key, true as const])), ...protocols },
  };
}

function isList<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value);
}

function ownConfig({ folder }: Repository): string | null {
  const file = findConfig(folder, undefined);
  if (file === null || dirname(file) === folder) return file && basename(file);
  throw new UsageError({
    sentence: `This folder belongs to the project of ${file}.`,
    hint: `run \`lockflow init\` in ${dirname(file)}, or write a configuration here first: \`export default {};\` in lockflow.config.mjs.`,
  });
}

/** Where operations and what is generated will lie: in no folder that holds what is another's. */
async function choosePlaces({ folder, hasSourceFolder }: Repository) {
  // A file that stands where no protocol and style is would fail every generation.
  const paths = readTree(join(folder, "operations"), [".graphql", ".gql"]);
  const operations = paths.every((path) => PLACE.test(path)) ? "operations" : "lockflow-operations";
  // Beside what imports it.
  const above = hasSourceFolder ? "src/" : "";
  const names = await readNames(join(folder, above, "generated"));
  const isOurs =
    names.size === 0 || names.has(SCHEMAS_FOLDER) || names.has("manifest.ts") || names.has("manifest.js");
  return { operations, output: `${above}${isOurs ? "generated" : "lockflow"}` };
}

const PLACE = new RegExp(
  `^(${BUILT_IN_PROTOCOLS.join("|")})/(${[PORTABLE_FOLDER, ...STYLE_NAMES].join("|")})/`,
);

/** The operations that ship, as files of a project. Paths are from the operations folder. */
export type Library = {
  /** The protocols it has operations of, of those that are wanted. */
  readonly protocols: ReadonlySet<Protocol>;
  readonly files: readonly OutputFile[];
  /** What is not written, and why. */
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
};

/**
 * Reads the operations that ship with the toolkit, for the protocols and styles that are set up.
 *
 * @param folder of the operations, absolute.
 * @throws UsageError where no protocol of the project ships.
 */
export async function readLibrary(wanted: readonly Surface[], folder: string): Promise<Library> {
  const protocols = BUILT_IN_PROTOCOLS.filter((key) => wanted.some(({ protocol }) => protocol === key));
  if (protocols.length === 0) {
    throw new UsageError({
      sentence: `--library writes operations of ${BUILT_IN_PROTOCOLS.join(" and ")}, and none of them is set up here.`,
      hint: "leave it out: a first operation is written of a protocol of your own.",
    });
  }
  const files: OutputFile[] = [];
  const leftAlone: { path: string; why: string }[] = [];
  for (const protocol of protocols) {
    const styles = wanted.filter((surface) => surface.protocol === protocol).map(({ style }) => style);
    const targets = new Map<string, string>(styles.map((style) => [style, style]));
    if (styles.includes(AUTHORED_STYLE)) targets.set(PORTABLE_FOLDER, PORTABLE_FOLDER);
    else leftAlone.push({ path: `${protocol}/${PORTABLE_FOLDER}/`, why: "needs the types of subgraphs" });
    const present = readTree(join(folder, protocol), [".graphql", ".gql"]);
    for (const path of readTree(ownPath(`operations/${protocol}`), [".graphql"])) {
      const [own = "", ...below] = path.split("/");
      const target = targets.get(own);
      if (target === undefined) continue;
      const name = below.join("/");
      const written = posix.join(protocol, target, name);
      const others = target === PORTABLE_FOLDER ? STYLE_NAMES : [PORTABLE_FOLDER];
      const twin = others.find((other) => present.includes(`${other}/${name}`));
      // One name twice would fail every generation.
      if (twin !== undefined) leftAlone.push({ path: written, why: `is in ${twin}/ already` });
      else files.push({ path: written, content: readOwnFile(`operations/${protocol}/${path}`) });
    }
  }
  return { protocols: new Set(protocols), files, leftAlone };
}

/** What there is of Lockflow in the package, or where it will lie. */
export type Layout = {
  /** The name of a configuration that is there already. */
  readonly config: string | null;
  /** Its text with one more protocol; null if none is to be added. */
  readonly editedConfig: string | null;
  readonly protocols: readonly Protocol[];
  readonly surfaces: readonly Surface[];
  /** Those that are set up: of one protocol where the command names it. */
  readonly wanted: readonly Surface[];
  /** The first operations by the id of their surface; a surface without a schema has none. */
  readonly starts: ReadonlyMap<string, FirstOperation>;
  readonly deployments: readonly Deployment[];
  /** The operations that ship, where they are asked for; else null. */
  readonly library: Library | null;
  /** The environment variables that commands read where they are set. */
  readonly variables: readonly string[];
  /** This and `output` from the package's folder, with `/`. */
  readonly operations: string;
  readonly output: string;
  readonly format: Format;
  readonly importExtension: ImportExtension;
  readonly documentMode: DocumentMode;
  /** The `<protocol>/<style>`, and the `<protocol>/portable`, that have operations already. */
  readonly withOperations: ReadonlySet<string>;
  /** Whether there are neither snapshots nor hosts to ask for them: then they are taken from the emulator. */
  readonly needsSnapshots: boolean;
  /** Whether there are none, and hosts to ask for them, or only those of other protocols, which is the user's to do. */
  readonly lacksSnapshots: boolean;
  readonly isHostKnown: boolean;
};
