import { cached } from "../base/collections.ts";
import { OperationError } from "../base/errors.ts";
import { hash } from "../base/hash.ts";
import { isOf, type OfSurface } from "../dialects/surface.ts";
import type { CodeFile, OperationSource } from "../operations/operation-set.ts";
import type { Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { FleetRow } from "./fleet-record.ts";
import { isCommonJsAbove } from "./module-type.ts";
import {
  findEntities,
  PORTABLE_FOLDER,
  type PortableFiles,
  portableFiles,
  readCode,
  surfacesInCode,
} from "./operation-files.ts";
import type { Snapshot } from "./snapshot.ts";
import { requireSnapshot, type Workspace } from "./workspace.ts";

/** All inputs of generation, read but not parsed: parsing takes fifty times as long. */
export type GenerationInputs = {
  readonly groups: readonly SurfaceInputs[];
  readonly rows: readonly FleetRow[];
  /** The code that may contain operations, and all surfaces that they may belong to. */
  readonly code: { readonly files: readonly CodeFile[]; readonly candidates: readonly SurfaceInputs[] };
  /** Operation files outside the folders of surfaces, and patterns without a matching code file. */
  readonly findings: readonly Finding[];
  /** Whether the output folder needs a package.json, because the one above makes its JavaScript CommonJS. */
  readonly needsPackageFile: boolean;
  /** The hash of all of the above and of the configuration: 64 hex digits. */
  readonly digest: string;
};

/** The inputs of one surface. */
export type SurfaceInputs = OfSurface & {
  readonly snapshot: Snapshot;
  readonly sources: readonly OperationSource[];
  /** The portable operations of the protocol; null if there are none. */
  readonly portable: PortableFiles | null;
  /** The protocol's snapshots. They have the enums that this style may expose as scalars. */
  readonly siblings: readonly Snapshot[];
  /** The entity SDL, which has the enums if this is the protocol's only style; null without one. */
  readonly entities: OperationSource | null;
};

/**
 * Reads the inputs of `generate` and `check`. Surfaces without operations are omitted.
 *
 * @throws OperationError without any operations, SchemaError for a snapshot that is missing or malformed.
 */
export async function readGenerationInputs(workspace: Workspace): Promise<GenerationInputs> {
  const { project, fleet } = workspace;
  const inCode = await readCode(workspace);
  const mayBeInCode = surfacesInCode(inCode.files);
  const groups: SurfaceInputs[] = [];
  for (const protocol of project.protocols) {
    const surfaces = project.surfaces.filter((surface) => surface.protocol === protocol);
    const portable = portableFiles(workspace, protocol);
    const written = surfaces
      .map(({ id, style }) => ({ id, protocol, style, sources: workspace.operations(id), portable }))
      .filter(({ id, sources }) => sources.length > 0 || portable !== null || mayBeInCode.has(id));
    if (written.length === 0) continue;
    const siblings = surfaces.map(workspace.snapshot).filter((snapshot) => snapshot !== null);
    const definition = project.definitions.find(({ key }) => key === protocol);
    const entities = surfaces.length === 1 && definition ? findEntities(workspace, definition) : null;
    for (const { id: _, ...group } of written) {
      // Documents in code may belong to several surfaces; those without a snapshot are omitted.
      const isOptional = group.sources.length === 0 && portable === null && mayBeInCode.size > 1;
      if (isOptional && !siblings.some(isOf(group))) continue;
      groups.push({ ...group, snapshot: requireSnapshot(workspace, group), siblings, entities });
    }
  }
  for (const { surfaces } of inCode.files) {
    const [first] = surfaces;
    if (first === undefined || surfaces.some((surface) => groups.some(isOf(surface)))) continue;
    requireSnapshot(workspace, first);
  }
  const findings = [...findMisplaced(workspace), ...inCode.findings];
  if (groups.length === 0 && findings.length === 0) throw noOperations(project);
  const needsPackageFile = project.format === "js" && (await isCommonJsAbove(project));
  const inputs = {
    groups,
    rows: fleet,
    code: { files: inCode.files, candidates: groups },
    findings,
    needsPackageFile,
  };
  return { ...inputs, digest: hashInputs(inputs, workspace) };
}

/** Creates the error for a project without any operations. */
export function noOperations(project: Project): OperationError {
  return new OperationError({
    code: "OPERATIONS_MISSING",
    sentence: `${project.operations}/ has no operations.`,
    hint: `write one in ${project.operations}/${describePlaces(project)}/, or let \`lockflow init\` write the first.`,
  });
}

/** Hashes everything that generated files depend on. */
function hashInputs(
  { groups, rows, code: { files }, needsPackageFile }: Omit<GenerationInputs, "digest">,
  { project, tree }: Workspace,
): string {
  const { scalars, brand, shared, chains, deployments, definitions, format, importExtension, runtime } =
    project;
  const texts = (sources: readonly OperationSource[]) => sources.map(({ path, text }) => ({ path, text }));
  // Every surface of a protocol lists all of its snapshots.
  const hashes = new Map<string, string>();
  const ofGroups = groups.map(({ protocol, style, sources, siblings, portable }) => {
    const snapshots = [...siblings, ...Object.values(portable?.snapshots ?? {})]
      .flatMap(({ base, variants }) => [base, ...variants])
      .map(({ path, text }) => [path, cached(hashes, path, () => hash(text))]);
    const shared = portable && { sources: texts(portable.sources), users: texts(portable.users) };
    return { protocol, style, sources: texts(sources), portable: shared, snapshots };
  });
  // Without a snapshot, definitions are checked against the entity SDL.
  const entities = definitions
    .flatMap((definition) => Object.values(definition.entities))
    .map((path) => path && hash(tree.read(path)?.text ?? ""));
  const code = files.map((file) => ({ ...file, text: hash(file.text) }));
  return hash(
    JSON.stringify({
      scalars,
      brand,
      shared,
      chains,
      deployments,
      definitions,
      entities,
      rows,
      groups: ofGroups,
      ...(code.length > 0 && { code }),
      ...(format === "js" && { format, needsPackageFile }),
      ...(importExtension !== ".js" && { importExtension }),
      ...(runtime === "emit" && { runtime }),
      ...(project.documentMode !== "both" && { documentMode: project.documentMode }),
    }),
  );
}

function findMisplaced({ project, tree }: Workspace): Finding[] {
  // Operations of surfaces that the configuration excludes are not reported.
  const ids = [...project.surfaces.map(({ id }) => id), ...project.unread];
  const protocols = new Set(ids.map((id) => id.slice(0, id.lastIndexOf("/"))));
  const folders = [...ids, ...[...protocols].map((key) => `${key}/${PORTABLE_FOLDER}`)];
  return tree
    .list(project.operations, [".graphql", ".gql"])
    .filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`)))
    .map((path) =>
      buildFileFinding("operation/misplaced", [], {
        subject: path,
        place: { file: `${project.operations}/${path}`, line: null, column: null },
        fix: `move it below ${project.operations}/${describePlaces(project)}/.`,
      }),
    );
}

/** Renders the operation folders: `<a|b>/<portable|multichain|subgraph>` if each protocol has each style, else all folders. */
function describePlaces({ protocols, surfaces }: Project): string {
  const styles = [...new Set(surfaces.map(({ style }) => style))];
  if (surfaces.length < protocols.length * styles.length) {
    return oneOf([...protocols.map((key) => `${key}/${PORTABLE_FOLDER}`), ...surfaces.map(({ id }) => id)]);
  }
  return `${oneOf(protocols)}/${oneOf([PORTABLE_FOLDER, ...styles])}`;
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `<${names.join("|")}>`;
}
