import { LockflowError } from "../base/errors.ts";
import type { OutputFile } from "../base/write-files.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { canonicalize, hashSchema } from "../dialects/canonicalize.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { isOf, type OfSurface, type StyleName, type SurfaceId, surfaceId } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import type { Project } from "../project/project.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import { FLEET_RECORD_PATH, type FleetRow, parseFleetRecord, renderFleetRecord } from "./read-snapshots.ts";
import {
  hashEntities,
  readSnapshotHeader,
  renderSnapshot,
  SCHEMAS_FOLDER,
  type SnapshotText,
  snapshotPath,
  variantPath,
} from "./snapshot.ts";

type SnapshotChecks = RecordChecks & {
  readonly surfaces: readonly OfSurface[];
  /** Others, whose snapshots stay where they are. */
  readonly waiting: readonly SurfaceId[];
  readonly parse: (file: SnapshotText) => ApiSchema;
  /** Reads a snapshot back to its entities, as the style does. */
  readonly read: (style: StyleName, file: SnapshotText) => EntityModel;
};

/** Checks, without asking anybody, that the folder of snapshots is as introspection wrote it, with nothing beside them. */
export function checkSnapshots(checks: SnapshotChecks): Finding[] {
  const findings: Finding[] = [];
  const snapshots: SnapshotFacts[] = [];
  for (const file of checks.files) {
    if (file.path === FLEET_RECORD_PATH) continue;
    const place = { file: `${checks.output}/${file.path}`, line: null, column: null };
    const basePath = file.path.replace(/\.[0-9a-f]{8}(?=\.graphql$)/, "");
    if (checks.waiting.some((id) => basePath === `${SCHEMAS_FOLDER}/${id}.graphql`)) continue;
    const owner = checks.surfaces.find((surface) => snapshotPath(surface) === basePath);
    if (owner === undefined) {
      findings.push(buildFileFinding("generated/orphaned", [true], { place }));
      continue;
    }
    const { problem, ...facts } = readFacts(file, owner, checks);
    snapshots.push(facts);
    if (problem !== null) findings.push(buildFileFinding("snapshot/edited", [problem], { place }));
  }
  return [...findings, ...checkFleetRecord(snapshots, checks)];
}

function readFacts(
  { path, content: text }: OutputFile,
  surface: OfSurface,
  { parse, read }: SnapshotChecks,
): SnapshotFacts & { readonly problem: string | null } {
  const facts = { path, schema: readSnapshotHeader(text)?.schema ?? null, entities: null };
  try {
    const schema = canonicalize(parse({ path, text }));
    const hashes = hashSchema(schema);
    const name = path === snapshotPath(surface) ? path : variantPath(surface, hashes.schema);
    // Of such a text the canonical schema is the one that was parsed.
    return renderSnapshot({ schema, hashes }, surface) === text && path === name
      ? { ...facts, entities: hashEntities(read(surface.style, { path, text })), problem: null }
      : { ...facts, problem: "It is not as introspection wrote it." };
  } catch (error) {
    if (!(error instanceof LockflowError)) throw error;
    return { ...facts, problem: error.sentence };
  }
}

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
