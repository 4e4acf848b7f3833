import { compareCodeUnits } from "../base/compare-code-units.ts";
import { hash } from "../base/hash.ts";
import { isOf, type OfSurface } from "../project/surface.ts";
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

function listRow({ operation, file, line, chains, missing }: OperationRow): readonly unknown[] {
  return [operation, file, line, chains, missing];
}
