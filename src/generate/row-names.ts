import { type GraphQLSchema, getNamedType, getNullableType, isCompositeType, isListType } from "graphql";
import { capitalize } from "../base/identifier.ts";
import type { Operation, OperationSet } from "./operation-set.ts";
import { collectResponseFields, fieldDefinition } from "./response-fields.ts";
import type { TypeNames } from "./type-names.ts";

/**
 * Names the rows of every operation: the objects of its lists or, where it has no list, the objects it asks for. Of the
 * only ones the name is that of the operation, as in `StreamsBySenderRow`; of several, each has its key as well.
 *
 * @returns by operation and by key of the response.
 */
export function nameRows(
  { operations, fragments }: OperationSet,
  schema: GraphQLSchema,
  names: TypeNames,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const keysOf = ({ node }: Operation): readonly string[] => {
    const root = schema.getRootType(node.operation);
    if (!root) return [];
    const uses = collectResponseFields(schema, fragments, root, [
      { node: node.selectionSet, conditions: [] },
    ]);
    const fields = [...uses].flatMap(([key, [use]]) => {
      const name = use?.node.name.value ?? "";
      const type = fieldDefinition(root, name)?.type;
      return type && isCompositeType(getNamedType(type)) ? [{ key, name, type: getNullableType(type) }] : [];
    });
    const lists = fields.filter(({ type }) => isListType(type));
    // What begins with an underscore tells of the indexer, or of the schema.
    return (lists.length > 0 ? lists : fields.filter(({ name }) => !name.startsWith("_"))).map(
      ({ key }) => key,
    );
  };
  const keys = new Map(operations.map((operation) => [operation.name, keysOf(operation)]));
  const rows = new Map(operations.map(({ name }) => [name, new Map<string, string>()]));
  const isOnly = (of: readonly string[]) => of.length === 1;
  // Those first that are called after their operation alone: what else there is must not take their names.
  for (const wanted of [true, false]) {
    for (const [operation, own] of keys) {
      if (isOnly(own) !== wanted) continue;
      for (const key of own) {
        const wish = wanted ? `${operation}Row` : `${operation}${capitalize(key)}Row`;
        rows.get(operation)?.set(key, names.take(wish));
      }
    }
  }
  return rows;
}
