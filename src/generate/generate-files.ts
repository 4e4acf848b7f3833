import { compareCodeUnits, createMemo, type Memo } from "../base/collections.ts";
import type { OutputFile } from "../base/write-files.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import { isOf, type OfSurface, surfaceId } from "../dialects/surface.ts";
import {
  type AssignedCode,
  assignCode,
  type CandidateFacts,
  type CodeInputs,
} from "../operations/assign-code.ts";
import { findUnlikeTwins } from "../operations/find-unlike-twins.ts";
import type { OperationSource } from "../operations/operation-set.ts";
import { type PreparedPortable, preparePortable } from "../operations/portable/prepare-portable.ts";
import { CHAINS_AS_OF } from "../project/chains.ts";
import type { Project } from "../project/project.ts";
import { BUILT_IN } from "../project/protocols.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { type Finding, isBreaking, uniqueFindings } from "../report/finding.ts";
import { namesFields, requireKnownFields } from "../workspace/check-definitions.ts";
import { renderPackageFile } from "../workspace/module-type.ts";
import { createSchemaCache, type GenerationInputs, type SurfaceInputs } from "../workspace/workspace.ts";
import { buildManifest } from "./build-manifest.ts";
import { checkScalars, knownScalars } from "./check-scalars.ts";
import { formatPaths, inFormat } from "./format-files.ts";
import {
  OPERATION_RECORD_PATH,
  type PreparedSurface,
  prepareDocuments,
  renderOperationRecord,
  type SurfaceCoverage,
} from "./prepare-documents.ts";
import { CLIENT_PATH, PROXY_PATH } from "./render-client.ts";
import { documentPaths, renderDocuments } from "./render-documents.ts";
import { idsPath, renderIdFiles } from "./render-ids.ts";
import { portablePath, renderPortableFiles } from "./render-portable.ts";

/** What generation makes of its inputs. With findings that are `breaking` the files are not all there are. */
export type Generation = {
  /** In code-unit order of path. */
  readonly files: readonly OutputFile[];
  /** The paths of files that cannot be generated before the errors are mended, in code-unit order. */
  readonly withheld: readonly string[];
  readonly findings: readonly Finding[];
  /** Where valid operations do not do what they seem to say, which fails nothing. */
  readonly pitfalls: readonly Finding[];
  readonly operations: readonly SurfaceCoverage[];
};

/**
 * Generates every file: the same bytes of the same inputs.
 *
 * @param memo of an earlier run, which has the files of every surface that has not changed.
 */
export async function generateFiles(
  project: Project,
  inputs: GenerationInputs,
  memo: Memo = createMemo(),
): Promise<Generation> {
  const prepared = prepareSurfaces(project, inputs, memo);
  const operations = prepared.map(({ protocol, style, coverage }) => ({ protocol, style, coverage }));
  const findings = [
    ...inputs.findings,
    ...assignInputs(inputs.code, createCompiler(project, inputs.code, memo), memo).findings,
    ...prepared.flatMap((item) => item.findings),
    ...operations.flatMap(warnings),
  ];
  const { brand, shared, definitions, chains, deployments } = project;
  const facts = { asOf: CHAINS_AS_OF, brand, shared, definitions, chains, deployments, operations };
  const manifest = memo("manifest", [JSON.stringify(facts)], () => buildManifest(facts));
  const files: OutputFile[] = [];
  for (const { documents, sources, portable } of prepared) {
    // What is in code alone is not generated.
    if (!documents || (sources.length === 0 && !portable)) continue;
    files.push(...memo(`files ${surfaceId(documents.set)}`, [documents], () => renderDocuments(documents)));
  }
  // While a file is misplaced, it may belong to a surface that has no operations.
  const withheld = project.surfaces.flatMap((surface) => {
    const item = prepared.find(isOf(surface));
    const isKnown = item ? item.documents !== null : inputs.findings.length === 0;
    return isKnown ? [] : documentPaths(surface);
  });
  const portable = renderPortableFiles(project.protocols, prepared, memo);
  // What is misplaced may be something that the proxy imports.
  const isWhole = inputs.findings.length === 0;
  files.push(...portable.files.filter(({ path }) => isWhole || path !== PROXY_PATH));
  files.push(...renderIdFiles(definitions, prepared, memo));
  withheld.push(...portable.withheld);
  if (!isWhole) {
    const known = new Set([...files.map(({ path }) => path), ...withheld]);
    const paths = [
      ...project.protocols.flatMap((key) => [portablePath(key), idsPath(key)]),
      CLIENT_PATH,
      PROXY_PATH,
    ];
    withheld.push(...paths.filter((path) => !known.has(path)));
  }
  // Both list the operations of all surfaces.
  const record = renderOperationRecord(project.operations, inputs.rows, prepared);
  const lists = [manifest, { path: OPERATION_RECORD_PATH, content: record }];
  if (findings.some(isBreaking)) withheld.push(...lists.map(({ path }) => path));
  else files.push(...lists);
  if (inputs.needsPackageFile) files.push(renderPackageFile());
  const { format } = project;
  return {
    files: (await inFormat(format, files)).sort((a, b) => compareCodeUnits(a.path, b.path)),
    withheld: withheld.flatMap((path) => formatPaths(format, path)).sort(compareCodeUnits),
    findings,
    // An operation in code may be of several surfaces.
    pitfalls: uniqueFindings([...prepared.flatMap((item) => item.pitfalls), ...unlikeTwins(prepared, memo)]),
    operations,
  };
}

