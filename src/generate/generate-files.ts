import { compareCodeUnits } from "../base/collections.ts";
import type { OutputFile } from "../base/output-file.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { EntityEnum } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import { surfaceId } from "../dialects/surface.ts";
import { assignCode } from "../operations/assign-code.ts";
import { findUnlikeTwins } from "../operations/find-unlike-twins.ts";
import type { OperationSource } from "../operations/operation-set.ts";
import { reportUnusedFragments } from "../operations/portable/prepare-portable.ts";
import { CHAINS_AS_OF } from "../project/chains.ts";
import type { Project } from "../project/project.ts";
import { builtInEnums } from "../project/protocols.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import { type Finding, isBreaking, uniqueFindings } from "../report/finding.ts";
import { requireKnownFields } from "../workspace/check-definitions.ts";
import { namesFields } from "../workspace/definition-claims.ts";
import type { GenerationInputs } from "../workspace/generation-inputs.ts";
import { renderPackageFile } from "../workspace/module-type.ts";
import { type CompiledProtocols, compiledSet, compilePortable } from "../workspace/operations.ts";
import { graphqlSchema, snapshotModel, writtenSchema } from "../workspace/snapshot-schema.ts";
import { checkScalars, knownScalars } from "./check-scalars.ts";
import { inFormat } from "./format-files.ts";
import { buildManifest } from "./manifest/build-manifest.ts";
import { renderRoutes } from "./manifest/render-routes.ts";
import { renderPortableFiles } from "./portable/render-portable-files.ts";
import {
  type PreparedSurface,
  prepareDocuments,
  renderOperationRecord,
  type SurfaceCoverage,
} from "./prepare-documents.ts";
import { renderProxy } from "./render-client.ts";
import { renderDocuments } from "./render-documents.ts";
import { renderIdFiles } from "./render-ids.ts";
import { renderRuntime } from "./runtime.ts";

/** The result of a generation. If a finding is `breaking`, files that depend on it are missing. */
export type Generation = {
  /** In code-unit order of path. */
  readonly files: readonly OutputFile[];
  readonly findings: readonly Finding[];
  /** Where valid operations behave differently than expected. They do not fail a run. */
  readonly pitfalls: readonly Finding[];
  readonly compiled: CompiledProtocols;
};

/**
 * Generates every file. The same inputs give the same bytes.
 *
 * @param compiledEarlier the portable operations of all protocols if they are compiled already; null to compile them.
 */
export async function generateFiles(
  project: Project,
  inputs: GenerationInputs,
  compiledEarlier: CompiledProtocols | null = null,
): Promise<Generation> {
  const { prepared, compiled, codeFindings } = prepareSurfaces(project, inputs, compiledEarlier);
  const findings = [
    ...inputs.findings,
    ...codeFindings,
    ...prepared.flatMap((item) => item.findings),
    ...prepared.flatMap(warnings),
  ];
  const files: OutputFile[] = [];
  for (const surface of prepared) {
    const { documents, sources, portable } = surface;
    // Operations that are only in code are not generated.
    if (!documents || (sources.length === 0 && !portable)) continue;
    files.push(...renderDocuments(documents, { ...project, portable: portableNames(surface) }));
  }
  files.push(...renderPortableFiles(project.protocols, prepared, project));
  files.push(...renderIdFiles(project.definitions, prepared, project));
  // The others list the operations of all surfaces.
  if (!findings.some(isBreaking)) {
    files.push(
      buildManifest({ ...project, asOf: CHAINS_AS_OF, operations: prepared }, project),
      renderRoutes(project, project),
      ...renderProxy(prepared, project),
      renderOperationRecord(project.operations, inputs.rows, prepared),
    );
  }
  if (project.runtime === "emit") files.push(...renderRuntime(project, files));
  if (inputs.needsPackageFile) files.push(renderPackageFile());
  const { format } = project;
  return {
    files: inFormat(format, files).sort((a, b) => compareCodeUnits(a.path, b.path)),
    findings,
    // An operation in code may belong to several surfaces.
    pitfalls: uniqueFindings([...prepared.flatMap((item) => item.pitfalls), ...unlikeTwins(prepared)]),
    compiled,
  };
}

/** Returns the names of the portable operations of a surface's protocol. */
export function portableNames({ compiled }: Pick<PreparedSurface, "compiled">): ReadonlySet<string> {
  return new Set(compiled?.compiled.map(({ name }) => name));
}

