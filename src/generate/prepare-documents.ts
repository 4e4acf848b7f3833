import { posix } from "node:path";
import { compareCodeUnits, findNamed, sortByName } from "../base/collections.ts";
import { hash } from "../base/hash.ts";
import type { EntityEnum, EntityModel } from "../dialects/entity-model.ts";
import { AUTHORED_STYLE } from "../dialects/portable-style.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import type { Style } from "../dialects/style.ts";
import { isOf, type OfSurface } from "../dialects/surface.ts";
import { validateEnumLiterals } from "../operations/enum-literals.ts";
import { type Dialect, findPitfalls } from "../operations/find-pitfalls.ts";
import type { OperationFile, OperationSet } from "../operations/operation-set.ts";
import { parseOperations } from "../operations/parse-operations.ts";
import type { PreparedPortable } from "../operations/portable/prepare-portable.ts";
import { findMissingChains, validateOperations } from "../operations/validate-operations.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { FleetRow } from "../workspace/fleet-record.ts";
import type { GenerationInputs, SurfaceInputs } from "../workspace/generation-inputs.ts";
import type { PortableFiles } from "../workspace/operation-files.ts";
import { servedVariants } from "../workspace/operations.ts";
import type { SnapshotFile } from "../workspace/snapshot.ts";
import { graphqlSchema, writtenSchema } from "../workspace/snapshot-schema.ts";
import { cacheChain, findCacheKeys } from "./cache-keys.ts";
import type { DocumentsSource } from "./declare-types.ts";
import { resolveScalars } from "./scalars.ts";
import { createSchemaDocs } from "./schema-docs.ts";

/** What the documents of a surface are made of. */
export type DocumentsInput = Pick<SurfaceInputs, "snapshot" | "sources"> &
  Pick<Project, "scalars"> &
  Pick<GenerationInputs, "rows"> & {
    /** What the protocol has written once for both styles; null for nothing. */
    readonly compiled: PreparedPortable | null;
    readonly style: Style;
    /** The surface's documents in code. */
    readonly inCode: readonly OperationFile[];
    readonly protocol: Dialect["protocol"];
    /** How ids are made, as far as the protocol's definition says. */
    readonly ids?: ResolvedProtocol["ids"];
    /** Enums of the protocol's snapshots, for styles that show them as opaque scalars. */
    readonly enums: readonly EntityEnum[];
    /** The entity models of the protocol's snapshots, that of this one first. */
    readonly models: readonly EntityModel[];
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
  /** The operations in code, which are not generated: their types come from wherever they are written. */
  readonly code: OperationSet | null;
  readonly findings: readonly Finding[];
  /** Where operations that can be generated do not do what they seem to say. */
  readonly pitfalls: readonly Finding[];
};

/** A surface with its operations parsed and validated. */
export type PreparedSurface = SurfaceInputs &
  PreparedDocuments & {
    /** What is written once for both styles; null for nothing. */
    readonly compiled: PreparedPortable | null;
  };

