import {
  type ArgumentNode,
  type FieldNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type Location,
  type NamedTypeNode,
  type NameNode,
  type ObjectFieldNode,
  type ObjectValueNode,
  type StringValueNode,
  type ValueNode,
  type VariableNode,
} from "graphql";

/** The location of the text from which a node is made. */
export type NodeLocation = Location | undefined;

/** A node with an optional location. */
export type Placed = { readonly loc?: NodeLocation };

/** Makes a name. */
export function nameNode(value: string, loc: NodeLocation): NameNode {
  return { kind: Kind.NAME, value, ...at(loc) };
}

/** Makes a use of a variable. */
export function variableNode(name: string, loc: NodeLocation): VariableNode {
  return { kind: Kind.VARIABLE, name: nameNode(name, loc), ...at(loc) };
}

/** Makes a string. */
export function stringNode(value: string, loc: NodeLocation): StringValueNode {
  return { kind: Kind.STRING, value, ...at(loc) };
}

/** Makes a whole number. */
export function intNode(value: number | string, loc: NodeLocation): ValueNode {
  return { kind: Kind.INT, value: String(value), ...at(loc) };
}

/** Makes true or false. */
export function booleanNode(value: boolean, loc: NodeLocation): ValueNode {
  return { kind: Kind.BOOLEAN, value, ...at(loc) };
}

/** Makes a member of an enum. */
export function enumNode(value: string, loc: NodeLocation): ValueNode {
  return { kind: Kind.ENUM, value, ...at(loc) };
}

/** Makes a list. */
export function listNode(values: readonly ValueNode[], loc: NodeLocation): ValueNode {
  return { kind: Kind.LIST, values, ...at(loc) };
}

/** Makes an input object. */
export function objectNode(
  fields: Iterable<readonly [name: string, value: ValueNode]>,
  loc: NodeLocation,
): ObjectValueNode {
  const nodes = [...fields].map(
    ([name, value]): ObjectFieldNode => ({
      kind: Kind.OBJECT_FIELD,
      name: nameNode(name, value.loc ?? loc),
      value,
      ...at(value.loc ?? loc),
    }),
  );
  return { kind: Kind.OBJECT, fields: nodes, ...at(loc) };
}

/** Makes an argument. */
export function argumentNode(name: string, value: ValueNode): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: nameNode(name, value.loc), value, ...at(value.loc) };
}

/** Makes the name of a type. */
export function namedTypeNode(name: string, loc: NodeLocation): NamedTypeNode {
  return { kind: Kind.NAMED_TYPE, name: nameNode(name, loc), ...at(loc) };
}

/** Moves the directives of a selection to an inline fragment around it. */
export function wrapSelection(
  node: FieldNode | FragmentSpreadNode,
  typeCondition: NamedTypeNode,
): InlineFragmentNode {
  const { directives = [], loc } = node;
  return {
    kind: Kind.INLINE_FRAGMENT,
    typeCondition,
    directives,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [{ ...node, directives: [] }], ...at(loc) },
    ...at(loc),
  };
}

/** Returns the key of a field in an answer. */
export function responseKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function at(loc: NodeLocation): { loc?: Location } {
  return loc === undefined ? {} : { loc };
}
