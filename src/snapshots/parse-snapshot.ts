import { cached } from "../base/cached.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { SnapshotFile } from "./snapshot.ts";

/** Parses the file of a snapshot to its canonical schema, once however often it is asked for. */
export function parseSnapshot(file: SnapshotFile): ApiSchema {
  return cached(parsed, file, () => canonicalize(parseSdl(file.text, file.path)));
}

const parsed = new WeakMap<SnapshotFile, ApiSchema>();
