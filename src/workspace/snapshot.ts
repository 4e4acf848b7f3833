import { cached } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import { hash, shortHash } from "../base/hash.ts";
import { GENERATED_MARK } from "../base/write-files.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { canonicalize, flattenSchema, hashSchema, type SchemaHashes } from "../dialects/canonicalize.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { parseSdl, parseWholeSdl } from "../dialects/parse-sdl.ts";
import { renderSdl } from "../dialects/render-sdl.ts";
import { type OfSurface, surfaceId } from "../dialects/surface.ts";
import { notIntrospection } from "../dialects/validate-schema.ts";

/** A canonical schema with its hashes: what one deployment, or many, serve. */
export type HashedSchema = { readonly schema: ApiSchema; readonly hashes: SchemaHashes };

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

/** Moves when the form of snapshots does; a reader refuses a format it does not know. */
const SNAPSHOT_FORMAT = 1;

/** Renders a snapshot, without time, URL and version: introspecting an unchanged fleet changes no byte. */
export function renderSnapshot({ schema, hashes }: HashedSchema, { protocol, style }: OfSurface): string {
  return [
    `# ${GENERATED_MARK}: the API schema of ${protocol}, ${style} style. Do not edit; run \`lockflow introspect\`.`,
    `# format ${SNAPSHOT_FORMAT}`,
    `# schema ${hashes.schema}`,
    `# docs ${hashes.docs}`,
    "",
    renderSdl(schema),
  ].join("\n");
}

/** Reads the hashes from a snapshot's header; null when the text has none of a known format. */
export function readSnapshotHeader(text: string): { readonly schema: string; readonly docs: string } | null {
  const header = /^# .*\n# format (\d+)\n# schema ([0-9a-f]{64})\n# docs ([0-9a-f]{64})\n/.exec(text);
  if (header === null || Number(header[1]) !== SNAPSHOT_FORMAT) return null;
  return { schema: header[2] ?? "", docs: header[3] ?? "" };
}

/** Requires that the snapshot of a schema gives the schema back: what is committed today has to be read tomorrow. */
export function requireReadable({ schema, hashes }: HashedSchema): void {
  const text = renderSdl(schema);
  const back = canonicalize(parseSdl(text, "Its snapshot"));
  const again = hashSchema(back);
  const isSame = again.schema === hashes.schema && again.docs === hashes.docs;
  if (isSame && renderSdl(back) === text) return;
  const read = flattenSchema(back);
  const first = flattenSchema(schema).find(
    ({ coordinate, signature, description }, index) =>
      coordinate !== read[index]?.coordinate ||
      signature !== read[index].signature ||
      description !== read[index].description,
  );
  const from = first === undefined ? "" : `, from ${first.coordinate} on`;
  throw notIntrospection(`its snapshot would not be read back as it was written${from}`);
}
