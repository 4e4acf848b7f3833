import type { GraphQLSchema } from "graphql";
import { memoize } from "../base/collections.ts";
import { SchemaError } from "../base/errors.ts";
import { GENERATED_MARK } from "../base/output-file.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import { canonicalize, flattenSchema, hashSchema, type SchemaHashes } from "../dialects/canonicalize.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { parseSdl, parseWholeSdl } from "../dialects/parse-sdl.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { renderSdl } from "../dialects/render-sdl.ts";
import type { Style } from "../dialects/style.ts";
import type { OfSurface, StyleName } from "../dialects/surface.ts";
import { toGraphqlSchema } from "../dialects/to-graphql-schema.ts";
import { notIntrospection } from "../dialects/validate-schema.ts";
import type { PortableContext } from "../operations/portable/read-entities.ts";
import { SNAPSHOT_FORMAT, type Snapshot, type SnapshotFile } from "./snapshot.ts";

/** The text of a snapshot, and its path for errors. */
export type SnapshotText = Pick<SnapshotFile, "path" | "text">;

/** Parses a snapshot file to its canonical schema, once per file. */
export const parseSnapshot = memoize((file: SnapshotText): ApiSchema => canonicalize(writtenSchema(file)));

/** Parses a snapshot file to its schema in the order of the file, once per file. */
export const writtenSchema = memoize(parseSnapshotText);

/** Builds the schema of a snapshot file for graphql-js, once per file. */
export const graphqlSchema = memoize(
  (file: SnapshotText): GraphQLSchema => toGraphqlSchema(writtenSchema(file), { repeatable: false }),
);

/** Reads the entities from the base of a snapshot, once per file. */
export function snapshotModel({ style, base }: Pick<Snapshot, "style" | "base">): EntityModel {
  return fileModel(style, base);
}

/** Reads the entities from a snapshot file of a style, once per file. */
export function fileModel(style: StyleName, file: SnapshotText): EntityModel {
  return modelReader(styles[style])(file);
}

const modelReader = memoize(({ schemas }: Style) =>
  memoize((file: SnapshotText): EntityModel => schemas.read(writtenSchema(file))),
);

/** Returns the context in which portable operations are compiled with the snapshots of both styles. */
export function portableContext(
  definition: ResolvedProtocol,
  snapshots: { readonly [S in StyleName]: SnapshotText },
): PortableContext {
  const schemasOf = (style: StyleName) => ({
    api: writtenSchema(snapshots[style]),
    graphql: graphqlSchema(snapshots[style]),
    model: fileModel(style, snapshots[style]),
  });
  return { definition, schemas: { multichain: schemasOf("multichain"), subgraph: schemasOf("subgraph") } };
}

/**
 * Parses the text of a snapshot, which may have been edited.
 *
 * @throws SchemaError for a text that is not SDL, or not a schema.
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

/** A canonical schema with its hashes. */
export type HashedSchema = { readonly schema: ApiSchema; readonly hashes: SchemaHashes };

/** Renders a snapshot without time, URL or version, so that introspecting an unchanged fleet changes nothing. */
export function renderSnapshot(
  schema: ApiSchema,
  { protocol, style }: OfSurface,
  hashes = hashSchema(schema),
): string {
  return [
    `# ${GENERATED_MARK}: the API schema of ${protocol}, ${style} style. Do not edit; run \`lockflow introspect\`.`,
    `# format ${SNAPSHOT_FORMAT}`,
    `# schema ${hashes.schema}`,
    `# docs ${hashes.docs}`,
    "",
    renderSdl(schema),
  ].join("\n");
}

/** Throws if the snapshot of a schema cannot be parsed back to the same schema. */
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
  throw notIntrospection(`parsing its snapshot would give another schema${from}`);
}
