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

/** Everything generation depends on, read and not yet parsed: reading costs a fiftieth of parsing. */
export type GenerationInputs = {
  readonly groups: readonly SurfaceInputs[];
  readonly rows: readonly FleetRow[];
  /** The code that may hold operations, and every surface that these may be of. */
  readonly code: { readonly files: readonly CodeFile[]; readonly candidates: readonly SurfaceInputs[] };
  /** Operation files that are in no surface's folder, and patterns that match no file of code. */
  readonly findings: readonly Finding[];
  /** Whether the output folder needs a package.json, because the one above makes its JavaScript CommonJS. */
  readonly needsPackageFile: boolean;
  /** Of all of the above and of the configuration; 64 hex digits. */
  readonly digest: string;
};

/** What one surface is generated from. */
export type SurfaceInputs = OfSurface & {
  readonly snapshot: Snapshot;
  readonly sources: readonly OperationSource[];
  /** The portable operations of the protocol; null where there are none. */
  readonly portable: PortableFiles | null;
  /** The protocol's snapshots, which name the enums that this style may show as opaque scalars. */
  readonly siblings: readonly Snapshot[];
  /** The entity SDL, which names them where the protocol is read in this style alone; null where there is none. */
  readonly entities: OperationSource | null;
};

/**
 * Reads what `generate` and `check` work from. Surfaces without operations are left out.
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
      // Of several surfaces that a document may be of, those without a snapshot are left out.
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
  if (groups.length === 0 && findings.length === 0) {
    throw new OperationError({
      code: "OPERATIONS_MISSING",
      sentence: `There are no operations in ${project.operations}/.`,
      hint: `write one in ${project.operations}/${describePlaces(project)}/, or let \`lockflow init\` write the first.`,
    });
  }
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

/** Hashes everything that generated files depend on. */
function hashInputs(
  { groups, rows, code: { files }, needsPackageFile }: Omit<GenerationInputs, "digest">,
  { project, tree }: Workspace,
): string {
  const { scalars, brand, shared, chains, deployments, definitions, format, importExtension, runtime } =
    project;
  const texts = (sources: readonly OperationSource[]) => sources.map(({ path, text }) => ({ path, text }));
  const ofGroups = groups.map(({ protocol, style, sources, siblings, portable }) => {
    const snapshots = [...siblings, ...Object.values(portable?.snapshots ?? {})]
      .flatMap(({ base, variants }) => [base, ...variants])
      .map(({ path, text }) => [path, hash(text)]);
    const shared = portable && { sources: texts(portable.sources), users: texts(portable.users) };
    return { protocol, style, sources: texts(sources), portable: shared, snapshots };
  });
  // While there is no snapshot, definitions are compared with the entity SDL.
  const entities = definitions
    .flatMap((definition) => Object.values(definition.entities))
    .map((path) => path && hash(tree.read(path)?.text ?? ""));
  const code = files.map((file) => ({ ...file, text: hash(file.text) }));
  return hash(
    JSON.stringify({
      ...{ scalars, brand, shared, chains, deployments, definitions, entities, rows, groups: ofGroups },
      ...(code.length > 0 && { code }),
      ...(format === "js" && { format, needsPackageFile }),
      ...(importExtension !== ".js" && { importExtension }),
      ...(runtime === "emit" && { runtime }),
      ...(project.documentMode !== "both" && { documentMode: project.documentMode }),
    }),
  );
}

function findMisplaced({ project, tree }: Workspace): Finding[] {
  // Operations of what the configuration leaves out are left alone.
  const known = [...project.surfaces.map(({ id }) => id), ...project.unread];
  const protocols = new Set(known.map((id) => id.slice(0, id.lastIndexOf("/"))));
  const folders = [...known, ...[...protocols].map((key) => `${key}/${PORTABLE_FOLDER}`)];
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

/** `<a|b>/<portable|multichain|subgraph>`, of a single protocol `a/<…>`, where every protocol has every style, else all folders. */
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
