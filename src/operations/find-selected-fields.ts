import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import { originKey } from "../dialects/origin.ts";
import type { OriginLookup } from "../dialects/style.ts";

/**
 * Finds the entities and fields that a document selects, as `Stream` and `Stream.sender`. A column or an aggregate counts as
 * its field. Fields that the schema does not have are ignored.
 *
 * @param originsOf traces the coordinates of the schema back to its entities.
 */
export function findSelectedFields(
  document: DocumentNode,
  schema: GraphQLSchema,
  originsOf: OriginLookup,
): ReadonlySet<string> {
  const found = new Set<string>();
  const info = new TypeInfo(schema);
  const enter = () => {
    const [parent, field] = [info.getParentType(), info.getFieldDef()];
    if (!parent || !field) return;
    for (const origin of originsOf(`${parent.name}.${field.name}`)) {
      if (origin.kind === "entity" || origin.kind === "field") found.add(originKey(origin));
    }
  };
  visit(document, visitWithTypeInfo(info, { Field: enter }));
  return found;
}
