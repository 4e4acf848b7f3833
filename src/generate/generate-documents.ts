import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Memo } from "../base/create-memo.ts";
import type { Project } from "../project/project.ts";
import { isOf, type OfSurface } from "../project/surface.ts";
import type { Finding } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { EntityEnum, EntityModel } from "../schema/entity-model.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import { toGraphqlSchema } from "../schema/to-graphql-schema.ts";
import type { Style } from "../styles/style.ts";
import type { DocumentsSource } from "./declare-types.ts";
import type { GenerationInputs, SurfaceInputs } from "./generation-inputs.ts";
import { parseOperations } from "./parse-operations.ts";
import { resolveScalars } from "./resolve-scalars.ts";
import { createSchemaDocs } from "./schema-docs.ts";
import { invalidOperations, validateOperations } from "./validate-operations.ts";

/** What the documents of a surface are made of. */
export type DocumentsInput = Pick<SurfaceInputs, "snapshot" | "sources"> &
  Pick<Project, "scalars"> &
  Pick<GenerationInputs, "rows"> & {
    /** The base of the snapshot. */
    readonly schema: ApiSchema;
    readonly style: Style;
    /** Enums of the protocol's snapshots, for styles that show them as opaque scalars. */
    readonly enums: readonly EntityEnum[];
    /** The entity models of the protocol's snapshots, that of this one first. */
    readonly models: readonly EntityModel[];
    /** Of the schemas that were built before. */
    readonly memo: Memo;
  };

/** On which chains an operation is valid, as the fleet last answered. */
export type Coverage = {
  readonly operation: string;
  /** Keys, in code-unit order. */
  readonly chains: readonly string[];
  /** Keys of chains that serve a schema it is not valid for. */
  readonly missing: readonly string[];
};

/** Where the operations of a surface are valid. */
export type SurfaceCoverage = OfSurface & { readonly coverage: readonly Coverage[] };

/** What the operations of a surface came to before anything is rendered. */
export type PreparedDocuments = Pick<SurfaceCoverage, "coverage"> & {
  /** Null when findings say that nothing can be generated. */
  readonly documents: DocumentsSource | null;
  readonly findings: readonly Finding[];
};

/** A surface with its operations parsed and validated. */
export type PreparedSurface = SurfaceInputs & PreparedDocuments;

/** Parses and validates the operations of one surface against its snapshot and every variant of it. */
export function prepareDocuments(input: DocumentsInput): PreparedDocuments {
  const { snapshot, style, sources, memo } = input;
  const failed = (findings: readonly Finding[]) => ({ documents: null, coverage: [], findings });
  const { set, findings } = parseOperations(sources, snapshot.protocol, snapshot.style);
  if (findings.length > 0) return failed(findings);
  const build = (path: string, ingredient: unknown, read: () => ApiSchema) =>
    memo(`schema ${path}`, [ingredient], () => toGraphqlSchema(read(), { repeatable: false }));
  const schema = build(snapshot.base.path, input.schema, () => input.schema);
  const invalid = validateOperations(set, schema);
  if (invalid.length > 0) return failed(invalid);
  const scalars = resolveScalars(set, schema, style, input.scalars, input.enums);
  if (scalars.findings.length > 0) return failed(scalars.findings);

  const rows = input.rows.filter(isOf(snapshot));
  const missing = new Map<string, string[]>(set.operations.map(({ name }) => [name, []]));
  for (const { path, text } of snapshot.variants) {
    const chains = rows.filter((row) => row.snapshot === path).flatMap((row) => row.chains);
    if (chains.length === 0) continue;
    const served = build(path, text, () => parseSdl(text, path));
    for (const { name } of invalidOperations(set, served)) missing.get(name)?.push(...chains);
  }
  const everywhere = rows.flatMap((row) => row.chains);
  const coverage = [...missing].map(([operation, excluded]) => ({
    operation,
    chains: everywhere.filter((chain) => !excluded.includes(chain)).sort(compareCodeUnits),
    missing: excluded.sort(compareCodeUnits),
  }));
  const documents = { set, schema, scalars, docs: createSchemaDocs(schema, style, input.models) };
  return { documents, coverage, findings: [] };
}
