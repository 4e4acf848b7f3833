import { canonicalize } from "../schema/canonicalize.ts";
import { flattenSchema, hashSchema } from "../schema/hash-schema.ts";
import { notIntrospection } from "../schema/introspection-error.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import { renderSdl } from "../schema/render-sdl.ts";
import type { HashedSchema } from "./snapshot.ts";

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
