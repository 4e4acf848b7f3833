import { basename, dirname, join, posix } from "node:path";
import { UsageError } from "../../base/errors.ts";
import type { OutputFile } from "../../base/output-file.ts";
import { ownPath, readOwnFile } from "../../base/own-package.ts";
import { readTree } from "../../base/read-files.ts";
import { nearestName } from "../../base/text.ts";
import { AUTHORED_STYLE } from "../../dialects/portable-style.ts";
import { type Protocol, STYLE_NAMES, type Surface } from "../../dialects/surface.ts";
import type { Config } from "../../project/config.ts";
import { checkedProject, findConfig, loadConfig } from "../../project/load-project.ts";
import { type Project, resolveProject } from "../../project/project.ts";
import { BUILT_IN_PROTOCOLS } from "../../project/protocols.ts";
import { hasHost } from "../../project/variables.ts";
import { PORTABLE_FOLDER } from "../../workspace/operation-files.ts";
import { SCHEMAS_FOLDER } from "../../workspace/snapshot.ts";
import type { Repository } from "./detect-repository.ts";
import { type FirstOperation, findFirstOperations } from "./first-operations.ts";
import { readNames } from "./survey-disk.ts";

/** The choices of the command line. */
export type InitOptions = {
  /** The protocols to set up; empty for all of the configuration or, without one, every built-in protocol. */
  readonly protocols: readonly Protocol[];
  /** Whether to write the operations of the library instead of a first one. */
  readonly library?: boolean | undefined;
};

/**
 * Detects which parts of Lockflow a package has, and chooses the places of the others.
 *
 * @throws UsageError for a protocol that the configuration lacks or, without one, that is not built in.
 */
export async function detectLayout(
  repository: Repository,
  { protocols, library: isLibrary = false }: InitOptions,
): Promise<Layout> {
  const { folder } = repository;
  const config = ownConfig(repository);
  const configured = config === null ? null : await loadConfig(join(folder, config));
  requireProtocols(repository, { config, configured, protocols });
  const project = configured
    ? checkedProject(configured, folder)
    : resolveProject(
        {
          ...(protocols.length > 0 && { protocols }),
          ...(await choosePlaces(repository)),
          format: repository.typescript ? "ts" : "js",
          importExtension: repository.typescript?.importExtension ?? ".js",
          documentMode: repository.client.sends === "fetch" ? "string" : "documentNode",
        },
        folder,
      );
  const withOperations = new Set<string>();
  const portable = project.protocols.map((key) => `${key}/${PORTABLE_FOLDER}`);
  for (const id of [...portable, ...project.surfaces.map((surface) => surface.id)]) {
    const files = readTree(join(folder, project.operations, id), [".graphql"]);
    if (files.length > 0) withOperations.add(id);
  }
  const wanted = project.surfaces.filter(
    ({ protocol }) => protocols.length === 0 || protocols.includes(protocol),
  );
  return {
    config,
    project,
    wanted,
    starts: await findFirstOperations(project, new Set(wanted.map((surface) => surface.protocol))),
    library: isLibrary ? await readLibrary(wanted, join(folder, project.operations)) : null,
    withOperations,
    snapshots: detectSnapshots(project, await readNames(join(folder, project.output, SCHEMAS_FOLDER))),
  };
}

function detectSnapshots(project: Project, folders: ReadonlySet<string>): Layout["snapshots"] {
  // Environment variables are not read: the written files are for everyone who works on the repository.
  if (folders.size === 0) return hasHost(project, {}) ? "of-hosts" : "to-derive";
  const present = project.protocols.filter((key) => folders.has(key));
  return present.length === 0 || present.length === project.protocols.length ? "present" : "incomplete";
}

function requireProtocols({ packageManager }: Repository, { config, configured, protocols }: Choices): void {
  const { protocols: defined = BUILT_IN_PROTOCOLS } = configured ?? {};
  const present = isList(defined) ? defined : Object.keys(defined);
  const names = [...new Set([...BUILT_IN_PROTOCOLS, ...present])];
  const unknown = protocols.find((protocol) => !names.includes(protocol));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, names);
    throw new UsageError({
      sentence: `--protocols must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}; got "${unknown}".`,
      hint: `${nearest ? `did you mean "${nearest}"? ` : ""}define a protocol of your own in the configuration first, under "protocols".`,
    });
  }
  const missing = protocols.filter((protocol) => !present.includes(protocol));
  if (config === null || missing.length === 0) return;
  throw new UsageError({
    sentence: `${config} does not have the protocol ${missing.join(" or ")}. Nothing was written.`,
    context: isList(defined)
      ? [`"protocols": ["${[...present, ...missing].join('", "')}"],`]
      : missing.map((protocol) => `"${protocol}": true,`),
    hint: `write this ${isList(defined) ? "list into the configuration" : 'into "protocols"'}, and run \`${packageManager.exec} init --protocols ${protocols.join(",")}\` again.`,
  });
}

