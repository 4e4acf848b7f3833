import type { ApiSchema } from "../../../model/api-schema.ts";
import { parseSdl } from "../../../schema/parse-sdl.ts";

/**
 * The types of introspection as the server declares them (A.10), which decides what can be asked: there
 * is no `isOneOf`, and `inputFields` takes no argument. The root fields stand on a type of their own because
 * `Query` does not list them.
 */
export const INTROSPECTION_TYPES: ApiSchema = parseSdl(
  `type __Root { __schema: __Schema!  __type(name: String!): __Type  __typename: String! }
  type __Schema {
    description: String
    types: [__Type!]!
    queryType: __Type!
    mutationType: __Type
    subscriptionType: __Type
    directives: [__Directive!]!
  }
  type __Type {
    kind: __TypeKind!
    name: String
    description: String
    specifiedByURL: String
    fields(includeDeprecated: Boolean = false): [__Field!]
    interfaces: [__Type!]
    possibleTypes: [__Type!]
    enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
    inputFields: [__InputValue!]
    ofType: __Type
  }
  type __Field {
    name: String!
    description: String
    args(includeDeprecated: Boolean = false): [__InputValue!]!
    type: __Type!
    isDeprecated: Boolean!
    deprecationReason: String
  }
  type __InputValue {
    name: String!
    description: String
    type: __Type!
    defaultValue: String
    isDeprecated: Boolean!
    deprecationReason: String
  }
  type __EnumValue { name: String!  description: String  isDeprecated: Boolean!  deprecationReason: String }
  enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
  type __Directive {
    name: String!
    description: String
    isRepeatable: Boolean!
    locations: [__DirectiveLocation!]!
    args(includeDeprecated: Boolean = false): [__InputValue!]!
  }
  enum __DirectiveLocation {
    QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION
    SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT
    INPUT_FIELD_DEFINITION
  }`,
  "the introspection types",
);
