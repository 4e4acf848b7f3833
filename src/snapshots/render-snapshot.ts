import { GENERATED_MARK } from "../base/disk/output-file.ts";
import type { OfSurface } from "../project/surface.ts";
import { renderSdl } from "../schema/render-sdl.ts";
import type { HashedSchema } from "./snapshot.ts";

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
