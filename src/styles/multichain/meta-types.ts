import type { ApiField, ApiType } from "../../schema/api-schema.ts";
import { enumType, field, input, objectType } from "./api-types.ts";

/**
 * The platform's own listing of the introspection types: loose, not those of the GraphQL specification (a list
 * is shown as its item, an optional text as required), and without `__DirectiveLocation`.
 */
export const META_TYPES: readonly ApiType[] = [
  metaType("__Directive", {
    args: "__InputValue",
    description: "String!",
    isRepeatable: "String!",
    locations: "String!",
    name: "String!",
  }),
  metaType("__EnumValue", {
    deprecationReason: "String!",
    description: "String!",
    isDeprecated: "String!",
    name: "String!",
  }),
  metaType("__Field", {
    args: "__InputValue",
    deprecationReason: "String!",
    description: "String!",
    isDeprecated: "String!",
    name: "String!",
    type: "__Type",
  }),
  metaType("__InputValue", {
    defaultValue: "String!",
    description: "String!",
    name: "String!",
    type: "__Type",
  }),
  metaType("__Schema", {
    description: "String!",
    directives: "__Directive",
    mutationType: "__Type",
    queryType: "__Type",
    subscriptionType: "__Type",
    types: "__Type",
  }),
  metaType(
    "__Type",
    {
      description: "String!",
      inputFields: "__InputValue",
      interfaces: "__Type",
      kind: "__TypeKind!",
      name: "String!",
      ofType: "__Type",
      possibleTypes: "__Type",
    },
    [deprecatable("enumValues", "__EnumValue"), deprecatable("fields", "__Field")],
  ),
  enumType(
    "__TypeKind",
    null,
    ["ENUM", "INPUT_OBJECT", "INTERFACE", "LIST", "NON_NULL", "OBJECT", "SCALAR", "UNION"].map((name) => ({
      name,
      description: null,
    })),
  ),
];

function metaType(
  name: string,
  types: Readonly<Record<string, string>>,
  more: readonly ApiField[] = [],
): ApiType {
  return objectType(name, null, [
    ...Object.entries(types).map(([member, type]) => field(member, type)),
    ...more,
  ]);
}

function deprecatable(name: string, type: string): ApiField {
  return field(name, type, null, [input("includeDeprecated", "Boolean", null, "false")]);
}
