/**
 * For a `codegen.ts` of GraphQL Code Generator, whose plugins are loaded from the project that has it.
 *
 * @packageDocumentation
 */

import { posix, relative, resolve, sep } from "node:path";
import type { CodegenConfig } from "@graphql-codegen/cli";
import type { Types } from "@graphql-codegen/plugin-helpers";
import { parse } from "graphql";
import { groupBy } from "./base/collections.ts";
import { OperationError, UsageError } from "./base/errors.ts";
import { createTextFiles, openDisk } from "./base/file-tree.ts";
import type { OutputFile } from "./base/output-file.ts";
import { readTree } from "./base/read-files.ts";
import { nearestName } from "./base/text.ts";
import { styles } from "./dialects/index.ts";
import { AUTHORED_STYLE } from "./dialects/portable-style.ts";
import {
  isOf,
  type OfSurface,
  type Protocol,
  STYLE_NAMES,
  type StyleName,
  surfacesOf,
} from "./dialects/surface.ts";
import { formatPaths, inFormat } from "./generate/format-files.ts";
import { portableNames, prepareSurfaces } from "./generate/generate-files.ts";
import { portablePaths } from "./generate/portable/render-portable.ts";
import { renderPortableFiles } from "./generate/portable/render-portable-files.ts";
import { CLIENT_PATH, PROXIED_PATH, PROXY_PATH, renderProxy } from "./generate/render-client.ts";
import { renderDocuments } from "./generate/render-documents.ts";
import { idsPath, renderIdFiles } from "./generate/render-ids.ts";
import { loadProject, loadProjectNow } from "./project/load-project.ts";
import { BUILT_IN } from "./project/protocols.ts";
import { renderFindings } from "./report/describe-finding.ts";
import { readGenerationInputs } from "./workspace/generation-inputs.ts";
import { PORTABLE_FOLDER } from "./workspace/operation-files.ts";
import { snapshotPath } from "./workspace/snapshot.ts";
import { openWorkspace } from "./workspace/workspace.ts";

/** The files that a `codegen.ts` generates. By default, all files of the configuration. Folders are relative to the current one. */
export type CodegenTargetOptions = {
  /** The output folder, as in the configuration. @default the configuration's */
  readonly output?: string | undefined;
  /** The operations folder, as in the configuration. @default the configuration's */
  readonly operations?: string | undefined;
  /** The keys of the protocols to generate for. @default those of the configuration that have operations */
  readonly protocols?: readonly Protocol[] | undefined;
  /** The styles to generate for. @default those that each protocol has */
  readonly styles?: readonly StyleName[] | undefined;
};

/**
 * Builds the `generates` of a `codegen.ts`, with which GraphQL Code Generator writes the same bytes as `lockflow generate`.
 *
 * Loads the configuration synchronously, so the configuration cannot `await` at its top level. If both `protocols` and
 * `styles` are given, it is not loaded, and only built-in protocols have ids.
 *
 * @param options the folders, protocols and styles, if they differ from the configuration.
 * @returns the modules of each protocol and style; with portable operations, also their constants, the client and the proxy;
 *   with described ids, also their codecs. If `format` is `"js"`, each module has declarations. Running the targets throws
 *   an `OperationError` if operations have errors.
 * @throws ConfigError if the configuration has errors, and UsageError for a protocol that it does not have.
 * @example
 * ```ts
 * import type { CodegenConfig } from "@graphql-codegen/cli";
 * import { codegenTargets } from "lockflow/codegen";
 *
 * const config: CodegenConfig = { generates: codegenTargets() };
 * export default config;
 * ```
 */
