import type { OutputFile } from "../base/disk/output-file.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import type { OfSurface, SurfaceId } from "../project/surface.ts";
import type { StyleName } from "../project/vocabulary.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { hashSchema } from "../schema/hash-schema.ts";
import { checkFleetRecord, type RecordChecks, type SnapshotFacts } from "./check-fleet-record.ts";
import { FLEET_RECORD_PATH } from "./fleet-record.ts";
import type { SnapshotText } from "./parse-snapshot.ts";
import { readSnapshotHeader, renderSnapshot } from "./render-snapshot.ts";
import { hashEntities, SCHEMAS_FOLDER, snapshotPath, variantPath } from "./snapshot.ts";

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
