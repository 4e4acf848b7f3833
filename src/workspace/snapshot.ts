import { hash, shortHash } from "../base/hash.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";

/** The committed schemas of one surface. */
export type Snapshot = OfSurface & {
  /** What operations are written against. */
  readonly base: SnapshotFile;
  /** What some chains serve instead, in order of hash. Multichain snapshots have none. */
  readonly variants: readonly SnapshotFile[];
};

export type SnapshotFile = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  /** The canonical SDL, header included. */
  readonly text: string;
  /** 64 hex digits, as the header says. */
  readonly hash: string;
};

/** The folder of snapshots below the output folder. */
export const SCHEMAS_FOLDER = "schemas";

/** Where the operation record is, relative to the output folder: beside the snapshots it was made of. */
export const OPERATION_RECORD_PATH = `${SCHEMAS_FOLDER}/operations.json`;

/** Where the snapshot of a surface is, relative to the output folder. */
export function snapshotPath(surface: OfSurface): string {
  return `${SCHEMAS_FOLDER}/${surfaceId(surface)}.graphql`;
}

/** Where a variant is, relative to the output folder: named by the hash of what it holds. */
export function variantPath(surface: OfSurface, hash: string): string {
  return `${SCHEMAS_FOLDER}/${surfaceId(surface)}.${shortHash(hash)}.graphql`;
}

/** How many types and fields of the query root a snapshot holds, to tell a part of a schema from the whole. */
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

/** Fields and values of an SDL text: every line of one indentation that starts with a name. */
export function countMembers(text: string): number {
  return withoutDescriptions(text).match(/^ {2}[_A-Za-z]/gm)?.length ?? 0;
}

/** Counting lines is a hundred times cheaper than parsing, once no line of prose can be taken for one. */
function withoutDescriptions(sdl: string): string {
  return sdl.replaceAll(/"""(?:\\"""|[^"]|"(?!""))*"""/g, "");
}

/** The hash of what an entity model declares, its descriptions apart: the same whatever the platform's release. */
export function hashEntities({ definitions }: EntityModel): string {
  const withoutDocs = JSON.stringify(definitions, (key, value: unknown) =>
    key === "description" || key === "quoted" ? undefined : value,
  );
  return hash(withoutDocs);
}

/** Changes with the format of snapshots; readers refuse a format that they do not know. */
export const SNAPSHOT_FORMAT = 1;

/** Reads the hashes from a snapshot's header; null when the text has none of a known format. */
export function readSnapshotHeader(text: string): { readonly schema: string; readonly docs: string } | null {
  const header = /^# .*\n# format (\d+)\n# schema ([0-9a-f]{64})\n# docs ([0-9a-f]{64})\n/.exec(text);
  if (header === null || Number(header[1]) !== SNAPSHOT_FORMAT) return null;
  return { schema: header[2] ?? "", docs: header[3] ?? "" };
}
