import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type TypeDefinitionNode,
} from "graphql";
import { baseTypeName } from "../../api-schema.ts";
import { typeExpression } from "../../parse-sdl.ts";

/** An object type in the syntax tree. */
export type ObjectNode = ObjectTypeDefinitionNode;

/** The types of an entity schema in the syntax tree, with their directives. */
export type AuthoredTypes = {
  /** All object types, including `_Schema_`. */
  readonly objects: readonly ObjectTypeDefinitionNode[];
  readonly interfaces: readonly InterfaceTypeDefinitionNode[];
  readonly enums: readonly EnumTypeDefinitionNode[];
  /** Objects with `@entity`. */
  readonly entities: readonly ObjectTypeDefinitionNode[];
  /** Objects with `@aggregation`. */
  readonly aggregations: readonly ObjectTypeDefinitionNode[];
  /** The object `_Schema_`, which declares the searches. */
  readonly searches: ObjectTypeDefinitionNode | undefined;
  /** Types of every kind by name. */
  readonly byName: ReadonlyMap<string, TypeDefinitionNode>;
};

/** Groups the definitions of an entity schema for the rules. */
export function collectAuthoredTypes(document: DocumentNode): AuthoredTypes {
  const { definitions } = document;
  const objects = definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION);
  const byName = new Map<string, TypeDefinitionNode>();
  for (const node of definitions) {
    if (isTypeDefinition(node)) byName.set(node.name.value, node);
  }
  return {
    objects,
    interfaces: definitions.filter((node) => node.kind === Kind.INTERFACE_TYPE_DEFINITION),
    enums: definitions.filter((node) => node.kind === Kind.ENUM_TYPE_DEFINITION),
    entities: objects.filter((node) => directiveOf(node, "entity")),
    aggregations: objects.filter((node) => directiveOf(node, "aggregation")),
    searches: objects.find((node) => node.name.value === "_Schema_"),
    byName,
  };
}

/** Returns the first directive with a name on a node. */
export function directiveOf(
  node: { readonly directives?: readonly ConstDirectiveNode[] | undefined },
  name: string,
): ConstDirectiveNode | undefined {
  return node.directives?.find((directive) => directive.name.value === name);
}

/** Returns the value of an argument of a directive; undefined if it is not given. */
export function argumentOf(
  directive: ConstDirectiveNode | undefined,
  name: string,
): ConstValueNode | undefined {
  return directive?.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** Returns the field of a type with a name. */
export function fieldOf(
  node: { readonly fields?: readonly FieldDefinitionNode[] | undefined },
  name: string,
): FieldDefinitionNode | undefined {
  return node.fields?.find((field) => field.name.value === name);
}

/** Returns the named type of a field. */
export function baseTypeOf(field: FieldDefinitionNode): string {
  return baseTypeName(typeExpression(field.type));
}

/** Returns the line on which a node starts, without its description. */
export function lineOf(node: {
  readonly name?: { readonly loc?: { readonly startToken: { readonly line: number } } | undefined };
}): number | null {
  return node.name?.loc?.startToken.line ?? null;
}

function isTypeDefinition(node: DocumentNode["definitions"][number]): node is TypeDefinitionNode {
  switch (node.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
      return true;
    default:
      return false;
  }
}

/** A reason why graph-node refuses an entity schema, in its own words. */
export type EntityProblem = {
  readonly reason: string;
  /** The line, from 1; null if the problem has no single line. */
  readonly line: number | null;
};

/** Creates a problem at a node. */
export function problemAt(node: Parameters<typeof lineOf>[0], reason: string): EntityProblem {
  return { reason, line: lineOf(node) };
}
