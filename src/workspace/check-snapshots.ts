import { LockflowError } from "../base/errors.ts";
import { isOf, type OfSurface, surfaceId } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import { FLEET_RECORD_PATH, type FleetRow, parseFleetRecord, renderFleetRecord } from "./fleet-record.ts";
import { hashEntities, SCHEMAS_FOLDER, snapshotPath, variantPath } from "./snapshot.ts";
import { fileModel, parseSnapshot, renderSnapshot } from "./snapshot-schema.ts";
import type { SchemaFile, Workspace } from "./workspace.ts";

/** Checks that the snapshot folder is unchanged since introspection, and has no other schemas. */
export function checkSnapshots(workspace: Workspace): Finding[] {
  const { output, waiting, surfaces } = workspace.project;
  const findings: Finding[] = [];
  const snapshots: SnapshotFacts[] = [];
  for (const file of workspace.schemaFiles) {
    const place = { file: `${output}/${file.path}`, line: null, column: null };
    const basePath = file.path.replace(/\.[0-9a-f]{8}(?=\.graphql$)/, "");
    if (waiting.some((id) => basePath === `${SCHEMAS_FOLDER}/${id}.graphql`)) continue;
    const owner = surfaces.find((surface) => snapshotPath(surface) === basePath);
    if (owner === undefined) {
      findings.push(buildFileFinding("generated/orphaned", [true], { place }));
      continue;
    }
    const { problem, ...facts } = readFacts(file, owner);
    snapshots.push(facts);
    if (problem !== null) findings.push(buildFileFinding("snapshot/edited", [problem], { place }));
  }
  return [...findings, ...checkFleetRecord(snapshots, workspace)];
}

function readFacts(
  file: SchemaFile,
  surface: OfSurface,
): SnapshotFacts & { readonly problem: string | null } {
  const { path, content, hash: schema } = file;
  const edited = { path, schema: null, entities: null };
  try {
    const isUnchanged = renderSnapshot(parseSnapshot(file), surface) === content;
    const isNamed = path === snapshotPath(surface) || path === variantPath(surface, schema ?? "");
    return isUnchanged && isNamed
      ? { path, schema, entities: hashEntities(fileModel(surface.style, file)), problem: null }
      : { ...edited, problem: "It was changed after introspection wrote it." };
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return { ...edited, problem: error.sentence };
  }
}

/** The facts of a snapshot file. */
export type SnapshotFacts = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** The hash of its schema; null if the file was changed after introspection wrote it. */
  readonly schema: string | null;
  /** The hash of its entity model; null as above. */
  readonly entities: string | null;
};

/** Checks that each row of the fleet record is correct, and that each snapshot has a row. */
function checkFleetRecord(snapshots: readonly SnapshotFacts[], workspace: Workspace): Finding[] {
  const { deployments, output } = workspace.project;
  const file = `${output}/${FLEET_RECORD_PATH}`;
  const text = workspace.generated(FLEET_RECORD_PATH)?.content;
  const finding = (message: string, line: number | null): Finding =>
    buildFileFinding("snapshot/record", [message], { place: { file, line, column: null } });
  if (text === undefined) {
    return snapshots.length === 0
      ? []
      : [finding("There are snapshots, but no fleet record of the deployments that serve them.", null)];
  }
  const rows = parseFleetRecord(text);
  const present = new Set(workspace.schemaFiles.map(({ path }) => path));
  const findings = rows.flatMap((row) => {
    const snapshot = snapshots.find(({ path }) => path === row.snapshot);
    const problems = [
      ...compareWithProject(row, deployments),
      ...(present.has(row.snapshot) ? [] : [`there is no ${row.snapshot}`]),
      ...(snapshot === undefined ? [] : compareWithSnapshot(row, snapshot)),
    ];
    return problems.length === 0
      ? []
      : [finding(`${row.name}: ${problems.join("; ")}.`, lineOf(row.name, text))];
  });
  if (findings.length === 0 && renderFleetRecord(rows) !== text) {
    findings.push(finding("It was changed after introspection wrote it.", null));
  }
  const served = new Set(rows.map(({ snapshot }) => snapshot));
  for (const { path, schema } of snapshots) {
    // An edited file is one finding.
    if (served.has(path) || schema === null) continue;
    const place = { file: `${output}/${path}`, line: null, column: null };
    findings.push(buildFileFinding("snapshot/unserved", [], { place }));
  }
  return findings;
}

/** Returns the differences between a row and the configured deployment. Rows of unknown deployments are not checked. */
function compareWithProject(row: FleetRow, deployments: readonly Deployment[]): string[] {
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

/** Describes the difference of two lists of chains, because the lists can be long. */
function difference(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((chain) => !before.includes(chain)).map((chain) => `${chain} was added`);
  const removed = before.filter((chain) => !after.includes(chain)).map((chain) => `${chain} was removed`);
  return [...added, ...removed].join(", ") || "their order differs";
}

/** Returns the differences between a row and its snapshot file. */
function compareWithSnapshot(row: FleetRow, snapshot: SnapshotFacts): string[] {
  const problems: string[] = [];
  if (!row.snapshot.includes(`/${surfaceId(row)}.`)) {
    problems.push(`${row.snapshot} is not a snapshot of ${row.protocol} in ${row.style} style`);
  }
  for (const key of ["schema", "entities"] as const) {
    // Null for an edited file, which is already reported. Its rows cannot be checked.
    if (snapshot[key] !== null && snapshot[key] !== row[key]) {
      problems.push(`${row.snapshot} has a different "${key}" hash`);
    }
  }
  return problems;
}

/** Returns the line of a row: the file has one row per line. */
function lineOf(name: string, text: string): number | null {
  const index = text.split("\n").findIndex((line) => line.includes(JSON.stringify(name)));
  return index === -1 ? null : index + 1;
}
