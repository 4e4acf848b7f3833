import {
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  isTypeDefinitionNode,
  Kind,
  type NameNode,
  type ObjectTypeDefinitionNode,
  type TypeDefinitionNode,
} from "graphql";
import type { SchemaProblem } from "../../../base/errors.ts";
import { baseTypeName } from "../../api-schema.ts";
import { findDirective, typeExpression } from "../../parse-sdl.ts";

/** An object type in the syntax tree. */
export type ObjectNode = ObjectTypeDefinitionNode;

/** The types of an entity schema in the syntax tree, with their directives. */
export type AuthoredTypes = {
  /** All object types, including `_Schema_`. */
  readonly objects: readonly ObjectNode[];
  readonly interfaces: readonly InterfaceTypeDefinitionNode[];
  readonly enums: readonly EnumTypeDefinitionNode[];
  /** Objects with `@entity`. */
  readonly entities: readonly ObjectNode[];
  /** Objects with `@aggregation`. */
  readonly aggregations: readonly ObjectNode[];
  /** The object `_Schema_`, which declares the searches. */
  readonly searches: ObjectNode | undefined;
  /** Types of every kind by name. */
  readonly byName: ReadonlyMap<string, TypeDefinitionNode>;
};

/** Groups the definitions of an entity schema for the rules. */
export function collectAuthoredTypes(document: DocumentNode): AuthoredTypes {
  const { definitions } = document;
  const objects = definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION);
  const byName = new Map<string, TypeDefinitionNode>();
  for (const node of definitions) if (isTypeDefinitionNode(node)) byName.set(node.name.value, node);
  return {
    objects,
    interfaces: definitions.filter((node) => node.kind === Kind.INTERFACE_TYPE_DEFINITION),
    enums: definitions.filter((node) => node.kind === Kind.ENUM_TYPE_DEFINITION),
    entities: objects.filter((node) => findDirective(node.directives, "entity")),
    aggregations: objects.filter((node) => findDirective(node.directives, "aggregation")),
    searches: objects.find((node) => node.name.value === "_Schema_"),
    byName,
  };
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

/** Creates a problem on the line of a node's name, below its description. The reason is in graph-node's own words. */
export function problemAt({ name }: { readonly name: NameNode }, reason: string): SchemaProblem {
  return { reason, line: name.loc?.startToken.line ?? null, column: null };
}