/** Parses and validates the operations of one surface against its snapshot and every variant of it. */
export function prepareDocuments(input: DocumentsInput): PreparedDocuments {
  const { snapshot, style, sources, inCode, compiled } = input;
  const failed = (findings: readonly Finding[]) => ({
    documents: null,
    code: null,
    coverage: [],
    findings,
    pitfalls: [],
  });
  // Its names are taken, whatever is wrong with it.
  const shared = compiled?.isBroken ? compiled.authored : (compiled?.sets[snapshot.style] ?? null);
  const { set, code, findings } = parseOperations(sources, snapshot.protocol, snapshot.style, inCode, shared);
  // An error in code is no reason to generate nothing of the files.
  const isInCode = ({ place }: Finding) => inCode.some(({ path }) => path === place?.file);
  if (!findings.every(isInCode)) return failed(findings);
  // What is written once has its findings already, and what uses its fragments cannot be judged without them.
  if (compiled?.isBroken) return failed(findings);
  const schema = graphqlSchema(snapshot.base);
  const own = shared ? withoutShared(set, shared) : set;
  const invalid = [...validateOperations(own, schema), ...validateEnumLiterals(own, schema, input.enums)];
  if (invalid.length > 0) return failed([...findings, ...invalid]);
  const scalars = resolveScalars(set, schema, style, input.scalars, input.enums);
  if (scalars.findings.length > 0) return failed(scalars.findings);

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
  const wrong =
    inCode.length === 0
      ? []
      : [...validateOperations(code, schema), ...validateEnumLiterals(code, schema, input.enums)];
  const { protocol, ids = {} } = input;
  const chainOf = cacheChain(style, writtenSchema(snapshot.base), { identity: protocol.identity, ids });
  const cacheKeys = findCacheKeys(wrong.length > 0 ? [set] : sets, schema, chainOf);
  const documents = { set, schema, scalars, cacheKeys, docs: createSchemaDocs(schema, style, input.models) };
  // What is written once is judged as it is written, and not again as it is compiled.
  const isCompiled = style.name !== AUTHORED_STYLE;
  const written = set.operations.filter(
    ({ name }) => !(isCompiled && findNamed(shared?.operations ?? [], name)),
  );
  // Code may use the fragments of the files as well.
  const operations = wrong.length > 0 ? written : [...written, ...code.operations];
  const dialect = { pitfalls: style.pitfalls, protocol: input.protocol };
  const pitfalls = findPitfalls({ operations, fragments: code.fragments }, schema, dialect);
  return { documents, code, coverage, findings: [...findings, ...wrong], pitfalls };
}

/** What of a set was not validated when it was compiled. */
function withoutShared(set: OperationSet, shared: OperationSet): OperationSet {
  const operations = set.operations.filter(({ name }) => !findNamed(shared.operations, name));
  const used = new Set(operations.flatMap(({ fragments }) => fragments));
  const fragments = [...set.fragments].filter(
    ([name, { node }]) => used.has(node) || !shared.fragments.has(name),
  );
  return { ...set, operations, fragments: new Map(fragments) };
}

/**
 * Renders where each operation is written and on which chains it is valid, a line each, by protocol, style and name.
 *
 * @param folder the operations folder, from which the paths of the record are.
 */
export function renderOperationRecord(
  folder: string,
  rows: readonly FleetRow[],
  prepared: readonly PreparedSurface[],
): string {
  const digests: string[] = [];
  const operations: string[] = [];
  const ordered = [...prepared].sort(
    (a, b) => compareCodeUnits(a.protocol, b.protocol) || compareCodeUnits(a.style, b.style),
  );
  const relative = (path: string) => posix.relative(folder, path);
  for (const { protocol, style, snapshot, sources, portable, documents, code, coverage } of ordered) {
    if (documents === null) continue;
    const inCode = code?.operations ?? [];
    const own = sortByName([...documents.set.operations, ...inCode]).map(
      ({ name: operation, file, node }) => {
        const { chains = [], missing = [] } = coverage.find((one) => one.operation === operation) ?? {};
        const line = node.loc?.startToken.line ?? 1;
        return { operation, file: relative(file.path), line, chains, missing };
      },
    );
    const digest = hash(
      JSON.stringify([
        own.map(Object.values),
        // A checkout on Windows has other line ends, and means the same.
        [...sources, ...(portable?.sources ?? []), ...(code?.files ?? [])].map(({ path, text }) => [
          relative(path),
          text.replaceAll("\r\n", "\n"),
        ]),
        // No description makes an operation valid: of schemas it takes the hashes of their shapes.
        [snapshot.base, ...snapshot.variants, ...compiledFrom(portable)].map((file) => [
          file.path,
          file.hash,
        ]),
        rows.filter(isOf(snapshot)).map((row) => [row.name, row.chains, row.schema, row.snapshot]),
      ]),
    );
    digests.push(JSON.stringify({ protocol, style, digest }));
    operations.push(...own.map((row) => JSON.stringify({ protocol, style, ...row })));
  }
  return `{\n  "version": 1,\n  "digests": [\n${list(digests)}\n  ],\n  "operations": [\n${list(operations)}\n  ]\n}\n`;
}

/** The schemas that decide what an operation becomes which is written once. */
function compiledFrom(portable: PortableFiles | null): SnapshotFile[] {
  return Object.values(portable?.snapshots ?? {}).map(({ base }) => base);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join(",\n");
}
