import type { Protocol, StyleName } from "../model/vocabulary.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { SCHEMAS_FOLDER } from "./snapshot.ts";

/** Where one generated operation is valid, as the fleet last answered. */
export type OperationRow = {
  readonly protocol: Protocol;
  readonly style: StyleName;
  readonly operation: string;
  /** Keys of the chains whose schema accepts it. */
  readonly chains: readonly string[];
  /** Keys of the chains whose schema does not. */
  readonly missing: readonly string[];
};

/** Where the operation record is, relative to the output folder: beside the snapshots it was made of. */
export const OPERATION_RECORD_PATH = `${SCHEMAS_FOLDER}/operations.json`;

/** Renders the operation record: one row a line, in order of protocol, style and name. */
export function renderOperationRecord(rows: readonly OperationRow[]): string {
  const lines = [...rows]
    .sort(
      (a, b) =>
        compareCodeUnits(a.protocol, b.protocol) ||
        compareCodeUnits(a.style, b.style) ||
        compareCodeUnits(a.operation, b.operation),
    )
    .map(({ protocol, style, operation, chains, missing }) =>
      JSON.stringify({ protocol, style, operation, chains, missing }),
    );
  return `{\n  "version": 1,\n  "operations": [\n${lines.map((line) => `    ${line}`).join(",\n")}\n  ]\n}\n`;
}