/** Finds operations that have the same name in both styles of a protocol, but results of different shapes. */
function unlikeTwins(prepared: readonly PreparedSurface[]): Finding[] {
  const documentSets = prepared.flatMap(({ protocol, documents }) =>
    documents ? [{ protocol, ...documents, pitfalls: styles[documents.set.style].pitfalls }] : [],
  );
  return documentSets.flatMap((documents, index) =>
    documentSets
      .slice(index + 1)
      .filter(({ protocol }) => protocol === documents.protocol)
      .flatMap((other) => findUnlikeTwins(documents, other)),
  );
}

/**
 * Parses and validates the operations of every surface.
 *
 * @returns `codeFindings` are about documents in code that belong to no surface.
 * @throws ConfigError if a scalar is configured with an impossible type, or a definition names an unknown field.
 */
export function prepareSurfaces(
  { scalars, definitions }: Pick<Project, "scalars" | "definitions">,
  { groups, rows, code }: Pick<GenerationInputs, "groups" | "rows" | "code">,
  compiledEarlier: CompiledProtocols | null = null,
) {
  const snapshots = [...new Set(groups.flatMap(({ siblings }) => siblings))];
  for (const definition of definitions.filter(namesFields)) {
    const ofProtocol = snapshots.filter(({ protocol }) => protocol === definition.key);
    requireKnownFields(definition, ofProtocol.map(snapshotModel));
  }
  // Without a snapshot, a misspelt name may be the scalar of an unknown schema.
  if (snapshots.length > 0 && Object.keys(scalars).length > 0) {
    checkScalars(scalars, knownScalars(snapshots));
  }
  const compiled = compiledEarlier ?? compilePortable(code.candidates.map(({ portable }) => portable));
  const { bySurface, findings: codeFindings } = assignCode(
    code.files,
    code.candidates.map((candidate) => ({
      ...candidate,
      schema: () => graphqlSchema(candidate.snapshot.base),
      shared: compiledSet(compiled, candidate),
    })),
  );
  const prepared = groups.flatMap((group): PreparedSurface[] => {
    const { protocol, snapshot, siblings, sources, portable, entities } = group;
    const inCode = bySurface.get(surfaceId(group)) ?? [];
    const shared = compiled.get(protocol) ?? null;
    const definition = definitions.find(({ key }) => key === protocol);
    if (!definition || (sources.length === 0 && inCode.length === 0 && !shared)) return [];
    const reported = shared && portable && reportUnusedFragments(shared, portable.users, code.files);
    const documents = prepareDocuments({
      snapshot,
      definition,
      sources,
      compiled: reported,
      inCode,
      scalars,
      enums: [
        ...(entities ? writtenEnums(entities) : builtInEnums(protocol, snapshotModel(snapshot))),
        ...siblings.flatMap((sibling) => enumsOf(writtenSchema(sibling.base))),
      ],
      models: [snapshot, ...siblings.filter((sibling) => sibling !== snapshot)].map(snapshotModel),
      rows,
    });
    // Findings of portable operations are reported once, not for both styles.
    const isFirst = groups.find((inputs) => inputs.protocol === protocol) === group;
    const findings = [...(isFirst ? (reported?.findings ?? []) : []), ...documents.findings];
    return [{ ...group, ...documents, compiled: reported, findings }];
  });
  return { prepared, compiled, codeFindings };
}

function writtenEnums({ path, text }: OperationSource): EntityEnum[] {
  return parseEntities(text, path).definitions.flatMap((definition) =>
    definition.kind === "enum" ? [definition] : [],
  );
}

function enumsOf({ types }: ApiSchema): EntityEnum[] {
  return types.flatMap((type) => {
    if (type.kind !== "ENUM") return [];
    const values = type.values.map(({ name, description }) => ({ name, description }));
    return [{ kind: "enum", name: type.name, description: type.description, values } as const];
  });
}

/** Warns of operations that are not valid on some chains. They are generated anyway. */
function warnings(surface: SurfaceCoverage): Finding[] {
  return surface.coverage.flatMap(({ operation, missing }) => {
    const subject = `${surfaceId(surface)} ${operation}`;
    return missing.length === 0
      ? []
      : [buildFileFinding("operation/not-everywhere", [missing.join(", ")], { subject, place: null })];
  });
}
