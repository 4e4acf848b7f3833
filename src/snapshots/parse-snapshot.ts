import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import type { SnapshotFile } from "./snapshot.ts";

/**
 * Parses the file of a snapshot to its canonical schema, once however often it is asked for.
 *
 * @throws SchemaError for a file that somebody edited until it is no schema.
 */
export function parseSnapshot(file: SnapshotFile): ApiSchema {
  const known = parsed.get(file);
  if (known) return known;
  const schema = canonicalize(parseSdl(file.text, file.path));
  parsed.set(file, schema);
  return schema;
}

const parsed = new WeakMap<SnapshotFile, ApiSchema>();
