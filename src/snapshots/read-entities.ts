import { resolve } from "node:path";
import { readText } from "../base/disk/read-tree.ts";
import { SchemaError } from "../base/errors/schema-error.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import type { StyleName } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseEntities } from "../schema/parse-entities.ts";

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
