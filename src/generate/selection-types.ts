import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  type SelectionSetNode,
} from "graphql";
import { cached } from "../base/cached.ts";
import type { LeafTypes } from "./leaf-types.ts";
import type { OperationSet } from "./operation-set.ts";
import { renderType } from "./render-type-declarations.ts";
import { requireModuleSize } from "./require-module-size.ts";
import {
  type Conditional,
  collectResponseFields,
  fieldDefinition,
  isAlwaysAsked,
  possibleObjects,
} from "./response-fields.ts";
import type { SchemaDocs } from "./schema-docs.ts";
import { type Doc, NULL, type TypeMember, type TypeTree, textType, unionType } from "./type-tree.ts";

/** What the types of selections are made from. */
export type SelectionContext = {
  readonly schema: GraphQLSchema;
  readonly fragments: OperationSet["fragments"];
  readonly docs: SchemaDocs;
  readonly leaves: LeafTypes;
  /** Each object that may stand above asks for the same selections. */
  readonly known: Map<string, TypeTree>;
  readonly numbers: Map<SelectionSetNode, number>;
  /** Whose selections they are, as authors call it. */
  readonly owner: string;
};

/** Builds the type of what selection sets ask of a type: the distinct objects that it may be, as a server collects them. */
export function selectionType(
  type: GraphQLNamedType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
  context: SelectionContext,
): TypeTree {
  const { numbers } = context;
  const asked = selectionSets.map(({ node, conditions }) => [
    cached(numbers, node, () => numbers.size),
    conditions,
  ]);
  return cached(context.known, JSON.stringify([type.name, asked]), () => {
    const kinds = new Map<string, TypeTree>();
    for (const object of possibleObjects(context.schema, type)) {
      const members = selectionMembers(object, selectionSets, context);
      const kind: TypeTree = members.length === 0 ? NOTHING : { kind: "object", members };
      const text = renderType(kind, "");
      requireModuleSize(text.length, context.owner);
      kinds.set(text, kind);
    }
    return unionType([...kinds.values()]);
  });
}

/** An object of which nothing is asked. With `never`, a union would promise what only the others in it have. */
const NOTHING = textType("Record<PropertyKey, undefined>");

/**
 * Builds the properties of objects of one type, in the order of the response.
 *
 * @param nameObjects gives the objects below a key a name of their own, and returns that.
 */
export function selectionMembers(
  object: GraphQLObjectType,
  selectionSets: readonly Conditional<SelectionSetNode>[],
  context: SelectionContext,
  nameObjects: (key: string, objects: TypeTree) => TypeTree = (_, objects) => objects,
): TypeMember[] {
  const fields = collectResponseFields(context.schema, context.fragments, object, selectionSets);
  return [...fields].map(([key, uses]) => {
    const name = uses[0]?.node.name.value ?? "";
    const definition = fieldDefinition(object, name);
    if (!definition) throw new TypeError(`The type "${object.name}" has no field "${name}".`);
    const named = getNamedType(definition.type);
    let value: TypeTree;
    if (name === "__typename") value = textType(JSON.stringify(object.name));
    else if (isCompositeType(named)) {
      const inner = uses.flatMap(({ node: { selectionSet: node }, conditions }) =>
        node ? [{ node, conditions }] : [],
      );
      value = nameObjects(key, selectionType(named, inner, context));
    } else value = textType(context.leaves.typeOf(named));
    return {
      key: isAlwaysAsked(uses, selectionSets) ? key : `${key}?`,
      type: resultType(definition.type, value),
      doc: fieldDoc(object, name, context.docs),
    };
  });
}

/** Puts lists and null around a value as the schema has them. */
function resultType(type: GraphQLOutputType, value: TypeTree): TypeTree {
  if (isNonNullType(type)) return presentType(type.ofType, value);
  return unionType([presentType(type, value), NULL]);
}

function presentType(type: GraphQLOutputType, value: TypeTree): TypeTree {
  return isListType(type) ? { kind: "array", item: resultType(type.ofType, value) } : value;
}

/** What an interface says of a field is true of the objects that have it. */
function fieldDoc(object: GraphQLObjectType, field: string, docs: SchemaDocs): Doc | null {
  for (const owner of [object, ...object.getInterfaces()]) {
    const doc = owner === object || owner.getFields()[field] ? docs.docOf(owner.name, field) : null;
    if (doc !== null) return doc;
  }
  return null;
}
