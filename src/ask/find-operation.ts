import { findNamed } from "../base/collections.ts";
import { OperationError, UsageError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { styles } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import type { Protocol, StyleName, Surface } from "../dialects/surface.ts";
import { buildPortableOperation } from "../generate/portable/portable-operation.ts";
import type { Operation } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import {
  compileMeant,
  type MeantOperation,
  refuseOperationName,
} from "../operations/portable/compile-named.ts";
import type { Project } from "../project/project.ts";
import { isBreaking } from "../report/finding.ts";
import { findProtocolOfFile, PORTABLE_FOLDER, readGivenFile } from "../workspace/operation-files.ts";
import {
  compileProtocols,
  readCodeOperations,
  requirePortableContext,
  snapshotsInCode,
} from "../workspace/operations.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  type FoundOperation,
  findInSurface,
  findRefusingChains,
  parseStyleOperations,
  refuseOperation,
  requireOnly,
  type StyleSources,
} from "./find-in-surface.ts";

export type OperationRequest = {
  /** The name of an operation, or the path of a file with one. */
  readonly operation: string;
  /** The folder that the path is relative to. */
  readonly cwd: string;
  /** Null for any protocol. */
  readonly protocol: Protocol | null;
  /** The only style to use; null for both. */
  readonly style: StyleName | null;
};

/**
 * Finds an operation by name or file. Portable operations have precedence over those of one style.
 *
 * @throws OperationError if it is not valid or not portable.
 * @throws UsageError if none or several match, FileError and SchemaError for missing files.
 */
export async function findOperation(
  workspace: Workspace,
  request: OperationRequest,
): Promise<FoundOperation> {
  const surfaces = surfacesOf(workspace.project, request);
  return /[./\\]/.test(request.operation)
    ? findInFile(workspace, request, surfaces)
    : findByName(workspace, request, surfaces);
}

function surfacesOf({ protocols, surfaces }: Project, { protocol }: OperationRequest): readonly Surface[] {
  if (protocol === null) return surfaces;
  const chosen = surfaces.filter((surface) => surface.protocol === protocol);
  if (chosen.length > 0) return chosen;
  const nearest = nearestName(protocol, protocols);
  throw new UsageError({
    sentence: `This project has no protocol "${protocol}".`,
    hint: nearest ? `did you mean "${nearest}"?` : `its protocols are ${protocols.join(", ")}.`,
  });
}

function protocolsOf(surfaces: readonly Surface[]): readonly Protocol[] {
  return [...new Set(surfaces.map(({ protocol }) => protocol))];
}

async function findByName(
  workspace: Workspace,
  { operation: name, style }: OperationRequest,
  surfaces: readonly Surface[],
): Promise<FoundOperation> {
  const names: string[] = [];
  const candidates: Candidate[] = [];
  for (const protocol of protocolsOf(surfaces)) {
    const sources = workspace.operations(`${protocol}/${PORTABLE_FOLDER}`);
    const { operations } = parseOperations(sources, { protocol, style: AUTHORED_STYLE }).set;
    names.push(...operations.map((operation) => operation.name));
    if (!findNamed(operations, name)) continue;
    const context = () => requirePortableContext(workspace, protocol);
    const isMeant = (candidate: string) => candidate === name;
    const find = async () => ofBoth(workspace, compileMeant({ protocol, sources, context }, isMeant));
    candidates.push({ place: protocol, find });
  }
  if (candidates.length === 0) {
    const inStyles = await findInStyles(workspace, surfaces, {
      style,
      matches: (operation) => operation.name === name,
    });
    names.push(...inStyles.names);
    candidates.push(...inStyles.candidates);
  }
  if (candidates.length > 0) return findOnly(candidates, `operation "${name}"`);
  return refuseOperationName({
    sentence: `Unknown operation "${name}"${style === null ? "" : ` in ${style} style`}.`,
    name,
    names,
    none: "the project has no operations.",
  });
}

/** A place with a matching operation, and how to load it. */
type Candidate = { readonly place: string; readonly find: () => Promise<FoundOperation> };

function findOnly(candidates: readonly Candidate[], what: string): Promise<FoundOperation> {
  const [only, ...others] = candidates;
  if (only && others.length === 0) return only.find();
  throw new UsageError({
    sentence: `There is an ${what} in each of ${candidates.map(({ place }) => place).join(" and ")}.`,
    hint: "choose one with --protocol and --style.",
  });
}

