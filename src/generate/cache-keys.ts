import { type GraphQLObjectType, type GraphQLSchema, getNamedType, type SelectionSetNode } from "graphql";
import { sortByName } from "../base/collections.ts";
import { type ApiSchema, fieldsOf } from "../dialects/api-schema.ts";
import type { ResolvedProtocol } from "../dialects/protocol.ts";
import { fieldsOfId, idTemplate, isChainField } from "../dialects/protocol.ts";
import type { Style } from "../dialects/style.ts";
import { IS_PER_CHAIN } from "../dialects/surface.ts";
import { fieldDefinition, isAlwaysAsked, possibleObjects } from "../operations/collect-fields.ts";
import type { OperationSet } from "../operations/operation-set.ts";
import { always, collectObject, type Fields, innerSelections, type Selections } from "./selections.ts";

/** The fields that identify a row of a type in a client's cache; false if no sufficient field is always requested. */
export type CacheKey = { readonly name: string; readonly keyFields: readonly string[] | false };

/**
 * Finds the fields that identify rows of several chains in one cache, where ids do not. A field counts only if every
 * selection of the type requests it, because caches fail for a row that lacks it.
 *
 * @param chainOf the field with the chain of a type's rows, null where there is none; undefined where ids are enough.
 * @returns the requested types whose ids are not enough, in order of name.
 */
export function findCacheKeys(
  sets: readonly Pick<OperationSet, "operations" | "fragments">[],
  schema: GraphQLSchema,
  chainOf: (type: string) => string | null | undefined,
): CacheKey[] {
  const keys = new Map<string, CacheKey>();
  for (const asked of sets.flatMap((set) => collectObjects(set, schema))) {
    const { name } = asked.type;
    const chain = asked.type.getFields()["id"] ? chainOf(name) : undefined;
    if (chain === undefined || keys.get(name)?.keyFields === false) continue;
    const isKeyed = chain !== null && [chain, "id"].every((field) => isAskedFor(field, asked));
    keys.set(name, { name, keyFields: isKeyed ? [chain, "id"] : false });
  }
  return sortByName([...keys.values()]);
}

/** Objects of a type, with everything that is selected of them in one place of a response. */
type AskedObject = {
  readonly type: GraphQLObjectType;
  readonly selections: Selections;
  readonly fields: Fields;
};

/** Collects the objects that operations select. A repeated fragment is walked once. */
function collectObjects(
  { operations, fragments }: Pick<OperationSet, "operations" | "fragments">,
  schema: GraphQLSchema,
): AskedObject[] {
  const objects = new Map<string, AskedObject>();
  const numbers = new Map<SelectionSetNode, number>();
  const numberOf = (node: SelectionSetNode) => {
    if (!numbers.has(node)) numbers.set(node, numbers.size);
    return numbers.get(node);
  };
  const visit = (type: GraphQLObjectType, selections: Selections) => {
    const places = selections.map(({ node, conditions }) => [numberOf(node), conditions]);
    const key = JSON.stringify([type.name, places]);
    if (objects.has(key)) return;
    const fields = collectObject(type, selections, { schema, fragments });
    objects.set(key, { type, selections, fields });
    for (const uses of fields.values()) {
      const definition = fieldDefinition(type, uses[0]?.node.name.value ?? "");
      const inner = innerSelections(uses);
      if (!definition || inner.length === 0) continue;
      for (const object of possibleObjects(schema, getNamedType(definition.type))) visit(object, inner);
    }
  };
  for (const { node } of operations) {
    const root = schema.getRootType(node.operation);
    if (root) visit(root, always(node.selectionSet));
  }
  return [...objects.values()];
}

function isAskedFor(name: string, { fields, selections }: AskedObject): boolean {
  const uses = [...fields.values()].flat().filter(({ node }) => node.name.value === name);
  return isAlwaysAsked(uses, selections);
}

/**
 * Finds the field that distinguishes the rows of several chains in a cache.
 *
 * @returns null for a type without such a field, and undefined where ids are enough: they hold the chain, or the rows of
 *   all chains are in one table.
 */
export function cacheChain(
  style: Style,
  api: ApiSchema,
  { identity, ids }: Pick<ResolvedProtocol, "identity" | "ids">,
): (type: string) => string | null | undefined {
  const { name, portable } = style;
  const lookup = portable.kind === "written" ? portable.createWriter(api).lookup : () => null;
  return (type) => {
    const isChain = (field: string) => isChainField(identity.chain, type, field);
    if (fieldsOfId(idTemplate(ids, type, name) ?? "").some(isChain)) return undefined;
    if (!IS_PER_CHAIN[name] && !lookup(type)?.takesChain) return undefined;
    const fields = fieldsOf(api, type).map((field) => field.name);
    // Its id is the chain's.
    if (isChain("id")) return undefined;
    return fields.find(isChain) ?? null;
  };
}
