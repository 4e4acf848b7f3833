import { cached } from "../base/cached.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { parseWholeSdl } from "../schema/parse-whole-sdl.ts";
import type { SnapshotFile } from "./snapshot.ts";

/** What a snapshot is parsed from; `path` is what to call it in an error. */
export type SnapshotText = Pick<SnapshotFile, "path" | "text">;

/** Parses the file of a snapshot to its canonical schema, once however often it is asked for. */
export function parseSnapshot(file: SnapshotFile): ApiSchema {
  return cached(parsed, file, () => canonicalize(parseSnapshotText(file)));
}

const parsed = new WeakMap<SnapshotFile, ApiSchema>();

/**
 * Parses the text of a snapshot, which somebody may have edited: what is no schema is not read any further.
 *
 * @throws SchemaError for what is no SDL, or no schema.
 */
export function parseSnapshotText({ path, text }: SnapshotText): ApiSchema {
  try {
    return parseWholeSdl(text, path);
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    throw new SchemaError({
      code: "SCHEMA_SNAPSHOT_INVALID",
      sentence: cause.sentence,
      hint: "restore it from version control, or delete it and run `lockflow introspect`.",
      problems: cause.problems,
      cause,
    });
  }
}
