import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  type SelectionSetNode,
} from "graphql";
import { cached } from "../base/collections.ts";
import { fieldDefinition, isAlwaysAsked, possibleObjects } from "../operations/collect-fields.ts";
import type { Fragment, Operation } from "../operations/operation-set.ts";
import type { LeafTypes } from "./scalars.ts";
import type { SchemaDocs } from "./schema-docs.ts";
import {
  always,
  collectObject,
  type Fields,
  innerSelections,
  type SelectionScope,
  type Selections,
} from "./selections.ts";
import { fragmentTypeName } from "./type-names.ts";
import {
  type Doc,
  NULL,
  renderMember,
  renderType,
  requireModuleSize,
  type TypeMember,
  type TypeTree,
  textType,
  unionType,
} from "./type-tree.ts";

type SelectionSource = SelectionScope & {
  readonly docs: SchemaDocs;
  readonly leaves: LeafTypes;
};

/** Creates the builder of selection types of one surface. A selection is walked as a server executes it. */
export function createSelectionTypes(source: SelectionSource) {
  const { schema, fragments, docs, leaves } = source;
  const numbers = new Map<SelectionSetNode, number>();
  /** Different parents often have the same selection sets below them. */
  const types = new Map<string, TypeTree>();
  const fragmentTexts = new Map<string, ReadonlyMap<string, string> | null>();
  /** The operation or fragment that is being declared, for errors. */
  let owner = "";

  return {
    /** @param nameObjects replaces the type of the objects below a key, for example by the name of a declared type. */
    rootMembers: ({ name, node }: Operation, root: GraphQLObjectType, nameObjects: NameObjects) => {
      owner = `${node.operation} ${name}`;
      const sets = always(node.selectionSet);
      return fieldMembers(root, collectObject(root, sets, source), { sets, nameObjects });
    },
    fragmentType: ({ name, node }: Fragment, target: GraphQLNamedType) => {
      owner = `fragment ${name}`;
      return selectionType(target, always(node.selectionSet));
    },
  };

  /** Builds the union of the distinct objects that a selection on a type can return. */
  function selectionType(type: GraphQLNamedType, sets: Selections): TypeTree {
    const selected = sets.map(({ node, conditions }) => [
      cached(numbers, node, () => numbers.size),
      conditions,
    ]);
    return cached(types, JSON.stringify([type.name, selected]), () => {
      const kinds = new Map<string, TypeTree>();
      for (const object of possibleObjects(schema, type)) {
        const fields = collectObject(object, sets, source);
        const members = fieldMembers(object, fields, { sets });
        const text = renderType({ kind: "object", members }, "");
        requireModuleSize(text.length, owner);
        cached(kinds, text, () => (members.length === 0 ? EMPTY : shareFragments(object, fields, members)));
      }
      return unionType([...kinds.values()]);
    });
  }

  /** Builds the properties of objects of one type, in the order of the response. */
  function fieldMembers(
    object: GraphQLObjectType,
    fields: Fields,
    { sets, nameObjects = (_, objects) => objects }: MemberOptions,
  ): TypeMember[] {
    return [...fields].map(([key, uses]) => {
      const name = uses[0]?.node.name.value ?? "";
      const definition = fieldDefinition(object, name);
      if (!definition) throw new TypeError(`The type "${object.name}" has no field "${name}".`);
      const named = getNamedType(definition.type);
      let value: TypeTree;
      if (name === "__typename") value = textType(JSON.stringify(object.name));
      else if (isCompositeType(named)) value = nameObjects(key, selectionType(named, innerSelections(uses)));
      else value = textType(leaves.typeOf(named));
      return {
        key: isAlwaysAsked(uses, sets) ? key : `${key}?`,
        type: resultType(definition.type, value),
        doc: fieldDoc(object, name, docs),
      };
    });
  }

  /**
   * Replaces properties by the types of fragments that have exactly these properties, with the same types. What the
   * selection adds to a field of a fragment, or requests under another condition, stays written out.
   */
  function shareFragments(
    object: GraphQLObjectType,
    fields: Fields,
    members: readonly TypeMember[],
  ): TypeTree {
    const rest = new Map(members.map((member) => [member.key, member]));
    const texts = new Map<string, string>();
    const textOf = (member: TypeMember) => cached(texts, member.key, () => renderMember(member, ""));
    const all = new Map(rest);
    const refused = new Set<string>();
    const names: string[] = [];
    for (const [at, uses] of [...fields.values()].entries()) {
      const key = members[at]?.key ?? "";
      for (const name of uses.flatMap(({ within = [] }) => within)) {
        if (!rest.has(key)) break;
        if (refused.has(name)) continue;
        const shared = [...(textsOfFragment(name, object) ?? [])];
        const isSame = shared.every(([key, text]) => {
          const member = all.get(key);
          return member !== undefined && textOf(member) === text;
        });
        if (shared.length === 0 || !isSame) {
          refused.add(name);
          continue;
        }
        names.push(fragmentTypeName(name));
        for (const [key] of shared) rest.delete(key);
      }
    }
    const type: TypeTree = { kind: "object", members: [...rest.values()] };
    if (names.length === 0) return type;
    const [only = ""] = names;
    if (names.length === 1 && rest.size === 0) return textType(only);
    return { kind: "intersection", names, rest: type };
  }

  /** Renders the properties of a fragment by key; null if its type is a union, because an object is only one part of it. */
  function textsOfFragment(name: string, object: GraphQLObjectType): ReadonlyMap<string, string> | null {
    return cached(fragmentTexts, `${name} ${object.name}`, () => {
      const node = fragments.get(name)?.node;
      const target = node && schema.getType(node.typeCondition.name.value);
      if (!target) return null;
      const sets = always(node.selectionSet);
      if (selectionType(target, sets).kind === "union") return null;
      const members = fieldMembers(object, collectObject(object, sets, source), { sets });
      return new Map(members.map((member) => [member.key, renderMember(member, "")]));
    });
  }
}

type NameObjects = (key: string, objects: TypeTree) => TypeTree;
type MemberOptions = { readonly sets: Selections; readonly nameObjects?: NameObjects };

/** An object without selected fields. With `never`, a union would promise fields that only its other parts have. */
const EMPTY = textType("Record<PropertyKey, undefined>");

/** Puts lists and null around a value as the schema has them. */
function resultType(type: GraphQLOutputType, value: TypeTree): TypeTree {
  if (isNonNullType(type)) return presentType(type.ofType, value);
  return unionType([presentType(type, value), NULL]);
}

function presentType(type: GraphQLOutputType, value: TypeTree): TypeTree {
  return isListType(type) ? { kind: "array", item: resultType(type.ofType, value) } : value;
}

/** Returns the doc of a field: that of the object type, else that of an interface that has the field. */
function fieldDoc(object: GraphQLObjectType, field: string, docs: SchemaDocs): Doc | null {
  for (const owner of [object, ...object.getInterfaces()]) {
    const doc = owner === object || owner.getFields()[field] ? docs.docOf(owner.name, field) : null;
    if (doc !== null) return doc;
  }
  return null;
}