/** What the styles of a protocol have under one name, and in different shapes. */
function unlikeTwins(prepared: readonly PreparedSurface[], memo: Memo): Finding[] {
  const known = prepared.flatMap(({ protocol, documents }) =>
    documents ? [{ protocol, ...documents, pitfalls: styles[documents.set.style].pitfalls }] : [],
  );
  return known.flatMap((one, index) =>
    known
      .slice(index + 1)
      .filter(({ protocol }) => protocol === one.protocol)
      .flatMap((other) =>
        memo(`twins ${surfaceId(one.set)} ${surfaceId(other.set)}`, [one.set, other.set], () =>
          findUnlikeTwins(one, other),
        ),
      ),
  );
}

/**
 * Parses and validates the operations of every surface.
 *
 * @throws ConfigError when the configuration gives a scalar a type it cannot have, or a definition names no field.
 */
export function prepareSurfaces(
  { scalars, definitions }: Pick<Project, "scalars" | "definitions">,
  { groups, rows, code }: Pick<GenerationInputs, "groups" | "rows" | "code">,
  memo: Memo = createMemo(),
): PreparedSurface[] {
  // A snapshot is read for its own operations, and for the enums that its sibling shows as opaque scalars.
  const schemas = createSchemaCache(memo);
  const snapshots = [...new Set(groups.flatMap(({ siblings }) => siblings))];
  for (const definition of definitions.filter(namesFields)) {
    const own = snapshots.filter(({ protocol }) => protocol === definition.key);
    requireKnownFields(definition, own.map(schemas.model));
  }
  // Nobody can tell a slip from a scalar of a schema that was never seen.
  if (snapshots.length > 0 && Object.keys(scalars).length > 0) {
    checkScalars(
      scalars,
      knownScalars(
        Object.values(styles),
        snapshots,
        snapshots.map(({ base }) => schemas.api(base)),
      ),
    );
  }
  const compile = createCompiler({ definitions }, code, memo);
  const { bySurface } = assignInputs(code, compile, memo);
  return groups.flatMap((group) => {
    const { style, snapshot, siblings, sources, entities } = group;
    const inCode = bySurface.get(surfaceId(group)) ?? [];
    const compiled = compile(group);
    if (sources.length === 0 && inCode.length === 0 && !compiled) return [];
    const {
      cursors = {},
      identity = { protocol: null, chain: null },
      ids = {},
    } = definitions.find(({ key }) => key === group.protocol) ?? {};
    const protocol = { cursors, identity };
    // Everything below as texts: they are the same when nothing has changed, and objects are not.
    const texts = [
      ...siblings.flatMap(({ base, variants }) => [base, ...variants]),
      ...sources,
      ...(entities ? [entities] : []),
    ];
    const ingredients = [
      JSON.stringify({ scalars, protocol, ids, rows: rows.filter(isOf(group)) }),
      ...texts.flatMap(({ path, text }) => [path, text]),
      ...inCode,
      compiled,
    ];
    const documents = memo(`group ${surfaceId(group)}`, ingredients, () =>
      prepareDocuments({
        snapshot,
        schemas,
        style: styles[style],
        protocol,
        ids,
        sources,
        compiled,
        inCode,
        scalars,
        enums: [
          ...(entities ? writtenEnums(entities) : knownEnums(group)),
          ...siblings.flatMap((sibling) => enumsOf(schemas.api(sibling.base))),
        ],
        models: [snapshot, ...siblings.filter((sibling) => sibling !== snapshot)].map(schemas.model),
        rows,
      }),
    );
    // What is written once is reported once.
    const isFirst = groups.find((other) => other.protocol === group.protocol) === group;
    const findings = [...(isFirst ? (compiled?.findings ?? []) : []), ...documents.findings];
    return [{ ...group, ...documents, compiled, findings }];
  });
}

