import { hash, shortHash } from "../base/hash.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";

/** The committed schemas of one surface. */
export type Snapshot = OfSurface & {
  /** The schema that operations are written for. */
  readonly base: SnapshotFile;
  /** The schemas that some chains serve instead, in order of hash. Multichain snapshots have none. */
  readonly variants: readonly SnapshotFile[];
};

export type SnapshotFile = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** The canonical SDL, header included. */
  readonly text: string;
  /** The hash in the header: 64 hex digits. */
  readonly hash: string;
};

/** The folder of snapshots below the output folder. */
export const SCHEMAS_FOLDER = "schemas";

/** The path of the operation record, relative to the output folder. */
export const OPERATION_RECORD_PATH = `${SCHEMAS_FOLDER}/operations.json`;

/** Returns the path of a surface's snapshot, relative to the output folder. */
export function snapshotPath(surface: OfSurface): string {
  return `${SCHEMAS_FOLDER}/${surfaceId(surface)}.graphql`;
}

/** Returns the path of a variant, relative to the output folder. The name contains the hash of its schema. */
export function variantPath(surface: OfSurface, hash: string): string {
  return `${SCHEMAS_FOLDER}/${surfaceId(surface)}.${shortHash(hash)}.graphql`;
}

/** The numbers of types and query fields in a snapshot, to recognize incomplete schemas. */
export type SnapshotSize = { readonly types: number; readonly rootFields: number };

/** Measures the base of a snapshot. */
export function measureSnapshot({ base }: Snapshot): SnapshotSize {
  const sdl = withoutDescriptions(base.text);
  const types = sdl.match(/^(type|interface|union|enum|input|scalar) /gm)?.length ?? 0;
  const name = /^schema \{\n {2}query: (\w+)$/m.exec(sdl)?.[1];
  const head = new RegExp(`^type ${name}\\b[^\\n]*\\{$`, "m").exec(sdl);
  if (name === undefined || head === null) return { types, rootFields: 0 };
  return { types, rootFields: countMembers(sdl.slice(head.index, sdl.indexOf("\n}", head.index))) };
}

/** Counts the fields and values of an SDL text: lines with one level of indentation that start with a name. */
export function countMembers(text: string): number {
  return withoutDescriptions(text).match(/^ {2}[_A-Za-z]/gm)?.length ?? 0;
}

/** Removes descriptions, so that members can be counted by line. That is a hundred times faster than parsing. */
function withoutDescriptions(sdl: string): string {
  return sdl.replaceAll(/"""(?:\\"""|[^"]|"(?!""))*"""/g, "");
}

/** Hashes an entity model without descriptions. The hash does not depend on the platform's release. */
export function hashEntities({ definitions }: EntityModel): string {
  const withoutDocs = JSON.stringify(definitions, (key, value: unknown) =>
    key === "description" ? undefined : value,
  );
  return hash(withoutDocs);
}

/** The version of the snapshot format. Other versions are rejected. */
export const SNAPSHOT_FORMAT = 1;

/** Reads the hashes from a snapshot's header; null without a header of the known format. */
export function readSnapshotHeader(text: string): { readonly schema: string; readonly docs: string } | null {
  const header = /^# .*\n# format (\d+)\n# schema ([0-9a-f]{64})\n# docs ([0-9a-f]{64})\n/.exec(text);
  if (header === null || Number(header[1]) !== SNAPSHOT_FORMAT) return null;
  return { schema: header[2] ?? "", docs: header[3] ?? "" };
}
