import { join } from "node:path";
import type { FragmentDefinitionNode, GraphQLSchema, OperationDefinitionNode } from "graphql";
import { createMemo } from "../base/create-memo.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { findNamed } from "../base/find-named.ts";
import { nearestName } from "../base/nearest-name.ts";
import { type AnyPortableOperation, buildPortableOperation } from "../generate/build-portable-operation.ts";
import { compileMeant, type MeantOperation } from "../generate/compile-meant.ts";
import { createPortableReader } from "../generate/create-portable-reader.ts";
import type { Operation } from "../generate/operation-set.ts";
import { type OperationSource, readOperationSources } from "../generate/operation-source.ts";
import { parseOperations } from "../generate/parse-operations.ts";
import { printDocument } from "../generate/print-document.ts";
import { findProtocolOfFile, readGivenFile } from "../generate/read-given-file.ts";
import { AUTHORED_STYLE, hasBothStyles, PORTABLE_FOLDER } from "../generate/read-portable.ts";
import { createSchemaCache } from "../generate/schema-cache.ts";
import { validateOperations } from "../generate/validate-operations.ts";
import type { Project } from "../project/project.ts";
import type { Surface } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import { isBreaking } from "../report/is-breaking.ts";
import { requireSnapshot } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import { isRefusal, refuseOperation, withHint } from "./refuse-operation.ts";
import type { Scalars } from "./variables/coerce-value.ts";

/** An operation that is to be asked, with what its variables and its answer are read by. */
export type FoundOperation = {
  readonly name: string;
  readonly protocol: Protocol;
  /** The only style that it is written for; null for one that both take. */
  readonly style: StyleName | null;
  /** As it is written. */
  readonly node: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  readonly schema: GraphQLSchema;
  readonly scalars: Scalars;
  /** What is run with these variables. */
  readonly build: (variables: Variables) => {
    readonly operation: AnyPortableOperation;
    readonly given: Variables;
  };
};

type Variables = Readonly<Record<string, unknown>>;

/** Which operation is meant. */
export type OperationRequest = {
  /** The name of an operation, or a file with one. */
  readonly operation: string;
  /** Where the path of a file begins. */
  readonly cwd: string;
  /** Null where any may be meant. */
  readonly protocol: Protocol | null;
  /** The only style to be asked; null for both. */
  readonly style: StyleName | null;
};

/**
 * Finds the operation that somebody wants to be asked: those that are written once come before those of a style.
 *
 * @throws OperationError for one that is not valid or not portable.
 * @throws UsageError where it is not clear which is meant, FileError and SchemaError for files that are missing.
 */
export async function findOperation(project: Project, request: OperationRequest): Promise<FoundOperation> {
  const surfaces = surfacesOf(project, request);
  return /[./\\]/.test(request.operation)
    ? findInFile(project, request, surfaces)
    : findByName(project, request, surfaces);
}

/** The surfaces of the protocols that may be meant. */
function surfacesOf({ protocols, surfaces }: Project, { protocol }: OperationRequest): readonly Surface[] {
  if (protocol === null) return surfaces;
  const chosen = surfaces.filter((surface) => surface.protocol === protocol);
  if (chosen.length > 0) return chosen;
  const nearest = nearestName(protocol, protocols);
  throw new UsageError({
    sentence: `"${protocol}" is no protocol of this project.`,
    hint: nearest ? `did you mean "${nearest}"?` : `its protocols: ${protocols.join(", ")}.`,
  });
}

/** The protocols of surfaces of which operations can be written once. */
function portableProtocols(project: Project, surfaces: readonly Surface[]): readonly Protocol[] {
  return [...new Set(surfaces.map(({ protocol }) => protocol))].filter((one) => hasBothStyles(project, one));
}

async function findByName(
  project: Project,
  { operation: name, style }: OperationRequest,
  surfaces: readonly Surface[],
): Promise<FoundOperation> {
  const names: string[] = [];
  const found: (() => Promise<FoundOperation>)[] = [];
  const places: string[] = [];
  for (const protocol of portableProtocols(project, surfaces)) {
    const sources = await readOperationSources(project, `${protocol}/${PORTABLE_FOLDER}`);
    const { operations } = parseOperations(sources, protocol, AUTHORED_STYLE).set;
    names.push(...operations.map((operation) => operation.name));
    if (!findNamed(operations, name)) continue;
    places.push(protocol);
    found.push(async () => ofBoth(await compileMeant(project, protocol, sources, (one) => one === name)));
  }
  if (found.length === 0) {
    for (const surface of surfaces) {
      const { operations } = await readSurface(project, surface, []);
      names.push(...operations.map((operation) => operation.name));
      if (!findNamed(operations, name) || (style !== null && style !== surface.style)) continue;
      places.push(surface.id);
      found.push(() => ofSurface(project, surface, [], (one) => one.name === name));
    }
  }
  const [only, ...others] = found;
  if (only && others.length === 0) return only();
  if (only) {
    throw new UsageError({
      sentence: `There is an operation "${name}" in ${places.join(" and ")}.`,
      hint: "say which is meant, with --protocol and --style.",
    });
  }
  const nearest = nearestName(name, names);
  const known = [...new Set(names)].sort().join(", ");
  throw new UsageError({
    sentence: `There is no operation "${name}"${style === null ? "" : ` that ${style} indexers take`}.`,
    hint: nearest
      ? `did you mean "${nearest}"?`
      : `${known === "" ? "the project has none." : `there are ${known}.`} A file is named by its path.`,
  });
}