type Compiler = (surface: Pick<SurfaceInputs, "protocol" | "portable">) => PreparedPortable | null;

/** Creates what compiles the operations that a protocol has written once: for its surfaces together, and not for each. */
function createCompiler(
  { definitions }: Pick<Project, "definitions">,
  { files }: Pick<CodeInputs, "files">,
  memo: Memo,
): Compiler {
  const schemas = createSchemaCache(memo);
  return ({ protocol, portable }) => {
    const definition = definitions.find(({ key }) => key === protocol);
    return portable && definition ? preparePortable(portable, definition, files, schemas, memo) : null;
  };
}

/** Parses the documents in code, and decides of which surfaces they are. */
function assignInputs(
  { files, candidates }: GenerationInputs["code"],
  compile: Compiler,
  memo: Memo,
): AssignedCode {
  const texts = [
    ...files.flatMap(({ path, text, names, surfaces }) => [path, text, JSON.stringify([names, surfaces])]),
    ...candidates.flatMap(({ snapshot, sources }) =>
      [snapshot.base, ...sources].flatMap(({ path, text }) => [path, text]),
    ),
    ...candidates.map(compile),
  ];
  const shared = new Map(candidates.map((one) => [surfaceId(one), compile(one)?.sets[one.style]]));
  const schemas = createSchemaCache(memo);
  const facts: CandidateFacts = {
    schemaOf: ({ base }) => schemas.graphql(base),
    sharedOf: (candidate) => shared.get(surfaceId(candidate)) ?? null,
  };
  return memo("code", files.length === 0 ? [] : texts, () => assignCode({ files, candidates }, facts));
}

/** The enums of an entity SDL. */
function writtenEnums({ path, text }: OperationSource): EntityEnum[] {
  return parseEntities(text, path).definitions.flatMap((one) => (one.kind === "enum" ? [one] : []));
}

/** The enums of a protocol that ships, whose other style may not be read. */
function knownEnums({ protocol }: OfSurface): EntityEnum[] {
  const { enums = {} } = BUILT_IN.find(({ key }) => key === protocol) ?? {};
  return Object.entries(enums).map(([name, values]) => ({
    kind: "enum",
    name,
    description: null,
    values: values.map((value) => ({ name: value, description: null })),
  }));
}

function enumsOf({ types }: ApiSchema): EntityEnum[] {
  return types.flatMap((type) => {
    if (type.kind !== "ENUM") return [];
    const values = type.values.map(({ name, description }) => ({ name, description }));
    return [{ kind: "enum", name: type.name, description: type.description, values } as const];
  });
}

/** An operation that some chains cannot answer is generated, with a warning. */
function warnings(surface: SurfaceCoverage): Finding[] {
  return surface.coverage.flatMap(({ operation, missing }) => {
    const subject = `${surfaceId(surface)} ${operation}`;
    return missing.length === 0
      ? []
      : [buildFileFinding("operation/not-everywhere", [missing.join(", ")], { subject, place: null })];
  });
}
