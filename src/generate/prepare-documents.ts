import { posix } from "node:path";
import { compareCodeUnits, findNamed, sortByName } from "../base/collections.ts";
import { hash } from "../base/hash.ts";
import type { OutputFile } from "../base/output-file.ts";
import type { EntityEnum, EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { isOf, type OfSurface } from "../dialects/surface.ts";
import { correctOperations } from "../operations/correct-operations.ts";
import { validateEnumLiterals } from "../operations/enum-literals.ts";
import { findMisreadings } from "../operations/find-misreadings.ts";
import { findPitfalls } from "../operations/find-pitfalls.ts";
import { type OperationFile, type OperationSet, wholePart } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import type { PreparedPortable } from "../operations/portable/prepare-portable.ts";
import { findMissingChains, validateOperations } from "../operations/validate-operations.ts";
import type { Project } from "../project/project.ts";
import { type Finding, uniqueFindings } from "../report/finding.ts";
import type { FleetRow } from "../workspace/fleet-record.ts";
import type { GenerationInputs, SurfaceInputs } from "../workspace/generation-inputs.ts";
import type { PortableFiles } from "../workspace/operation-files.ts";
import { servedVariants } from "../workspace/operations.ts";
import { OPERATION_RECORD_PATH, type SnapshotFile } from "../workspace/snapshot.ts";
import { graphqlSchema, writtenSchema } from "../workspace/snapshot-schema.ts";
import { cacheChain, findCacheKeys } from "./cache-keys.ts";
import type { DocumentsSource } from "./declare-types.ts";
import { resolveScalars } from "./scalars.ts";
import { createSchemaDocs } from "./schema-docs.ts";

/** The input of the documents of a surface. */
export type DocumentsInput = Pick<SurfaceInputs, "snapshot" | "sources"> &
  Pick<Project, "scalars"> &
  Pick<GenerationInputs, "rows"> & {
    /** The portable operations of the protocol; null if there are none. */
    readonly compiled: PreparedPortable | null;
    /** The surface's documents in code. */
    readonly inCode: readonly OperationFile[];
    readonly definition: Pick<ResolvedProtocol, "cursors" | "identity" | "ids">;
    /** Enums of the protocol's snapshots, for styles whose API shows them as opaque scalars. */
    readonly enums: readonly EntityEnum[];
    /** The entity models of the protocol's snapshots, that of this one first. */
    readonly models: readonly EntityModel[];
  };

/** The chains on which an operation is valid, by the fleet's last answers. */
export type Coverage = {
  readonly operation: string;
  /** Keys, in code-unit order. */
  readonly chains: readonly string[];
  /** Keys of chains whose schema does not accept it. */
  readonly missing: readonly string[];
};

/** The chains on which the operations of a surface are valid. */
export type SurfaceCoverage = OfSurface & { readonly coverage: readonly Coverage[] };

/** The parsed and validated operations of a surface, before anything is rendered. */
export type PreparedDocuments = Pick<SurfaceCoverage, "coverage"> & {
  /** Null if findings prevent generation. */
  readonly documents: DocumentsSource | null;
  /** The operations in code. They are not generated here; another tool generates their types. */
  readonly code: OperationSet | null;
  readonly findings: readonly Finding[];
  /** Where valid operations behave differently than expected. */
  readonly pitfalls: readonly Finding[];
};

/** A surface with its operations parsed and validated. */
export type PreparedSurface = SurfaceInputs &
  PreparedDocuments & {
    /** The portable operations of the protocol; null if there are none. */
    readonly compiled: PreparedPortable | null;
  };

/** Parses and validates the operations of one surface against its snapshot and every variant of it. */
export function prepareDocuments(input: DocumentsInput): PreparedDocuments {
  const { snapshot, sources, inCode, compiled, definition } = input;
  const style = styles[snapshot.style];
  const nothing = { documents: null, code: null, coverage: [], pitfalls: [] };
  // Broken portable operations still occupy their names.
  const shared = compiled?.isBroken ? compiled.authored : (compiled?.sets[snapshot.style] ?? null);
  const { set, code, findings } = parseOperations(sources, snapshot, { inCode, portable: shared });
  const schema = graphqlSchema(snapshot.base);
  const styleSet = shared ? withoutShared(set, shared) : set;
  const validate = (some: OperationSet) => [
    ...validateOperations(some, schema),
    ...validateEnumLiterals(some, schema, input.enums),
  ];
  // An error in code does not prevent the generation of operation files.
  const isInCode = ({ place }: Finding) => inCode.some(({ path }) => path === place?.file);
  const isBroken = compiled?.isBroken || !findings.every(isInCode);
  const checkable = checkablePart(findings, compiled);
  const invalid = validate(checkable(styleSet));
  const wrong = inCode.length === 0 ? [] : validate(checkable(code));
  // A fragment of a file may be in both sets.
  const errors = uniqueFindings([...invalid, ...wrong]);
  if (isBroken || invalid.length > 0) return { ...nothing, findings: [...findings, ...errors] };
  const scalars = resolveScalars(set, schema, { style, configured: input.scalars, knownEnums: input.enums });
  if (scalars.findings.length > 0) return { ...nothing, findings: scalars.findings };

  const rows = input.rows.filter(isOf(snapshot));
  const sets = inCode.length === 0 ? [set] : [set, code];
  const names = sortByName(sets.flatMap(({ operations }) => operations)).map(({ name }) => name);
  const missing = findMissingChains(sets, servedVariants(snapshot, rows));
  const everywhere = rows.flatMap((row) => row.chains);
  const coverage = names.map((operation) => {
    const excluded = missing.get(operation) ?? [];
    return {
      operation,
      chains: everywhere.filter((chain) => !excluded.includes(chain)).sort(compareCodeUnits),
      missing: [...excluded].sort(compareCodeUnits),
    };
  });
  const chainOf = cacheChain(style, writtenSchema(snapshot.base), definition);
  const cacheKeys = findCacheKeys(wrong.length > 0 ? [set] : sets, schema, chainOf);
  const documents = {
    set: correctOperations(set, schema, style.pitfalls),
    schema,
    scalars,
    cacheKeys,
    docs: createSchemaDocs(schema, style, input.models),
  };
  // Portable operations are checked as written, not again as compiled.
  const isCompiled = style.name !== AUTHORED_STYLE;
  const written = set.operations.filter(
    ({ name }) => !(isCompiled && findNamed(shared?.operations ?? [], name)),
  );
  // Operations in code may use fragments of the files.
  const operations = wrong.length > 0 ? written : [...written, ...code.operations];
  const dialect = { pitfalls: style.pitfalls, protocol: definition };
  const pitfalls = [
    ...findPitfalls({ operations, fragments: code.fragments }, schema, dialect),
    ...findMisreadings({ ...set, operations: styleSet.operations }, schema, {
      ...dialect,
      isCorrected: true,
    }),
    // Documents in code stay as they are.
    ...(wrong.length > 0 ? [] : findMisreadings(code, schema, { ...dialect, isCorrected: false })),
  ];
  return { documents, code, coverage, findings: [...findings, ...wrong], pitfalls };
}

/** Returns a function that leaves out what uses fragments with errors, or those of files that do not parse. */
function checkablePart(findings: readonly Finding[], compiled: PreparedPortable | null) {
  const refused = compiled?.isBroken ? compiled.authored.fragments : null;
  const all = [...findings, ...(compiled?.findings ?? [])];
  const isPartial = all.some(({ code }) => code === "operation/syntax");
  if (!isPartial && refused === null) return (set: OperationSet) => set;
  return (set: OperationSet) =>
    wholePart(set, (name) => (set.fragments.has(name) ? !refused?.has(name) : !isPartial));
}

/** Returns the part of a set that was not validated when portable operations were compiled. */
function withoutShared(set: OperationSet, shared: OperationSet): OperationSet {
  const operations = set.operations.filter(({ name }) => !findNamed(shared.operations, name));
  const used = new Set(operations.flatMap(({ fragments }) => fragments));
  const fragments = [...set.fragments].filter(
    ([name, { node }]) => used.has(node) || !shared.fragments.has(name),
  );
  return { ...set, operations, fragments: new Map(fragments) };
}

/**
 * Renders the place of each operation and the chains on which it is valid, one line each, by protocol, style and name.
 *
 * @param folder the operations folder, to which the paths of the record are relative.
 */
export function renderOperationRecord(
  folder: string,
  rows: readonly FleetRow[],
  prepared: readonly PreparedSurface[],
): OutputFile {
  const digests: string[] = [];
  const operations: string[] = [];
  const ordered = [...prepared].sort(
    (a, b) => compareCodeUnits(a.protocol, b.protocol) || compareCodeUnits(a.style, b.style),
  );
  const relative = (path: string) => posix.relative(folder, path);
  for (const { protocol, style, snapshot, sources, portable, documents, code, coverage } of ordered) {
    if (documents === null) continue;
    const inCode = code?.operations ?? [];
    const operationRows = sortByName([...documents.set.operations, ...inCode]).map(
      ({ name: operation, file, node }) => {
        const { chains = [], missing = [] } = coverage.find((row) => row.operation === operation) ?? {};
        const line = node.loc?.startToken.line ?? 1;
        return { operation, file: relative(file.path), line, chains, missing };
      },
    );
    const digest = hash(
      JSON.stringify([
        operationRows.map(Object.values),
        // A checkout on Windows has other line ends, which do not matter.
        [...sources, ...(portable?.sources ?? []), ...(code?.files ?? [])].map(({ path, text }) => [
          relative(path),
          text.replaceAll("\r\n", "\n"),
        ]),
        // Descriptions do not affect validity, so these are the hashes of the shapes of schemas.
        [snapshot.base, ...snapshot.variants, ...compiledFrom(portable)].map((file) => [
          file.path,
          file.hash,
        ]),
        rows.filter(isOf(snapshot)).map((row) => [row.name, row.chains, row.schema, row.snapshot]),
      ]),
    );
    digests.push(JSON.stringify({ protocol, style, digest }));
    operations.push(...operationRows.map((row) => JSON.stringify({ protocol, style, ...row })));
  }
  const content = `{\n  "version": 1,\n  "digests": [\n${list(digests)}\n  ],\n  "operations": [\n${list(operations)}\n  ]\n}\n`;
  return { path: OPERATION_RECORD_PATH, content };
}

/** Returns the snapshots that decide how portable operations are compiled. */
function compiledFrom(portable: PortableFiles | null): SnapshotFile[] {
  return Object.values(portable?.snapshots ?? {}).map(({ base }) => base);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join(",\n");
}