type Choices = Pick<InitOptions, "protocols"> & {
  /** The name of the existing configuration; null if there is none. */
  readonly config: string | null;
  readonly configured: Config | null;
};

function isList<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value);
}

function ownConfig({ folder }: Repository): string | null {
  const file = findConfig(folder, undefined);
  if (file === null || dirname(file) === folder) return file && basename(file);
  throw new UsageError({
    sentence: `This folder is part of the project of ${file}.`,
    hint: `run \`lockflow init\` in ${dirname(file)}, or create a configuration here first: \`export default {};\` in lockflow.config.mjs.`,
  });
}

/** Chooses the folders of operations and generated files. Avoids folders that another tool uses. */
async function choosePlaces({ folder, hasSourceFolder }: Repository) {
  // Operations of another API in the folder would be reported as misplaced by every generation.
  const paths = readTree(join(folder, "operations"), [".graphql", ".gql"]);
  const operations = paths.every((path) => PLACE.test(path)) ? "operations" : "lockflow-operations";
  // Next to the code that imports it.
  const above = hasSourceFolder ? "src/" : "";
  const names = await readNames(join(folder, above, "generated"));
  const isOurs =
    names.size === 0 || names.has(SCHEMAS_FOLDER) || names.has("manifest.ts") || names.has("manifest.js");
  return { operations, output: `${above}${isOurs ? "generated" : "lockflow"}` };
}

const PLACE = new RegExp(
  `^(${BUILT_IN_PROTOCOLS.join("|")})/(${[PORTABLE_FOLDER, ...STYLE_NAMES].join("|")})/`,
);

/** The operations of the library, as files of a project. Paths are from the operations folder. */
export type Library = {
  /** The selected protocols that the library has operations for. */
  readonly protocols: ReadonlySet<Protocol>;
  readonly files: readonly OutputFile[];
  /** The files that are not written, and why. */
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
};

/**
 * Reads the operations of the library for the selected protocols and styles.
 *
 * @param folder absolute path of the operations.
 * @throws UsageError if no selected protocol is built in.
 */
export async function readLibrary(wanted: readonly Surface[], folder: string): Promise<Library> {
  const protocols = BUILT_IN_PROTOCOLS.filter((key) => wanted.some(({ protocol }) => protocol === key));
  if (protocols.length === 0) {
    throw new UsageError({
      sentence: `--library writes operations of ${BUILT_IN_PROTOCOLS.join(" and ")}, but neither is set up here.`,
      hint: "omit --library: your own protocols get a first operation.",
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
      const [place = "", ...below] = path.split("/");
      const target = targets.get(place);
      if (target === undefined) continue;
      const name = below.join("/");
      const written = posix.join(protocol, target, name);
      const others = target === PORTABLE_FOLDER ? STYLE_NAMES : [PORTABLE_FOLDER];
      const twin = others.find((other) => present.includes(`${other}/${name}`));
      // A duplicate name would fail every generation.
      if (twin !== undefined) leftAlone.push({ path: written, why: `is in ${twin}/ already` });
      else files.push({ path: written, content: readOwnFile(`operations/${protocol}/${path}`) });
    }
  }
  return { protocols: new Set(protocols), files, leftAlone };
}

/** The parts of Lockflow in a package, existing or planned. */
export type Layout = {
  /** The name of the existing configuration; null if there is none. */
  readonly config: string | null;
  readonly project: Project;
  /** The surfaces to set up: of the protocols that the command names, or all. */
  readonly wanted: readonly Surface[];
  /** The first operations by the id of their surface; a surface without a schema has none. */
  readonly starts: ReadonlyMap<string, FirstOperation>;
  /** The operations of the library, if requested; else null. */
  readonly library: Library | null;
  /** The folders `<protocol>/<style>` and `<protocol>/portable` that have operations already. */
  readonly withOperations: ReadonlySet<string>;
  /**
   * Whether `init` writes the snapshots, from the emulator; or the user introspects hosts; or introspects because only
   * other protocols have snapshots.
   */
  readonly snapshots: "to-derive" | "of-hosts" | "incomplete" | "present";
};