/** Finds operations of one style, in files and in code, and the names of all. */
async function findInStyles(
  workspace: Workspace,
  surfaces: readonly Surface[],
  wanted: Pick<OperationRequest, "style"> & { readonly matches: (operation: Operation) => boolean },
): Promise<{ readonly names: readonly string[]; readonly candidates: readonly Candidate[] }> {
  const { style, matches } = wanted;
  const compiled = compileProtocols(workspace, [...surfaces, ...(await snapshotsInCode(workspace))]);
  const { bySurface: inCode } = await readCodeOperations(workspace, compiled);
  const sources = { workspace, inCode, first: [], compiled };
  const parsed = surfaces.map((surface) => ({
    surface,
    operations: parseStyleOperations(surface, sources).operations,
  }));
  const matching = parsed.filter(
    ({ surface, operations }) => operations.some(matches) && (style ?? surface.style) === surface.style,
  );
  return {
    names: parsed.flatMap(({ operations }) => operations.map(({ name }) => name)),
    candidates: matching.map(({ surface }) => ({
      place: surface.id,
      find: () => findInSurface(surface, sources, matches),
    })),
  };
}

async function findInFile(
  workspace: Workspace,
  { operation: reference, cwd, style }: OperationRequest,
  surfaces: readonly Surface[],
): Promise<FoundOperation> {
  const { project } = workspace;
  const source = await readGivenFile(project, reference, cwd);
  const { path } = source;
  const isHere = ({ file }: Operation) => file.path === path;
  if (CODE.test(path)) {
    const { candidates } = await findInStyles(workspace, surfaces, { style, matches: isHere });
    if (candidates.length > 0) return findOnly(candidates, `operation of "${reference}"`);
    throw new UsageError({
      sentence: `\`lockflow generate\` finds no operation in the code of "${reference}".`,
      hint: "check `documents` in the configuration, which lists the files with operations in code.",
    });
  }
  const open = (key: Protocol): StyleSources => {
    const compiled = compileProtocols(workspace, [{ protocol: key }]);
    return { workspace, inCode: new Map(), first: [source], compiled };
  };
  const surfaceOfPath = surfaces.find(({ id }) => path.startsWith(`${project.operations}/${id}/`));
  if (surfaceOfPath) return findInSurface(surfaceOfPath, open(surfaceOfPath.protocol), isHere);
  const protocol = findProtocolOfFile(project, { argument: reference, path }, protocolsOf(surfaces));
  const inStyle = surfaces.filter(
    (surface) => surface.protocol === protocol && (style ?? surface.style) === surface.style,
  );
  const others = [PORTABLE_FOLDER, AUTHORED_STYLE]
    .flatMap((folder) => workspace.operations(`${protocol}/${folder}`))
    .filter((file) => file.path !== path);
  const all = {
    protocol,
    // The file comes first: it wins over another file with the same names.
    sources: [source, ...others],
    context: () => requirePortableContext(workspace, protocol),
  };
  try {
    return ofBoth(
      workspace,
      compileMeant(all, (_, file) => file === path),
    );
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "OPERATIONS_INVALID") throw error;
    const sources = open(protocol);
    const results = await Promise.all(
      inStyle.map((surface) => findInSurface(surface, sources, isHere).catch(() => null)),
    );
    const accepted = results.find((operation) => operation !== null);
    // With --style, an operation that is only valid for that style is accepted.
    if (accepted && style !== null) return accepted;
    if (!accepted) throw error;
    const { code, sentence, context } = error;
    const hint = `it is valid for the ${accepted.style} style: add --style ${accepted.style}.`;
    throw new OperationError({ code, sentence, context, hint });
  }
}

/** Files of code, in which operations are as `documents` of the configuration says. */
const CODE = /\.[cm]?[jt]sx?$/;

/** Returns the only matching operation, in both styles. */
function ofBoth(workspace: Workspace, meant: readonly MeantOperation[]): FoundOperation {
  const { name, protocol, authored, compiled, context, findings } = requireOnly(meant);
  if (compiled === null || authored === null) return refuseOperation(name, findings.filter(isBreaking));
  const { node, fragments } = authored;
  const { multichain, subgraph } = compiled.documents;
  const not = findRefusingChains(workspace, protocol, {
    multichain: { ...authored, ...multichain },
    subgraph: { ...authored, ...subgraph },
  });
  const operation = buildPortableOperation(compiled, context, not);
  return {
    name,
    protocol,
    node,
    fragments,
    style: null,
    schema: context.schemas[AUTHORED_STYLE].graphql,
    scalars: styles[AUTHORED_STYLE].scalars,
    build: (values) => ({ operation, given: values }),
  };
}
