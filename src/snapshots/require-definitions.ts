import type { Project } from "../project/project.ts";
import { STYLE_NAMES } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { readEntities } from "./read-entities.ts";
import { namesFields, requireKnownFields } from "./require-known-fields.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Requires that every definition of a project names fields that its snapshots have; before there are any, its entity SDL.
 *
 * @param read reads a snapshot back to its entities. It is called for definitions that name fields, and no other.
 * @throws ConfigError for a name of no field, SchemaError for an entity SDL that cannot be read.
 */
export async function requireDefinitions(
  { root, definitions }: Pick<Project, "root" | "definitions">,
  snapshots: readonly Snapshot[],
  read: (snapshot: Snapshot) => EntityModel,
): Promise<void> {
  for (const definition of definitions) {
    if (!namesFields(definition)) continue;
    const own = snapshots.filter(({ protocol }) => protocol === definition.key);
    const models =
      own.length > 0
        ? own.map(read)
        : await Promise.all(STYLE_NAMES.map((style) => readEntities(root, definition, style)));
    requireKnownFields(
      definition,
      models.filter((model) => model !== null),
    );
  }
}
