import { cached } from "../base/collections.ts";
import { LockflowError, SchemaError } from "../base/errors.ts";
import type { FileTree } from "../base/file-tree.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { isOf, type OfSurface, type StyleName, type SurfaceId, surfaceId } from "../dialects/surface.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotModel } from "./snapshot-schema.ts";
import type { Workspace } from "./workspace.ts";

/** The entities of a protocol, as far as they are known before a request is sent. */
export type KnownModel = {
  readonly model: EntityModel;
  /** The entity SDL that has them; null for a snapshot. */
  readonly file: string | null;
};

/**
 * Returns what is known of the entities of protocols: those of a snapshot, else those that the definition names. Each is
 * read on first use.
 *
 * @param snapshots those that count; a run about some surfaces has only theirs.
 */
export function knownModels(
  { project, tree }: Workspace,
  snapshots: readonly Snapshot[],
): (surface: OfSurface) => KnownModel | null {
  const models = new Map<SurfaceId, KnownModel | null>();
  return (surface) =>
    cached(models, surfaceId(surface), () => {
      const snapshot = snapshots.find(isOf(surface));
      return unlessInvalid(() => {
        if (snapshot !== undefined) return { model: snapshotModel(snapshot), file: null };
        const definition = project.definitions.find(({ key }) => key === surface.protocol);
        const model = definition ? readEntities(tree, definition, surface.style) : null;
        return model && { model: withoutInternal(model), file: definition?.entities[surface.style] ?? null };
      });
    });
}

/** Null for a snapshot that was edited until it is not a schema, and for an invalid entity SDL: others report these. */
function unlessInvalid<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/** Leaves out what platforms keep from clients. */
function withoutInternal({ definitions, ...model }: EntityModel): EntityModel {
  return { ...model, definitions: definitions.filter((one) => one.kind !== "entity" || !one.internal) };
}

/**
 * Reads the entities that a definition names for a style; null where it names none.
 *
 * @throws SchemaError for a file that is missing or cannot be parsed.
 */
export function readEntities(
  tree: FileTree,
  { key, entities }: Pick<ResolvedProtocol, "key" | "entities">,
  style: StyleName,
): EntityModel | null {
  const path = entities[style];
  if (path === undefined) return null;
  const file = tree.read(path);
  if (file !== null) return parseEntities(file.text, path);
  throw new SchemaError({
    code: "SCHEMA_ENTITIES_INVALID",
    sentence: `There is no file ${path}, which "protocols.${key}.entities" names.`,
    hint: "correct the path: it starts at the configuration's folder.",
  });
}
