import { join, resolve } from "node:path";
import { DISK, type TextSource } from "../base/disk/read-tree.ts";
import { OperationError } from "../base/errors/operation-error.ts";
import { hash } from "../base/hash.ts";
import type { Project } from "../project/project.ts";
import { isOf, type OfSurface, type SurfaceId } from "../project/surface.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { readFleetRecord, readSnapshots, requireSnapshot } from "../snapshots/read-snapshots.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { CodeInputs } from "./code/assign-code.ts";
import type { CodeFiles } from "./code/read-code-files.ts";
import { type OperationSource, readOperationSources } from "./operation-source.ts";
import { isCommonJsAbove } from "./read-module-type.ts";
import { hasBothStyles, PORTABLE_FOLDER, type PortableInputs, readPortable } from "./read-portable.ts";

/** Everything generation depends on, read and not yet parsed: reading costs a fiftieth of parsing. */
export type GenerationInputs = {
  readonly groups: readonly SurfaceInputs[];
  readonly rows: readonly FleetRow[];
  /** The code that may hold operations, and every surface that these may be of. */
  readonly code: Pick<CodeInputs, "files"> & { readonly candidates: readonly SurfaceInputs[] };
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
  /** What the protocol has written once for both styles; null where there is nothing. */
  readonly portable: PortableInputs | null;
  /** The protocol's snapshots, which name the enums that this style may show as opaque scalars. */
  readonly siblings: readonly Snapshot[];
  /** The entity SDL, which names them where the protocol is read in this style alone; null where there is none. */
  readonly entities: OperationSource | null;
};

/**
 * Reads what `generate` and `check` work from. A surface that can have no operations is left out.
 *
 * @throws OperationError without any operations, SchemaError for a snapshot that is missing or malformed.
 */
export async function readGenerationInputs(
  project: Project,
  source: TextSource = DISK,
): Promise<GenerationInputs> {
  const outputRoot = join(project.root, project.output);
  const rows = await readFleetRecord(outputRoot, source);
  const inCode = await readCode(project, source);
  const mayBeInCode = surfacesInCode(inCode);
  const groups: SurfaceInputs[] = [];
  for (const protocol of project.protocols) {
    const surfaces = project.surfaces.filter((surface) => surface.protocol === protocol);
    const portable = await readPortable(project, protocol, source);
    const written: Omit<SurfaceInputs, "snapshot" | "siblings" | "entities">[] = [];
    for (const surface of surfaces) {
      const sources = await readOperationSources(project, surface.id, source);
      if (sources.length > 0 || portable || mayBeInCode.has(surface.id)) {
        written.push({ protocol, style: surface.style, sources, portable });
      }
    }
    const siblings = written.length === 0 ? [] : await readSnapshots(outputRoot, surfaces, source);
    const entities = surfaces.length === 1 ? await readEntities(project, protocol, source) : null;
    for (const group of written) {
      // Of several that a document may be of, one without a snapshot is left out.
      const isOptional = group.sources.length === 0 && portable === null && mayBeInCode.size > 1;
      if (isOptional && !siblings.some(isOf(group))) continue;
      const snapshot = siblings.find(isOf(group)) ?? (await requireSnapshot(outputRoot, group, source));
      groups.push({ ...group, snapshot, siblings, entities });
    }
  }
  for (const { mayHold, surfaces } of inCode.files) {
    const [first] = surfaces;
    if (!mayHold || first === undefined || surfaces.some((surface) => groups.some(isOf(surface)))) continue;
    await requireSnapshot(outputRoot, first, source);
  }
  const findings = [...(await misplacedFiles(project, source)), ...inCode.findings];
  if (groups.length === 0 && findings.length === 0) {
    throw new OperationError({
      code: "OPERATIONS_MISSING",
      sentence: `There are no operations in ${project.operations}/.`,
      hint: `write one in ${project.operations}/${describePlaces(project)}/, or let \`lockflow init\` write the first.`,
    });
  }
  const { scalars, brand, shared, chains, deployments, definitions, format } = project;
  const texts = groups.map(({ protocol, style, sources, siblings, portable }) => {
    const all = [...siblings, ...Object.values(portable?.snapshots ?? {})];
    const files = all.flatMap(({ base, variants }) => [base, ...variants]);
    const snapshots = files.map(({ path, text }) => [path, hash(text)]);
    return { protocol, style, sources, portable: portable?.sources, users: portable?.users, snapshots };
  });
  // Definitions are held against them while there is no snapshot.
  const paths = definitions.flatMap((definition) => Object.values(definition.entities));
  const entities = await Promise.all(
    paths.map(async (path) => path && hash((await source.readText(resolve(project.root, path))) ?? "")),
  );
  const needsPackageFile = format === "js" && (await isCommonJsAbove(project));
  const code = inCode.files.map((file) => ({ ...file, text: hash(file.text) }));
  const facts = {
    ...{ scalars, brand, shared, chains, deployments, definitions, entities, rows, groups: texts },
    ...(code.length === 0 ? {} : { code }),
    ...(format === "ts" ? {} : { format, needsPackageFile }),
  };
  return {
    groups,
    rows,
    code: { files: inCode.files, candidates: groups },
    findings,
    needsPackageFile,
    digest: hash(JSON.stringify(facts)),
  };
}

