import { join } from "node:path";
import * as v from "valibot";
import { compareCodeUnits } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import { DISK, isForeignFolder, readGeneratedText, readTree, type TextSource } from "../base/read-files.ts";
import type { OutputFile } from "../base/write-files.ts";
import { isOf, type OfSurface, STYLE_NAMES } from "../dialects/surface.ts";
import type { Project } from "../project/project.ts";
import {
  readSnapshotHeader,
  SCHEMAS_FOLDER,
  type Snapshot,
  type SnapshotFile,
  snapshotPath,
} from "./snapshot.ts";

/** Reads the snapshot of a surface from the output folder; an error when there is none yet. */
export async function requireSnapshot(
  outputRoot: string,
  surface: OfSurface,
  source: TextSource = DISK,
): Promise<Snapshot> {
  const [snapshot] = await readSnapshots(outputRoot, [surface], source);
  if (snapshot) return snapshot;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_MISSING",
    sentence: `There is no snapshot of ${surface.protocol} in ${surface.style} style (${snapshotPath(surface)}).`,
    hint: "run `lockflow introspect` to make it.",
  });
}

/** Reads the snapshots of surfaces from the output folder, in their order; of those that have one. */
export async function readSnapshots(
  outputRoot: string,
  surfaces: readonly OfSurface[],
  source: TextSource = DISK,
): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for (const { protocol, style } of surfaces) {
    const base = await readSnapshotFile(outputRoot, snapshotPath({ protocol, style }), source);
    if (base === null) continue;
    const folder = `${SCHEMAS_FOLDER}/${protocol}`;
    const variants: SnapshotFile[] = [];
    for (const name of await source.readTree(join(outputRoot, folder), [".graphql"])) {
      if (!new RegExp(`^${style}\\.[0-9a-f]{8}\\.graphql$`).test(name)) continue;
      const variant = await readSnapshotFile(outputRoot, `${folder}/${name}`, source);
      if (variant) variants.push(variant);
    }
    snapshots.push({ protocol, style, base, variants });
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
  return text === null ? [] : parseFleetRecord(text);
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

/** Reads the fleet record and every schema file in the folder of snapshots, expected or not, in order of path. */
export async function readSchemaFiles(outputRoot: string): Promise<OutputFile[]> {
  const folder = join(outputRoot, SCHEMAS_FOLDER);
  const files: OutputFile[] = [];
  for (const name of await readTree(folder, [".graphql", ".gql", ".json"], isForeignFolder)) {
    const path = `${SCHEMAS_FOLDER}/${name}`;
    if (path.endsWith(".json") && path !== FLEET_RECORD_PATH) continue;
    const content = await readGeneratedText(join(outputRoot, path));
    if (content !== null) files.push({ path, content });
  }
  return files;
}

/** What one deployment served when it last answered. */
export type FleetRow = OfSurface & {
  /** The deployment's name. */
  readonly name: string;
  /** Keys of the chains it serves. */
  readonly chains: readonly string[];
  /** Hash of the schema's shape. */
  readonly schema: string;
  /** Hash of its descriptions. */
  readonly docs: string;
  /** Hash of its entity model: equal for two deployments that differ in their platform's release only. */
  readonly entities: string;
  /** The snapshot file it serves, relative to the output folder. */
  readonly snapshot: string;
};

/** Where the fleet record is, relative to the output folder. */
export const FLEET_RECORD_PATH = "schemas/deployments.json";

/** Renders the fleet record: one row a line, in order of name, so that a change of one is a change of one line. */
export function renderFleetRecord(rows: readonly FleetRow[]): string {
  const lines = [...rows]
    .sort((a, b) => compareCodeUnits(a.name, b.name))
    .map(({ name, protocol, style, chains, schema, docs, entities, snapshot }) =>
      JSON.stringify({ name, protocol, style, chains, schema, docs, entities, snapshot }),
    );
  return `{\n  "version": 1,\n  "deployments": [\n${lines.map((line) => `    ${line}`).join(",\n")}\n  ]\n}\n`;
}

/** Parses the fleet record. */
export function parseFleetRecord(text: string): FleetRow[] {
  const value = parseJson(text);
  const { success, output } = v.safeParse(RECORD, value);
  if (success) return output.deployments;
  throw new SchemaError({
    code: "SCHEMA_SNAPSHOT_INVALID",
    sentence: `${FLEET_RECORD_PATH} is not ${value === undefined ? "JSON" : "a fleet record of this version of Lockflow"}.`,
    hint: "restore it from version control, or delete it and run `lockflow introspect`.",
  });
}

const HASH = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const RECORD = v.object({
  version: v.literal(1),
  deployments: v.array(
    v.object({
      name: v.pipe(v.string(), v.regex(/^[\w.-]+$/)),
      protocol: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]*$/)),
      style: v.picklist(STYLE_NAMES),
      chains: v.array(v.string()),
      schema: HASH,
      docs: HASH,
      entities: HASH,
      snapshot: v.pipe(v.string(), v.regex(/^schemas\/[a-z][a-z0-9-]*\/[a-z]+(\.[0-9a-f]{8})?\.graphql$/)),
    }),
  ),
});
