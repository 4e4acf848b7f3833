import { cached } from "../base/cached.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import { isOf, type OfSurface, surfaceId } from "../project/surface.ts";
import type { StyleName } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import { readEntities } from "../snapshots/read-entities.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";

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
    return { model: styles[style].read(parseSnapshot(base)), file: null };
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