/** Reads the code that may hold operations, which few projects have. */
export async function readCode(project: Project, source: TextSource = DISK): Promise<CodeFiles> {
  if (project.documents.length === 0) return { files: [], findings: [] };
  const { readCodeFiles } = await import("./code/read-code-files.ts");
  return readCodeFiles(project, source);
}

/** The surfaces that operations in code may be of. */
export function surfacesInCode({ files }: CodeFiles): ReadonlySet<SurfaceId> {
  return new Set(files.flatMap(({ mayHold, surfaces }) => (mayHold ? surfaces.map(({ id }) => id) : [])));
}

async function readEntities(
  { root, definitions }: Project,
  protocol: Protocol,
  { readText }: TextSource,
): Promise<OperationSource | null> {
  const [path] = Object.values(definitions.find(({ key }) => key === protocol)?.entities ?? {});
  const text = path === undefined ? null : await readText(resolve(root, path));
  return path === undefined || text === null ? null : { path, text };
}

async function misplacedFiles(project: Project, { readTree }: TextSource): Promise<Finding[]> {
  // Operations of what the configuration leaves out are left alone.
  const known = [...project.surfaces.map(({ id }) => id), ...project.unread];
  const protocols = new Set(known.map((id) => id.slice(0, id.lastIndexOf("/"))));
  const portable = [...protocols].filter((key) => hasBothStyles(project, key));
  const folders = [...known, ...portable.map((key) => `${key}/${PORTABLE_FOLDER}`)];
  const paths = await readTree(join(project.root, project.operations), [".graphql", ".gql"]);
  return paths
    .filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`)))
    .map((path) => {
      const own = project.surfaces.find(({ protocol }) => path.startsWith(`${protocol}/${PORTABLE_FOLDER}/`));
      return buildFileFinding("operation/misplaced", [], {
        subject: path,
        place: { file: `${project.operations}/${path}`, line: null, column: null },
        fix: own
          ? `${own.protocol} has the ${own.style} style alone, and ${PORTABLE_FOLDER}/ is for both: move it below ${project.operations}/${own.id}/.`
          : `move it below ${project.operations}/${describePlaces(project)}/.`,
      });
    });
}

/** `<a|b>/<portable|multichain|subgraph>`, of a single protocol `a/<…>`, where every protocol has every style, else all folders. */
function describePlaces(project: Project): string {
  const { protocols, surfaces } = project;
  const styles = [...new Set(surfaces.map(({ style }) => style))];
  const portable = protocols.filter((key) => hasBothStyles(project, key));
  if (surfaces.length < protocols.length * styles.length) {
    return oneOf([...portable.map((key) => `${key}/${PORTABLE_FOLDER}`), ...surfaces.map(({ id }) => id)]);
  }
  return `${oneOf(protocols)}/${oneOf(portable.length === 0 ? styles : [PORTABLE_FOLDER, ...styles])}`;
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `<${names.join("|")}>`;
}
