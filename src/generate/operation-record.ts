import { posix } from "node:path";
import { compareCodeUnits, sortByName } from "../base/compare-code-units.ts";
import { hash } from "../base/hash.ts";
import { isOf } from "../project/surface.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import { SCHEMAS_FOLDER, type SnapshotFile } from "../snapshots/snapshot.ts";
import type { PreparedSurface } from "./generate-documents.ts";
import type { PortableInputs } from "./read-portable.ts";

/** Where the operation record is, relative to the output folder: beside the snapshots it was made of. */
export const OPERATION_RECORD_PATH = `${SCHEMAS_FOLDER}/operations.json`;

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
function compiledFrom(portable: PortableInputs | null): SnapshotFile[] {
  return Object.values(portable?.snapshots ?? {}).map(({ base }) => base);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join(",\n");
}
