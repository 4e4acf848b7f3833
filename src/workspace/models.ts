import { cached } from "../base/collections.ts";
import { LockflowError } from "../base/errors.ts";
import type { FileTree } from "../base/file-tree.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { parseEntities } from "../dialects/parse-entities.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { isOf, type OfSurface, type StyleName, type SurfaceId, surfaceId } from "../dialects/surface.ts";
import { missingEntityFile } from "../project/missing-file.ts";
import type { Snapshot } from "./snapshot.ts";
import { snapshotModel } from "./snapshot-schema.ts";
import type { Workspace } from "./workspace.ts";

/** The entities of a protocol that are known before any request. */
export type KnownModel = {
  readonly model: EntityModel;
  /** The path of the entity SDL with them; null for a snapshot. */
  readonly file: string | null;
};

/**
 * Creates a lookup of known entities by surface: those of the snapshot, else those of the definition's entity SDL. Each
 * file is read on first use.
 *
 * @param snapshots the snapshots to use. A run about some surfaces passes only theirs.
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

/** Returns null for an invalid snapshot or entity SDL, which other checks report. */
function unlessInvalid<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/** Removes entities that platforms do not expose to clients. */
function withoutInternal({ definitions, ...model }: EntityModel): EntityModel {
  const shown = definitions.filter((definition) => definition.kind !== "entity" || !definition.internal);
  return { ...model, definitions: shown };
}

/**
 * Reads the entity SDL of a definition for a style; null if the definition has none.
 *
 * @throws ConfigError for a missing file, SchemaError for an invalid one.
 */
export function readEntities(
  tree: FileTree,
  definition: Pick<ResolvedProtocol, "key" | "entities">,
  style: StyleName,
): EntityModel | null {
  const path = definition.entities[style];
  if (path === undefined) return null;
  const file = tree.read(path);
  if (file === null) throw missingEntityFile(definition, style);
  return parseEntities(file.text, path);
}
