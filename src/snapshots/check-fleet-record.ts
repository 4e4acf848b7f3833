import type { OutputFile } from "../base/disk/output-file.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { isOf, surfaceId } from "../project/surface.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import { FLEET_RECORD_PATH, type FleetRow, parseFleetRecord, renderFleetRecord } from "./fleet-record.ts";

/** What the fleet record is held against: the project, and the files that `readSchemaFiles` gives. */
export type RecordChecks = Pick<Project, "deployments" | "output"> & {
  readonly files: readonly OutputFile[];
};

/** What a snapshot file says, and what it holds. */
export type SnapshotFacts = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** The hash in its header; null when it has none. */
  readonly schema: string | null;
  /** The hash of its entity model; null when the file is not as introspection wrote it. */
  readonly entities: string | null;
};

/** Checks, without asking anybody, that every row of the fleet record is true and that every snapshot has a row. */
export function checkFleetRecord(
  snapshots: readonly SnapshotFacts[],
  { files, deployments, output }: RecordChecks,
): Finding[] {
  const file = `${output}/${FLEET_RECORD_PATH}`;
  const text = files.find(({ path }) => path === FLEET_RECORD_PATH)?.content;
  const finding = (message: string, line: number | null): Finding =>
    buildFileFinding("snapshot/record", [message], { place: { file, line, column: null } });
  if (text === undefined) {
    return snapshots.length === 0
      ? []
      : [finding("There are snapshots, but no record of who serves them.", null)];
  }
  const rows = parseFleetRecord(text);
  const present = new Set(files.map(({ path }) => path));
  const findings = rows.flatMap((row) => {
    const snapshot = snapshots.find(({ path }) => path === row.snapshot);
    const problems = [
      ...disagreements(row, deployments),
      ...(present.has(row.snapshot) ? [] : [`there is no ${row.snapshot}`]),
      ...(snapshot === undefined ? [] : contradictions(row, snapshot)),
    ];
    return problems.length === 0
      ? []
      : [finding(`${row.name}: ${problems.join("; ")}.`, lineOf(row.name, text))];
  });
  if (findings.length === 0 && renderFleetRecord(rows) !== text) {
    findings.push(finding("It is not as introspection wrote it.", null));
  }
  const served = new Set(rows.map(({ snapshot }) => snapshot));
  for (const { path } of snapshots) {
    if (served.has(path)) continue;
    const place = { file: `${output}/${path}`, line: null, column: null };
    findings.push(buildFileFinding("snapshot/unserved", [], { place }));
  }
  return findings;
}

/** What the project says otherwise. A deployment that it does not know is none of its business. */
function disagreements(row: FleetRow, deployments: readonly Deployment[]): string[] {
  const deployment = deployments.find(({ name }) => name === row.name);
  if (deployment === undefined) return [];
  const { protocol, style, chains } = deployment;
  const problems: string[] = [];
  if (!isOf(row)(deployment)) {
    problems.push(
      `it is a deployment of ${protocol} in ${style} style, not of ${row.protocol} in ${row.style} style`,
    );
  }
  if (row.chains.join() !== chains.join()) {
    problems.push(`its chains are not those of the configuration: ${difference(row.chains, chains)}`);
  }
  return problems;
}

/** A multichain deployment has too many chains to list them all for the sake of one. */
function difference(before: readonly string[], after: readonly string[]): string {
  const came = after.filter((chain) => !before.includes(chain)).map((chain) => `${chain} came`);
  const went = before.filter((chain) => !after.includes(chain)).map((chain) => `${chain} went`);
  return [...came, ...went].join(", ") || "their order is another";
}

/** What the row's snapshot file says otherwise. */
function contradictions(row: FleetRow, snapshot: SnapshotFacts): string[] {
  const problems: string[] = [];
  if (!row.snapshot.includes(`/${surfaceId(row)}.`)) {
    problems.push(`${row.snapshot} is no snapshot of ${row.protocol} in ${row.style} style`);
  }
  for (const key of ["schema", "entities"] as const) {
    // Null is for a file that somebody edited. It is said already, and no row can be right about such a file.
    if (snapshot[key] !== null && snapshot[key] !== row[key]) {
      problems.push(`${row.snapshot} has another "${key}" hash`);
    }
  }
  return problems;
}

/** Rows are written one a line. */
function lineOf(name: string, text: string): number | null {
  const index = text.split("\n").findIndex((line) => line.includes(JSON.stringify(name)));
  return index === -1 ? null : index + 1;
}
