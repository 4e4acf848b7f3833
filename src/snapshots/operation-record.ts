import { compareCodeUnits } from "../base/compare-code-units.ts";
import { hash } from "../base/hash.ts";
import { isOf, type OfSurface } from "../project/surface.ts";
import type { Protocol, StyleName } from "../project/vocabulary.ts";
import type { FleetRow } from "./fleet-record.ts";
import { SCHEMAS_FOLDER, type Snapshot } from "./snapshot.ts";

/** Where one generated operation is valid, as the fleet last answered, and where it is written. */
export type OperationRow = OfSurface & {
  readonly operation: string;
  /** From the operations folder, with `/`. */
  readonly file: string;
  readonly line: number;
  /** Keys of the chains whose schema accepts it. */
  readonly chains: readonly string[];
  /** Keys of the chains whose schema does not. */
  readonly missing: readonly string[];
};

/** The rows of one surface, with the digest of them and of what they were made of. */
export type OperationGroup = OfSurface & {
  /** 64 hex digits, as `digestOperations` gives them. */
  readonly digest: string;
  /** In order of name. */
  readonly rows: readonly OperationRow[];
};

/** What rows are made of. */
export type OperationIngredients = {
  readonly snapshot: Snapshot;
  /** The fleet record's, of every protocol and style. */
  readonly rows: readonly FleetRow[];
  /** The operation files as generation reads them. */
  readonly sources: readonly { readonly path: string; readonly text: string }[];
  /** The operations folder from the project's root. Where it is decides nothing, so the record says nothing of it. */
  readonly folder: string;
};

/** Where the operation record is, relative to the output folder: beside the snapshots it was made of. */
export const OPERATION_RECORD_PATH = `${SCHEMAS_FOLDER}/operations.json`;

/**
 * The digest of rows and of everything that decides what they say. Of the schemas it takes the hashes of their shapes:
 * no description makes an operation valid.
 */
export function digestOperations(
  operations: readonly OperationRow[],
  { snapshot, rows, sources, folder }: OperationIngredients,
): string {
  return hash(
    JSON.stringify([
      operations.map(listRow),
      // A checkout on Windows has other line ends, and means the same.
      sources.map(({ path, text }) => [path.slice(folder.length + 1), text.replaceAll("\r\n", "\n")]),
      [snapshot.base, ...snapshot.variants].map((file) => [file.path, file.hash]),
      rows.filter(isOf(snapshot)).map((row) => [row.name, row.chains, row.schema, row.snapshot]),
    ]),
  );
}

/** Renders the operation record: one row a line, in order of protocol, style and name. */
export function renderOperationRecord(groups: readonly OperationGroup[]): string {
  const sorted = [...groups].sort(
    (a, b) => compareCodeUnits(a.protocol, b.protocol) || compareCodeUnits(a.style, b.style),
  );
  const digests = sorted.map(({ protocol, style, digest }) => JSON.stringify({ protocol, style, digest }));
  const operations = sorted.flatMap(({ rows }) =>
    [...rows]
      .sort((a, b) => compareCodeUnits(a.operation, b.operation))
      .map(({ protocol, style, operation, file, line, chains, missing }) =>
        JSON.stringify({ protocol, style, operation, file, line, chains, missing }),
      ),
  );
  return `{\n  "version": 1,\n  "digests": [\n${list(digests)}\n  ],\n  "operations": [\n${list(operations)}\n  ]\n}\n`;
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join(",\n");
}

/**
 * Parses the operation record. It saves work and holds nothing that is not made anew without it, so one that is not
 * valid is no record.
 */
export function parseOperationRecord(text: string): readonly OperationGroup[] | null {
  try {
    const record = JSON.parse(text) as { readonly [key: string]: unknown };
    const { version, digests, operations } = record;
    if (version !== 1 || !Array.isArray(digests) || !Array.isArray(operations)) return null;
    const rows = operations.map(parseRow);
    return digests.map((value: unknown) => {
      const { protocol, style, digest } = value as OfSurface & { readonly digest?: unknown };
      const text = typeof digest === "string" ? digest : "";
      return { protocol, style, digest: text, rows: rows.filter(isOf({ protocol, style })) };
    });
  } catch {
    return null;
  }
}

function parseRow(value: unknown): OperationRow {
  const { protocol, style, operation, file, line, chains, missing } = value as Record<string, unknown>;
  const isNamed = typeof operation === "string" && /^[_A-Za-z]\w*$/.test(operation);
  if (!isNamed || typeof file !== "string" || typeof line !== "number" || !(line >= 1)) {
    throw new TypeError("not a row");
  }
  return {
    protocol: protocol as Protocol,
    style: style as StyleName,
    operation,
    file,
    line,
    chains: parseKeys(chains),
    missing: parseKeys(missing),
  };
}

function parseKeys(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((key) => typeof key === "string")) return value;
  throw new TypeError("not a list of chains");
}

function listRow({ operation, file, line, chains, missing }: OperationRow): readonly unknown[] {
  return [operation, file, line, chains, missing];
}
