import { resolve } from "node:path";
import { cached } from "../base/collections.ts";
import { LockflowError, SchemaError } from "../base/errors.ts";
import { readText } from "../base/read-files.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { isOf, type OfSurface, type StyleName, surfaceId } from "../dialects/surface.ts";
import { parseSnapshot, type Snapshot } from "./snapshot.ts";

/** The entities of a protocol, as far as they are known before anybody is asked. */
export type KnownModel = {
  readonly model: EntityModel;
  /** The entity SDL that they are from; null for a snapshot. */
  readonly file: string | null;
};

/** Reads what is known of the entities of each protocol in each style: its snapshot, else what its definition says. */
export async function readKnownModels(
  root: string,
  definitions: readonly Pick<ResolvedProtocol, "key" | "entities">[],
  snapshots: readonly Snapshot[],
): Promise<(surface: OfSurface) => KnownModel | null> {
  const models = new Map<string, KnownModel | null>();
  for (const definition of definitions) {
    for (const [style, file = null] of Object.entries(definition.entities) as [StyleName, string?][]) {
      const surface = { protocol: definition.key, style };
      if (snapshots.some(isOf(surface))) continue;
      const model = await orNull(() => readEntities(root, definition, style));
      models.set(surfaceId(surface), model && { model: withoutInternal(model), file });
    }
  }
  return (surface) =>
    cached(models, surfaceId(surface), () => {
      const snapshot = snapshots.find(isOf(surface));
      return snapshot === undefined ? null : readModel(snapshot);
    });
}

/** Null for one that was edited until it is no schema, which introspection mends. */
function readModel({ style, base }: Snapshot): KnownModel | null {
  try {
    return { model: styles[style].schemas.read(parseSnapshot(base)), file: null };
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/** What is wrong with an entity SDL is for those to tell who need it: it is no deployment's fault. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/** What platforms keep from clients is in no answer. */
function withoutInternal({ definitions, ...model }: EntityModel): EntityModel {
  return { ...model, definitions: definitions.filter((one) => one.kind !== "entity" || !one.internal) };
}

/**
 * Reads the entities that a definition says are deployed in a style; null where it says nothing of them.
 *
 * @throws SchemaError for a file that is not there or cannot be parsed.
 */
export async function readEntities(
  root: string,
  { key, entities }: Pick<ResolvedProtocol, "key" | "entities">,
  style: StyleName,
): Promise<EntityModel | null> {
  const path = entities[style];
  if (path === undefined) return null;
  const text = await readText(resolve(root, path));
  if (text !== null) return parseEntities(text, path);
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `There is no file ${path}, which "protocols.${key}.entities" names.`,
    hint: "correct the path: it starts at the configuration's folder.",
  });
}