export function codegenTargets(options: CodegenTargetOptions = {}): CodegenConfig["generates"] {
  const { output, operations, format, surfaces, all, definitions } = resolveTargets(options);
  // Targets share parsed snapshots, also in later runs of a watch.
  const toTextFile = createTextFiles();
  const targets: CodegenConfig["generates"] = {};
  const add = (path: string, folder: string, of: readonly [OfSurface, ...OfSurface[]]) => {
    const [{ protocol, style }] = of;
    targets[`${output}/${formatPaths(format, path)[0]}`] = {
      schema: `${output}/${snapshotPath({ protocol, style })}`,
      documents: `${operations}/${protocol}/${folder}/**/*.{graphql,gql}`,
      preset: { buildGeneratesSection: () => buildSections({ output, path, of, toTextFile }) },
    };
  };
  for (const surface of surfaces) {
    const { style } = surface;
    add(`${surface.id}.ts`, `{${PORTABLE_FOLDER},${style}}`, [surface]);
  }
  const shared: OfSurface[] = [];
  for (const protocol of new Set(surfaces.map((surface) => surface.protocol))) {
    const ofProtocol = surfaces.filter((surface) => surface.protocol === protocol);
    // The schema of the target is that in which portable operations are written, if the protocol has that style.
    const [first, ...others] = [...ofProtocol].sort((a) => (a.style === AUTHORED_STYLE ? -1 : 1));
    // Portable operations import the documents of every style.
    const isWhole = all.every((surface) => surface.protocol !== protocol || ofProtocol.some(isOf(surface)));
    if (!first || !isWhole || !isWritten(operations, `${protocol}/${PORTABLE_FOLDER}`)) continue;
    for (const path of portablePaths(protocol)) add(path, PORTABLE_FOLDER, [first, ...others]);
    shared.push(first, ...others);
  }
  const [first, ...others] = shared;
  if (first)
    for (const path of [CLIENT_PATH, PROXIED_PATH, PROXY_PATH])
      add(path, PORTABLE_FOLDER, [first, ...others]);
  for (const [first, ...others] of groupBy(surfaces, ({ protocol }) => protocol).values()) {
    const definition = definitions.find(({ key }) => key === first?.protocol);
    if (!first || Object.keys(definition?.ids ?? {}).length === 0) continue;
    const folders = [PORTABLE_FOLDER, ...[first, ...others].map(({ style }) => style)];
    if (!folders.some((folder) => isWritten(operations, `${first.protocol}/${folder}`))) continue;
    add(idsPath(first.protocol), `{${folders.join()}}`, [first, ...others]);
  }
  return targets;
}

/** Resolves the surfaces to generate and the folders, relative to the current one. */
function resolveTargets({ output, operations, protocols, styles }: CodegenTargetOptions) {
  if (protocols && styles) {
    const surfaces = surfacesOf(protocols.map((key) => ({ key, styles })));
    return {
      output: output ?? "generated",
      operations: operations ?? "operations",
      // For the names of the targets. The configuration, which is loaded later, decides the files.
      format: "ts" as const,
      surfaces,
      all: surfacesOf(protocols.map((key) => ({ key, styles: STYLE_NAMES }))),
      definitions: BUILT_IN,
    };
  }
  const project = loadProjectNow(process.cwd());
  requireKnown(protocols ?? [], project.protocols);
  const above = relative(process.cwd(), project.root).replaceAll(sep, "/");
  const folder = operations ?? posix.join(above, project.operations);
  const surfaces = project.surfaces.filter(
    ({ protocol, style }) => (protocols?.includes(protocol) ?? true) && (styles?.includes(style) ?? true),
  );
  // The stock command fails for patterns without documents. `lockflow generate` skips such surfaces, unless all are empty.
  const written = surfaces.filter(
    ({ id, protocol }) => isWritten(folder, id) || isWritten(folder, `${protocol}/${PORTABLE_FOLDER}`),
  );
  return {
    output: output ?? posix.join(above, project.output),
    operations: folder,
    format: project.format,
    surfaces: protocols || written.length === 0 ? surfaces : written,
    all: project.surfaces,
    definitions: project.definitions,
  };
}

/** Returns whether there are operation files below a folder. */
function isWritten(operations: string, folder: string): boolean {
  return readTree(resolve(process.cwd(), operations, folder), [".graphql", ".gql"]).length > 0;
}

