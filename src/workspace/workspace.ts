import { join, resolve } from "node:path";
import { type GraphQLSchema, Kind } from "graphql";
import { cached, createMemo, type Memo, sortByName } from "../base/collections.ts";
import { OperationError } from "../base/errors.ts";
import { hash } from "../base/hash.ts";
import { DISK, type TextSource } from "../base/read-files.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { isOf, type OfSurface, type Protocol, type SurfaceId, surfaceId } from "../dialects/surface.ts";
import { toGraphqlSchema } from "../dialects/to-graphql-schema.ts";
import type { Candidate, CodeInputs } from "../operations/assign-code.ts";
import type {
  CodeFiles,
  OperationFile,
  OperationSet,
  OperationSource,
  OperationsBySurface,
  PlacedOperation,
} from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import {
  type PortableInputs,
  type PreparedPortable,
  preparePortable,
} from "../operations/portable/prepare-portable.ts";
import type { Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import { isCommonJsAbove } from "./module-type.ts";
import { hasBothStyles, PORTABLE_FOLDER, readOperationSources, readPortable } from "./read-operations.ts";
import { type FleetRow, readFleetRecord, readSnapshots, requireSnapshot } from "./read-snapshots.ts";
import { parseSnapshot, parseSnapshotText, type Snapshot, type SnapshotText } from "./snapshot.ts";

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
  for (const { surfaces } of inCode.files) {
    const [first] = surfaces;
    if (first === undefined || surfaces.some((surface) => groups.some(isOf(surface)))) continue;
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
  const { readCodeFiles } = await import("./read-code.ts");
  return readCodeFiles(project, source);
}

/** The surfaces that operations in code may be of. */
export function surfacesInCode({ files }: CodeFiles): ReadonlySet<SurfaceId> {
  return new Set(files.flatMap(({ surfaces }) => surfaces.map(({ id }) => id)));
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

/** The readings of snapshots, each made once while its text is the same. */
export type SchemaCache = {
  readonly api: (file: SnapshotText) => ApiSchema;
  readonly graphql: (file: SnapshotText) => GraphQLSchema;
  readonly model: (snapshot: Snapshot) => EntityModel;
};

/**
 * Creates the readings of snapshots; several runs share them through a memo.
 *
 * @param parse what somebody else has parsed already, for whoever knows such a one.
 */
export function createSchemaCache(memo: Memo, parse: SchemaCache["api"] = parseSnapshotText): SchemaCache {
  const api: SchemaCache["api"] = ({ path, text }) =>
    memo(`snapshot ${path}`, [text], () => parse({ path, text }));
  return {
    api,
    graphql: (file) =>
      memo(`schema ${file.path}`, [file.text], () => toGraphqlSchema(api(file), { repeatable: false })),
    model: ({ style, base }) =>
      memo(`model ${base.path}`, [base.text], () =>
        styles[style].schemas.read(api({ path: base.path, text: base.text })),
      ),
  };
}

/** Reads and compiles what a protocol has written once for both styles; null where there is nothing. */
export type PortableReader = (protocol: Protocol) => Promise<PreparedPortable | null>;

/**
 * Creates what reads and compiles the portable operations of a project's protocols, those of each once.
 *
 * @param snapshots those that the caller has read, and parses by itself.
 */
export function createPortableReader(project: Project, snapshots: readonly Snapshot[]): PortableReader {
  const memo = createMemo();
  const parse = (given: SnapshotText) => {
    const { path, text } = given;
    const file = snapshots.map(({ base }) => base).find((base) => base.path === path && base.text === text);
    return file ? parseSnapshot(file) : parseSnapshotText(given);
  };
  const schemas = createSchemaCache(memo, parse);
  const known = new Map<Protocol, Promise<PreparedPortable | null>>();
  return (protocol) =>
    cached(known, protocol, async () => {
      const portable = await readPortable(project, protocol);
      const definition = project.definitions.find(({ key }) => key === protocol);
      return portable && definition ? preparePortable(portable, definition, [], schemas, memo) : null;
    });
}

/** Reads the documents in code by their surfaces, as the snapshots tell these. What is wrong with them is for `check` to tell. */
export async function readCodeOperations(
  project: Project,
  readCompiled: PortableReader,
): Promise<ReadonlyMap<SurfaceId, readonly OperationFile[]>> {
  const code = await readCode(project);
  const ids = surfacesInCode(code);
  if (ids.size === 0) return new Map();
  const surfaces = project.surfaces.filter(({ id }) => ids.has(id));
  const candidates: Candidate[] = [];
  const shared = new Map<SurfaceId, OperationSet | null>();
  for (const snapshot of await readSnapshots(join(project.root, project.output), surfaces)) {
    const { protocol, style } = snapshot;
    const id = surfaceId(snapshot);
    candidates.push({ protocol, style, snapshot, sources: await readOperationSources(project, id) });
    shared.set(id, (await readCompiled(protocol))?.sets[style] ?? null);
  }
  const { assignCode } = await import("../operations/assign-code.ts");
  const schemaOf = ({ base }: Candidate["snapshot"]) =>
    toGraphqlSchema(parseSnapshotText(base), { repeatable: false });
  const sharedOf = (candidate: Candidate) => shared.get(surfaceId(candidate)) ?? null;
  return assignCode({ files: code.files, candidates }, { schemaOf, sharedOf }).bySurface;
}

/**
 * Reads the operations of surfaces, in order of name: what is written once as each style is sent it. What does not parse
 * and what is refused is passed over: `check` tells of it.
 *
 * @param snapshots those that the caller has read, so that none is parsed twice.
 * @throws SchemaError where a protocol has portable operations and not the snapshots of both styles.
 */
export async function readOperations(
  project: Project,
  surfaces: readonly OfSurface[],
  snapshots: readonly Snapshot[],
): Promise<OperationsBySurface> {
  const operations = new Map<SurfaceId, readonly PlacedOperation[]>();
  const readCompiled = createPortableReader(project, snapshots);
  const inCode = await readCodeOperations(project, readCompiled);
  for (const surface of surfaces) {
    const { protocol, style } = surface;
    const id = surfaceId(surface);
    const sources = await readOperationSources(project, id);
    const shared = (await readCompiled(protocol))?.sets[style] ?? null;
    const portable = new Set(shared?.operations.map(({ name }) => name));
    const { set, code } = parseOperations(sources, protocol, style, inCode.get(id) ?? [], shared);
    operations.set(
      id,
      sortByName([...set.operations, ...code.operations]).map(({ name, file, node, fragments }) => {
        const token = node.loc?.startToken;
        return {
          name,
          document: { kind: Kind.DOCUMENT, definitions: [node, ...fragments] },
          place: { file: file.path, line: token?.line ?? 1, column: token?.column ?? 1 },
          isPortable: portable.has(name),
        };
      }),
    );
  }
  return operations;
}
