import { join } from "node:path";
import type { OutputFile } from "../base/disk/output-file.ts";
import {
  DISK,
  isForeignFolder,
  readGeneratedText,
  readTree,
  type TextSource,
} from "../base/disk/read-tree.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { Project } from "../project/project.ts";
import { isOf, type OfSurface } from "../project/surface.ts";
import { FLEET_RECORD_PATH, type FleetRow, parseFleetRecord } from "./fleet-record.ts";
import { readSnapshotHeader } from "./render-snapshot.ts";
import { SCHEMAS_FOLDER, type Snapshot, type SnapshotFile, snapshotPath } from "./snapshot.ts";

/**
 * Reads the snapshot of a surface; null when there is none yet.
 *
 * @param outputRoot absolute path of the output folder.
 * @throws SchemaError `SCHEMA_SNAPSHOT_INVALID` for a file without a header we know.
 */
export async function readSnapshot(
  outputRoot: string,
  { protocol, style }: OfSurface,
  source: TextSource = DISK,
): Promise<Snapshot | null> {
  const base = await readSnapshotFile(outputRoot, snapshotPath({ protocol, style }), source);
  if (base === null) return null;
  const folder = `${SCHEMAS_FOLDER}/${protocol}`;
  const names = await source.readTree(join(outputRoot, folder), [".graphql"]);
  const variants: SnapshotFile[] = [];
  for (const name of names) {
    if (!new RegExp(`^${style}\\.[0-9a-f]{8}\\.graphql$`).test(name)) continue;
    const variant = await readSnapshotFile(outputRoot, `${folder}/${name}`, source);
    if (variant) variants.push(variant);
  }
  return { protocol, style, base, variants };
}

/**
 * Reads the snapshot of a surface.
 *
 * @throws SchemaError `SCHEMA_SNAPSHOT_MISSING` when there is none yet.
 */
export async function requireSnapshot(
  outputRoot: string,
  { protocol, style }: OfSurface,
  source: TextSource = DISK,
): Promise<Snapshot> {
  const snapshot = await readSnapshot(outputRoot, { protocol, style }, source);
  if (snapshot) return snapshot;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_MISSING",
    sentence: `There is no snapshot of ${protocol} in ${style} style (${snapshotPath({ protocol, style })}).`,
    hint: "run `lockflow introspect` to make it.",
  });
}

/** Reads the snapshots of surfaces, in their order; of those that have one. */
export async function readSnapshots(
  outputRoot: string,
  surfaces: readonly OfSurface[],
  source: TextSource = DISK,
): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for (const surface of surfaces) {
    const snapshot = await readSnapshot(outputRoot, surface, source);
    if (snapshot) snapshots.push(snapshot);
  }
  return snapshots;
}

/** What is committed of the schemas that deployments serve. */
export type CommittedSchemas = {
  readonly rows: readonly FleetRow[];
  readonly snapshots: readonly Snapshot[];
};

/**
 * Reads the fleet record and the snapshots of a project.
 *
 * @throws SchemaError when one of the required snapshots is missing.
 */
export async function readCommittedSchemas(
  { root, output, surfaces }: Pick<Project, "root" | "output" | "surfaces">,
  required: readonly OfSurface[] = [],
): Promise<CommittedSchemas> {
  const outputRoot = join(root, output);
  const snapshots = await readSnapshots(outputRoot, surfaces);
  for (const surface of required) {
    if (!snapshots.some(isOf(surface))) await requireSnapshot(outputRoot, surface);
  }
  return { rows: await readFleetRecord(outputRoot), snapshots };
}

/** Reads the fleet record; empty when there is none yet. */
export async function readFleetRecord(outputRoot: string, source: TextSource = DISK): Promise<FleetRow[]> {
  const text = await source.readText(join(outputRoot, FLEET_RECORD_PATH));
  return text === null ? [] : parseFleetRecord(text, FLEET_RECORD_PATH);
}

async function readSnapshotFile(
  outputRoot: string,
  path: string,
  source: TextSource,
): Promise<SnapshotFile | null> {
  const text = await source.readText(join(outputRoot, path));
  if (text === null) return null;
  const header = readSnapshotHeader(text);
  if (header) return { path, text, hash: header.schema };
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_INVALID",
    sentence: `${path} does not start with the header of a snapshot.`,
    hint: "restore it from version control, or delete it and run `lockflow introspect`.",
  });
}

/**
 * Reads the fleet record and every schema file in the folder of snapshots, expected or not, as they are on disk
 * and without understanding any.
 *
 * @param outputRoot absolute path of the output folder.
 * @returns paths relative to the output folder, in code-unit order.
 */
export async function readSchemaFiles(outputRoot: string): Promise<OutputFile[]> {
  const names = await readTree(
    join(outputRoot, SCHEMAS_FOLDER),
    [".graphql", ".gql", ".json"],
    isForeignFolder,
  );
  const paths = names
    .map((name) => `${SCHEMAS_FOLDER}/${name}`)
    .filter((path) => !path.endsWith(".json") || path === FLEET_RECORD_PATH);
  const files: OutputFile[] = [];
  for (const path of paths) {
    const content = await readGeneratedText(join(outputRoot, path));
    if (content !== null) files.push({ path, content });
  }
  return files;
}