function requireKnown(protocols: readonly Protocol[], configured: readonly Protocol[]): void {
  const stray = protocols.find((key) => !configured.includes(key));
  if (stray === undefined) return;
  const nearest = nearestName(stray, configured);
  throw new UsageError({
    sentence: `codegenTargets() got the unknown protocol "${stray}".`,
    hint: nearest ? `did you mean "${nearest}"?` : `use one of ${configured.join(", ")}.`,
  });
}

type Target = {
  readonly output: string;
  readonly path: string;
  /** The surfaces whose operations decide it. */
  readonly of: readonly [OfSurface, ...OfSurface[]];
  readonly toTextFile: ReturnType<typeof createTextFiles>;
};

/** Builds the modules of one target. */
async function buildSections({ output, path, of, toTextFile }: Target): Promise<Types.GenerateOptions[]> {
  const project = await loadProject(process.cwd());
  const inputs = await readGenerationInputs(openWorkspace(project, openDisk(project.root, toTextFile)));
  const groups = inputs.groups.filter((group) => of.some((surface) => isOf(surface)(group)));
  const all = prepareSurfaces(project, { ...inputs, groups });
  const prepared = all.prepared.filter(({ sources, portable }) => sources.length > 0 || portable !== null);
  const [{ protocol, style }, ...others] = of;
  const protocols = project.protocols.filter((key) => of.some((surface) => surface.protocol === key));
  if (prepared.some(({ documents }) => documents === null)) {
    throw new OperationError({
      code: "OPERATIONS_INVALID",
      sentence: `The ${others.length > 0 ? "" : `${style} `}operations of ${protocols.join(" and ")} have errors.`,
      context: renderFindings(prepared.flatMap(({ findings }) => findings)).split("\n"),
      hint: "correct them; `lockflow check` shows them too.",
    });
  }
  const files: OutputFile[] = [];
  if (path === idsPath(protocol)) {
    files.push(...renderIdFiles(project.definitions, prepared, project));
  } else if (others.length > 0) {
    const portable = renderPortableFiles(protocols, prepared, project);
    files.push(...[...portable, ...renderProxy(prepared, project)].filter((file) => file.path === path));
  } else {
    for (const surface of prepared) {
      const { documents } = surface;
      if (documents)
        files.push(...renderDocuments(documents, { ...project, portable: portableNames(surface) }));
    }
  }
  // The text is finished, so any schema will do. Another copy of graphql would refuse objects of this one, but not a tree.
  return inFormat(project.format, files).map(({ path, content }) => ({
    filename: posix.join(output, path),
    schema: NO_SCHEMA,
    documents: [],
    config: {},
    plugins: [{ lockflow: {} }],
    pluginMap: { lockflow: { plugin: () => content } },
  }));
}

/** A placeholder, because the content is finished. */
const NO_SCHEMA = parse("type Query { none: Boolean }", { noLocation: true });

/**
 * Builds options for the stock plugins and the client preset: the types of a style's scalars, and names as in the schema.
 *
 * @param style the style whose dialect the documents are written in.
 * @returns the `config` of an output.
 * @example
 * ```ts
 * import type { CodegenConfig } from "@graphql-codegen/cli";
 * import { codegenOptions } from "lockflow/codegen";
 *
 * const config: CodegenConfig = {
 *   generates: {
 *     "src/gql/": {
 *       schema: "generated/schemas/lockup/subgraph.graphql",
 *       documents: ["src/App.ts"],
 *       preset: "client",
 *       config: codegenOptions("subgraph"),
 *     },
 *   },
 * };
 * export default config;
 * ```
 */
export function codegenOptions(style: StyleName): Record<string, unknown> {
  const scalars = [...styles[style].scalars].map(([name, { typescript: output, input = output }]) => [
    name,
    { input, output },
  ]);
  return {
    scalars: { ...Object.fromEntries(scalars), ID: { input: "string", output: "string" } },
    namingConvention: "keep",
    useTypeImports: true,
    importExtension: ".js",
  };
}
