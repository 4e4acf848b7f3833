import { cached } from "../base/cached.ts";
import { createMemo } from "../base/create-memo.ts";
import type { Project } from "../project/project.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { parseSnapshot, parseSnapshotText, type SnapshotText } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { type PreparedPortable, preparePortable } from "./prepare-portable.ts";
import { readPortable } from "./read-portable.ts";
import { createSchemaCache } from "./schema-cache.ts";

/** Reads and compiles what a protocol has written once for both styles; null where there is nothing. */
export type PortableReader = (protocol: Protocol) => Promise<PreparedPortable | null>;

/**
 * Creates what reads and compiles the portable operations of a project's protocols, those of each once.
 *
 * @param snapshots those that the caller has read, and parses by itself.
 */
export function createPortableReader(project: Project, snapshots: readonly Snapshot[]): PortableReader {
  const memo = createMemo();
  const parse = (given: SnapshotText) => {
    const { path, text } = given;
    const file = snapshots.map(({ base }) => base).find((base) => base.path === path && base.text === text);
    return file ? parseSnapshot(file) : parseSnapshotText(given);
  };
  const schemas = createSchemaCache(memo, parse);
  const known = new Map<Protocol, Promise<PreparedPortable | null>>();
  return (protocol) =>
    cached(known, protocol, async () => {
      const portable = await readPortable(project, protocol);
      const definition = project.definitions.find(({ key }) => key === protocol);
      return portable && definition ? preparePortable(portable, definition, [], schemas, memo) : null;
    });
}
