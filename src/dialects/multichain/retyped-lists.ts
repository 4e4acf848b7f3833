import { indexByName } from "../../base/collections.ts";
import type { Entity, EntityField, EntityModel } from "../entity-model.ts";
import type { ReadSchema, RetypedFields } from "../style.ts";
import { FEATURES } from "./features.ts";
import { isKnownRelease, RELEASES } from "./release.ts";

/**
 * Finds the lists of big numbers whose items are `numeric` on one side and text on the other, as between releases
 * before and since 2.31 (A.3). Null where the authors must have changed them.
 */
export function findRetypedLists(before: ReadSchema, after: ReadSchema): RetypedFields | null {
  const forward = findFrom(before, after);
  if (forward !== null) {
    return { feature: FEATURES.bigNumberLists, before: "numeric", after: "String", ...forward };
  }
  const back = findFrom(after, before);
  if (back === null) return null;
  const models = [back.models[1], back.models[0]] as const;
  return { feature: FEATURES.bigNumberLists, before: "String", after: "numeric", models };
}

function findFrom(older: ReadSchema, newer: ReadSchema): Pick<RetypedFields, "models"> | null {
  if (!canShow(older, "numeric") || !canShow(newer, "String")) return null;
  const entities = indexByName(newer.model.definitions.filter((one) => one.kind === "entity"));
  const retyped = new Set<EntityField>();
  let hasOthers = false;
  for (const entity of older.model.definitions) {
    if (entity.kind !== "entity") continue;
    const fields = indexByName(entities.get(entity.name)?.fields ?? []);
    for (const { name, type } of entity.fields) {
      const other = fields.get(name);
      if (other === undefined || !/^\[numeric!\]!?$/.test(type)) continue;
      if (other.type === type.replace("numeric", "String")) retyped.add(other);
      else hasOthers ||= other.type === type;
    }
  }
  // A list with a precision stays. Without another sign of a new release, the author of one of two lists changed it.
  const isAmbiguous = older.recognized.release === newer.recognized.release;
  if (retyped.size === 0 || (isAmbiguous && hasOthers)) return null;
  return { models: [older.model, asNumeric(newer.model, retyped)] };
}

/** Whether the items can be of this type, in the recognized release or in one that does not show otherwise. */
function canShow({ recognized: { release, options } }: ReadSchema, items: "numeric" | "String"): boolean {
  const name = options.release;
  if (release === null || name === undefined || !isKnownRelease(name)) return true;
  // 2.31 itself shows by nothing else, so it is recognized as 2.29.
  return RELEASES[name].bigNumberItems === items || (name === "2.29" && items === "String");
}

function asNumeric(model: EntityModel, retyped: ReadonlySet<EntityField>): EntityModel {
  const asWritten = (field: EntityField) =>
    retyped.has(field) ? { ...field, type: field.type.replace("String", "numeric") } : field;
  const edit = (entity: Entity): Entity => ({ ...entity, fields: entity.fields.map(asWritten) });
  return {
    ...model,
    definitions: model.definitions.map((one) => (one.kind === "entity" ? edit(one) : one)),
  };
}
