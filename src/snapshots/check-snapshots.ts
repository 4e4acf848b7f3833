import { LockflowError } from "../errors/lockflow-error.ts";
import type { Finding } from "../model/finding.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { hashSchema } from "../schema/hash-schema.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import { renderSnapshot } from "./render-snapshot.ts";
import { type Snapshot, type SnapshotFile, snapshotPath, variantPath } from "./snapshot.ts";

/** Checks that snapshots are as introspection wrote them: nobody edited them, and each has its right name. */
export function checkSnapshots(snapshots: readonly Snapshot[]): Finding[] {
  return snapshots.flatMap((snapshot) =>
    [snapshot.base, ...snapshot.variants].flatMap((file) => checkFile(file, snapshot)),
  );
}

function checkFile(file: SnapshotFile, { protocol, style }: Snapshot): Finding[] {
  try {
    const schema = canonicalize(parseSdl(file.text, file.path));
    const hashes = hashSchema(schema);
    const path =
      file.path === snapshotPath(protocol, style) ? file.path : variantPath(protocol, style, hashes.schema);
    if (renderSnapshot({ schema, hashes }, protocol, style) === file.text && path === file.path) return [];
    return [invalid(file, "It is not as introspection wrote it.")];
  } catch (error) {
    if (error instanceof LockflowError) return [invalid(file, error.sentence)];
    throw error;
  }
}

function invalid({ path }: SnapshotFile, message: string): Finding {
  return {
    code: "snapshot/edited",
    severity: "error",
    subject: path,
    message,
    place: { file: path, line: null, column: null },
    hint: "restore it from version control, or run `lockflow introspect`.",
  };
}