async function findInFile(
  project: Project,
  { operation: given, cwd, style }: OperationRequest,
  surfaces: readonly Surface[],
): Promise<FoundOperation> {
  const source = await readGivenFile(project, given, cwd);
  const { path } = source;
  const own = surfaces.find(({ id }) => path.startsWith(`${project.operations}/${id}/`));
  if (own) return ofSurface(project, own, [source], ({ file }) => file.path === path);
  const portable = portableProtocols(project, surfaces);
  const protocols = portable.length > 0 ? portable : [...new Set(surfaces.map((one) => one.protocol))];
  const protocol = findProtocolOfFile(project, given, path, protocols);
  const inStyle = surfaces.filter((one) => one.protocol === protocol && (style ?? one.style) === one.style);
  const isHere = ({ file }: Operation) => file.path === path;
  const [alone] = inStyle;
  if (!portable.includes(protocol) && alone) return ofSurface(project, alone, [source], isHere);
  const folders = [PORTABLE_FOLDER, AUTHORED_STYLE].map((folder) => `${protocol}/${folder}`);
  const read = await Promise.all(folders.map((folder) => readOperationSources(project, folder)));
  // The file comes first: of two things with one name its own counts.
  const sources = [source, ...read.flat().filter((one) => one.path !== path)];
  try {
    return ofBoth(await compileMeant(project, protocol, sources, (_, file) => file === path));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const takers = await Promise.all(
      inStyle.map((surface) => ofSurface(project, surface, [source], isHere).catch(() => null)),
    );
    const taker = takers.find((one) => one !== null);
    // Who names a style means that style where it is the only one that takes the operation.
    if (taker && style !== null) return taker;
    throw taker
      ? withHint(
          error,
          `it is valid for ${taker.style} indexers: ask those alone, with --style ${taker.style}.`,
        )
      : error;
  }
}

/** The one operation that is meant, in both styles. */
function ofBoth(meant: readonly MeantOperation[]): FoundOperation {
  const [only, ...others] = meant;
  if (!only) throw nothingInFile();
  if (others.length > 0) throw severalInFile(meant);
  const { name, protocol, authored, compiled, context, findings } = only;
  if (compiled === null || authored === null) return refuseOperation(name, findings.filter(isBreaking));
  const { node, fragments } = authored;
  const operation = buildPortableOperation(compiled, context);
  return {
    ...{ name, protocol, node, fragments, style: null },
    schema: context.schemas[AUTHORED_STYLE].graphql,
    scalars: styles[AUTHORED_STYLE].scalars,
    build: (given) => ({ operation, given }),
  };
}

/** The one operation of a style that is meant. */
async function ofSurface(
  project: Project,
  surface: Surface,
  first: readonly OperationSource[],
  isMeant: (operation: Operation) => boolean,
): Promise<FoundOperation> {
  const { protocol, style } = surface;
  const { set, operations, findings } = await readSurface(project, surface, first);
  const meant = operations.filter(isMeant);
  const [only, ...others] = meant;
  const [file] = first;
  const faults = findings.filter(({ place }) => file !== undefined && place?.file === file.path);
  if (!only && faults.length > 0) return refuseOperation("", faults);
  if (!only) throw nothingInFile();
  if (others.length > 0) throw severalInFile(meant);
  const snapshot = await requireSnapshot(join(project.root, project.output), surface);
  const schema = createSchemaCache(createMemo()).graphql(snapshot.base);
  const own = new Map([...set.fragments].filter(([, { node }]) => only.fragments.includes(node)));
  const invalid = validateOperations({ ...set, operations: [only], fragments: own }, schema);
  if (invalid.length > 0) return refuseOperation(only.name, [...faults, ...invalid]);
  const { name, node, fragments } = only;
  const text = printDocument(node, fragments);
  return {
    ...{ name, protocol, style, node, fragments, schema, scalars: styles[style].scalars },
    build: (variables) => ({
      // There is nothing to be mapped: the text is sent as it is written, with what was given.
      operation: {
        name,
        protocol,
        multichain: "",
        subgraph: "",
        [style]: text,
        map: () => ({ ...variables }),
      },
      given: {},
    }),
  };
}

/** The operations of a surface that are written for its style alone. */
async function readSurface(project: Project, surface: Surface, first: readonly OperationSource[]) {
  const { protocol, style } = surface;
  const read = await readOperationSources(project, surface.id);
  const sources = [...first, ...read.filter(({ path }) => first.every((one) => one.path !== path))];
  const portable = await createPortableReader(project, [])(protocol);
  const shared = portable?.sets[style] ?? null;
  const { set, findings } = parseOperations(sources, protocol, style, [], shared);
  const isShared = ({ name }: Operation) => shared !== null && findNamed(shared.operations, name);
  return { set, findings, operations: set.operations.filter((one) => !isShared(one)) };
}

function nothingInFile(): UsageError {
  return new UsageError({
    sentence: "There is no operation in the file.",
    hint: "fragments alone ask nothing.",
  });
}

function severalInFile(found: readonly { readonly name: string }[]): UsageError {
  return new UsageError({
    sentence: `There are ${found.length} operations in the file: ${found.map(({ name }) => name).join(", ")}.`,
    hint: "one is asked at a time: give each a file of its own.",
  });
}
