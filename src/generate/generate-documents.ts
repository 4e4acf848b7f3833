import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Memo } from "../base/create-memo.ts";
import type { OutputFile } from "../base/disk/output-file.ts";
import { OperationError } from "../base/errors/operation-error.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { EntityEnum, EntityModel } from "../schema/entity-model.ts";
import { toGraphqlSchema } from "../schema/to-graphql-schema.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { digestOperations, type OperationGroup } from "../snapshots/operation-record.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { Style } from "../styles/style.ts";
import type { GenerationInputs, InputGroup, OperationSource } from "./generation-inputs.ts";
import { parseOperations } from "./parse-operations.ts";
import { type DocumentsSource, renderDocuments } from "./render-documents.ts";
import { resolveScalars } from "./resolve-scalars.ts";
import { createSchemaDocs } from "./schema-docs.ts";
import { buildSnapshotSchema, invalidOperations, validateOperations } from "./validate-operations.ts";

/** What the documents of one protocol and style are made of. */
export type DocumentsInput = {
  readonly snapshot: Snapshot;
  /** The base of the snapshot. */
  readonly schema: ApiSchema;
  readonly style: Style;
  readonly sources: readonly OperationSource[];
  /** The configuration's scalars. */
  readonly scalars: Readonly<Record<string, string>>;
  /** Enums of the protocol's snapshots, for styles that show them as opaque scalars. */
  readonly enums: readonly EntityEnum[];
  /** The entity models of the protocol's snapshots, that of this one first. */
  readonly models: readonly EntityModel[];
  readonly rows: readonly FleetRow[];
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

export type PreparedDocuments = {
  /** Null when findings say that nothing can be generated. */
  readonly documents: DocumentsSource | null;
  readonly coverage: readonly Coverage[];
  readonly findings: readonly Finding[];
};

/**
 * Parses and validates the operations of one protocol and style against its snapshot and every variant of it.
 */
export function prepareDocuments(input: DocumentsInput): PreparedDocuments {
  const { snapshot, style, sources, memo } = input;
  const parsed = parseOperations(sources, snapshot.protocol, snapshot.style);
  if (parsed.findings.length > 0) return { documents: null, coverage: [], findings: parsed.findings };
  const { set } = parsed;
  const schema = memo(`schema ${snapshot.base.path}`, [input.schema], () =>
    toGraphqlSchema(input.schema, { repeatable: false }),
  );
  const invalid = validateOperations(set, schema);
  if (invalid.length > 0) return { documents: null, coverage: [], findings: invalid };
  const scalars = resolveScalars(set, schema, style, input.scalars, input.enums);
  if (scalars.findings.length > 0) return { documents: null, coverage: [], findings: scalars.findings };

  const rows = input.rows.filter((row) => row.protocol === snapshot.protocol && row.style === snapshot.style);
  const missing = new Map<string, string[]>(set.operations.map(({ name }) => [name, []]));
  for (const variant of snapshot.variants) {
    const chains = rows.filter((row) => row.snapshot === variant.path).flatMap((row) => row.chains);
    if (chains.length === 0) continue;
    const { path, text } = variant;
    const variantSchema = memo(`schema ${path}`, [text], () => buildSnapshotSchema(variant));
    for (const { name } of invalidOperations(set, variantSchema)) {
      missing.get(name)?.push(...chains);
    }
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

/** Generates the typed documents and the strings of one protocol and style. */
export async function generateDocuments(source: DocumentsSource): Promise<OutputFile[]> {
  const { protocol, style } = source.set;
  return renderDocuments(source).catch((cause: unknown) => {
    throw notGenerated(`${protocol}/${style}`, cause);
  });
}

/** The operations are valid by then, so it is a construct that is not known here. */
function notGenerated(name: string, cause: unknown): OperationError {
  return new OperationError({
    code: "OPERATIONS_NOT_GENERATED",
    sentence: `No types could be made of the operations of ${name}.`,
    context: [cause instanceof Error ? cause.message : String(cause)],
    hint: "take the operations out one by one to find the one it is, and report it.",
    cause,
  });
}

/** Builds what the operation record says of every protocol and style whose operations are valid. */
export function recordOperations(
  { operations: folder }: Pick<Project, "operations">,
  { rows }: Pick<GenerationInputs, "rows">,
  prepared: readonly (PreparedDocuments & { readonly group: InputGroup })[],
): OperationGroup[] {
  return prepared.flatMap(({ group, documents, coverage }) => {
    if (documents === null) return [];
    const { protocol, style, snapshot, sources } = group;
    const operations = documents.set.operations.map(({ name, file, node }) => ({
      protocol,
      style,
      operation: name,
      file: file.path.slice(folder.length + 1),
      line: node.loc?.startToken.line ?? 1,
      chains: coverage.find(({ operation }) => operation === name)?.chains ?? [],
      missing: coverage.find(({ operation }) => operation === name)?.missing ?? [],
    }));
    const digest = digestOperations(operations, { snapshot, rows, sources, folder });
    return [{ protocol, style, digest, rows: operations }];
  });
}
