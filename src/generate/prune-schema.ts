import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { typeExpression } from "../schema/parse-sdl.ts";
import { STANDARD_SCALARS } from "../schema/standard-scalars.ts";
import { baseTypeName } from "../utils/type-expression.ts";
import type { OperationSet } from "./operation-set.ts";

/**
 * Leaves of a schema what operations use: their types and fields, and the whole of their input types. The
 * plugins walk every type of a schema several times, though they write down only those that are used; of three
 * hundred types that is a dozen.
 */
export function pruneSchema(document: DocumentNode, schema: GraphQLSchema, set: OperationSet): DocumentNode {
  const used = collectUsed(schema, set);
  const definitions = document.definitions.flatMap((node): DefinitionNode[] => {
    switch (node.kind) {
      case Kind.SCHEMA_DEFINITION:
        return [
          { ...node, operationTypes: node.operationTypes.filter(({ type }) => used.has(type.name.value)) },
        ];
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.INTERFACE_TYPE_DEFINITION: {
        const fields = used.get(node.name.value);
        if (!fields) return [];
        const kept = (node.fields ?? []).filter((field) => fields.has(field.name.value));
        const interfaces = (node.interfaces ?? []).filter(({ name }) => used.has(name.value));
        return [{ ...node, interfaces, fields: kept.map((field) => withArguments(field, used)) }];
      }
      case Kind.UNION_TYPE_DEFINITION:
      case Kind.ENUM_TYPE_DEFINITION:
      case Kind.SCALAR_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return used.has(node.name.value) ? [node] : [];
      default:
        return [];
    }
  });
  return { kind: Kind.DOCUMENT, definitions };
}

/**
 * Arguments were judged before, and what is generated does not show them. Those of standard scalars are kept:
 * the plugins give a scalar its type only when the schema mentions it.
 */
function withArguments(field: FieldDefinitionNode, used: Used): FieldDefinitionNode {
  const kept = (field.arguments ?? []).filter(({ type }) => {
    const name = baseTypeName(typeExpression(type));
    return used.has(name) || STANDARD_SCALARS.has(name);
  });
  return { ...field, arguments: kept };
}

/** The used types by name, each with its used fields. */
type Used = Map<string, Set<string>>;

function collectUsed(schema: GraphQLSchema, set: OperationSet): Used {
  const used: Used = new Map();
  const add = (type: GraphQLNamedType | null | undefined): Set<string> => {
    if (!type) return new Set();
    const known = used.get(type.name);
    if (known) return known;
    const fields = new Set<string>();
    used.set(type.name, fields);
    if (isAbstractType(type)) for (const member of schema.getPossibleTypes(type)) add(member);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) add(getNamedType(field.type));
    }
    return fields;
  };
  add(schema.getQueryType());
  const typeInfo = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(typeInfo, {
    OperationDefinition: (node) => void add(schema.getRootType(node.operation)),
    VariableDefinition: (node) => void add(inputType(schema, node.type)),
    InlineFragment: () => void add(getNamedType(typeInfo.getType() ?? undefined)),
    FragmentDefinition: () => void add(getNamedType(typeInfo.getType() ?? undefined)),
    Field: (node) => {
      const parent = typeInfo.getParentType();
      add(parent).add(node.name.value);
      if (parent && isAbstractType(parent)) {
        for (const member of schema.getPossibleTypes(parent)) add(member).add(node.name.value);
      }
      add(getNamedType(typeInfo.getType() ?? undefined));
    },
  });
  const nodes: ASTNode[] = [...set.operations, ...set.fragments.values()].map(({ node }) => node);
  for (const node of nodes) visit(node, visitor);
  return used;
}

function inputType(schema: GraphQLSchema, node: Parameters<typeof typeFromAST>[1]): GraphQLNamedType | null {
  const type = typeFromAST(schema, node) as GraphQLInputType | undefined;
  return type ? getNamedType(type) : null;
}
