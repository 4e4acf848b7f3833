import { compareCodeUnits } from "../base/compare-code-units.ts";
import { createMemo, type Memo } from "../base/create-memo.ts";
import type { OutputFile } from "../base/disk/output-file.ts";
import { CHAINS_AS_OF } from "../project/chains.ts";
import type { Project } from "../project/project.ts";
import { isOf, type OfSurface, surfaceId } from "../project/surface.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { EntityEnum, EntityModel } from "../schema/entity-model.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { buildManifest } from "./build-manifest.ts";
import { checkScalars, knownScalars } from "./check-scalars.ts";
import { type Coverage, type PreparedSurface, prepareDocuments } from "./generate-documents.ts";
import type { GenerationInputs, SurfaceInputs } from "./generation-inputs.ts";
import { OPERATION_RECORD_PATH, renderOperationRecord } from "./operation-record.ts";
import { renderDocuments } from "./render-documents.ts";

/** What generation makes of its inputs. With findings that are `breaking` the files are not all there are. */
export type Generation = {
  /** In code-unit order of path. */
  readonly files: readonly OutputFile[];
  /** The paths of files that cannot be generated before the errors are mended, in code-unit order. */
  readonly withheld: readonly string[];
  readonly findings: readonly Finding[];
  readonly operations: readonly SurfaceCoverage[];
};

/** Where the operations of one protocol and style are valid. */
export type SurfaceCoverage = OfSurface & { readonly coverage: readonly Coverage[] };

/**
 * Generates every file. Pure but for its imports: the same inputs give the same bytes.
 *
 * @param memo of an earlier run, which has the files of every surface that has not changed.
 */
export async function generateFiles(
  project: Project,
  inputs: GenerationInputs,
  memo: Memo = createMemo(),
): Promise<Generation> {
  const prepared = prepareSurfaces(project, inputs, memo);
  const operations = prepared.map(({ group: { protocol, style }, coverage }) => ({
    protocol,
    style,
    coverage,
  }));
  const findings = [
    ...inputs.findings,
    ...prepared.flatMap((item) => item.findings),
    ...warnings(operations),
  ];
  const { brand, shared, chains, deployments } = project;
  const facts = { asOf: CHAINS_AS_OF, brand, shared, chains, deployments, operations };
  const manifest = memo("manifest", [JSON.stringify(facts)], () => buildManifest(facts));
  const files: OutputFile[] = [];
  for (const { documents } of prepared) {
    if (!documents) continue;
    files.push(
      ...(await memo(`files ${surfaceId(documents.set)}`, [documents], () => renderDocuments(documents))),
    );
  }
  const withheld = withheldDocuments(project, inputs, prepared);
  // Both list the operations of all protocols and styles.
  const record = renderOperationRecord(project.operations, inputs.rows, prepared);
  const lists = [manifest, { path: OPERATION_RECORD_PATH, content: record }];
  if (findings.some(({ severity }) => severity === "breaking"))
    withheld.push(...lists.map(({ path }) => path));
  else files.push(...lists);
  return {
    files: files.sort((a, b) => compareCodeUnits(a.path, b.path)),
    withheld: withheld.sort(compareCodeUnits),
    findings,
    operations,
  };
}

/**
 * The documents of every protocol and style whose operations are not valid. While a file is misplaced, those of
 * protocols and styles without operations as well: the file may be theirs.
 */
function withheldDocuments(
  project: Project,
  inputs: GenerationInputs,
  prepared: readonly PreparedSurface[],
): string[] {
  return project.surfaces.flatMap((surface) => {
    const item = prepared.find(({ group }) => isOf(surface)(group));
    const isKnown = item === undefined ? inputs.findings.length === 0 : item.documents !== null;
    return isKnown ? [] : [`${surface.id}.ts`, `${surface.id}.strings.ts`];
  });
}

/**
 * Parses and validates the operations of every protocol and style.
 *
 * @throws ConfigError when the configuration gives a scalar a type it cannot have.
 */
export function prepareSurfaces(
  project: Project,
  inputs: GenerationInputs,
  memo: Memo = createMemo(),
): PreparedSurface[] {
  // A snapshot is read for its own operations, and for the enums that its sibling shows as opaque scalars.
  const schemaOf = ({ base }: Snapshot): ApiSchema =>
    memo(`snapshot ${base.path}`, [base.text], () => parseSdl(base.text, base.path));
  const modelOf = (snapshot: Snapshot): EntityModel =>
    memo(`model ${snapshot.base.path}`, [snapshot.base.text], () =>
      styles[snapshot.style].read(schemaOf(snapshot)),
    );
  const snapshots = [...new Set(inputs.groups.flatMap(({ siblings }) => siblings))];
  // Nobody can tell a slip from a scalar of a schema that was never seen.
  if (snapshots.length > 0 && Object.keys(project.scalars).length > 0) {
    checkScalars(project.scalars, knownScalars(Object.values(styles), snapshots, snapshots.map(schemaOf)));
  }
  return inputs.groups.map((group) => ({
    group,
    ...memo(`group ${surfaceId(group)}`, ingredientsOf(project, inputs, group), () =>
      prepareDocuments({
        snapshot: group.snapshot,
        schema: schemaOf(group.snapshot),
        style: styles[group.style],
        sources: group.sources,
        scalars: project.scalars,
        enums: group.siblings.flatMap((sibling) => enumsOf(schemaOf(sibling))),
        models: [group.snapshot, ...group.siblings.filter((sibling) => sibling !== group.snapshot)].map(
          modelOf,
        ),
        rows: inputs.rows,
        memo,
      }),
    ),
  }));
}

/** All that `prepareDocuments` is given, as texts: they are the same when nothing has changed, and objects are not. */
function ingredientsOf({ scalars }: Project, { rows }: GenerationInputs, group: SurfaceInputs): string[] {
  const files = group.siblings.flatMap(({ base, variants }) => [base, ...variants]);
  return [
    JSON.stringify({ scalars, rows: rows.filter(isOf(group)) }),
    ...[...files, ...group.sources].flatMap(({ path, text }) => [path, text]),
  ];
}

function enumsOf({ types }: ApiSchema): EntityEnum[] {
  return types.flatMap((type) => {
    if (type.kind !== "ENUM") return [];
    const values = type.values.map(({ name, description }) => ({ name, description }));
    return [{ kind: "enum", name: type.name, description: type.description, values } as const];
  });
}

/** An operation that some chains cannot answer is generated, with a warning. */
function warnings(groups: readonly SurfaceCoverage[]): Finding[] {
  return groups.flatMap((group) =>
    group.coverage.flatMap(({ operation, missing }) => {
      const subject = `${surfaceId(group)} ${operation}`;
      return missing.length === 0
        ? []
        : [buildFileFinding("operation/not-everywhere", [missing.join(", ")], { subject, place: null })];
    }),
  );
}
