import type { ApiField, ApiType } from "../../../../src/dialects/api-schema.ts";
import { parseSdl } from "../../../../src/dialects/parse-sdl.ts";

/**
 * What introspection is made of as the server declares it (A.10), which decides what can be asked: there is no
 * `isOneOf`, and `inputFields` takes no argument.
 */
const DECLARED = parseSdl(
  `type Query { __schema: __Schema!  __type(name: String!): __Type  __typename: String! }
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
  { reserved: true },
);

/** The types of introspection. */
export const INTROSPECTION_TYPES: readonly ApiType[] = DECLARED.types.filter(
  ({ name }) => name !== DECLARED.queryType,
);

/** Its root fields, which the query type of a schema does not list. */
export const INTROSPECTION_FIELDS: readonly ApiField[] = DECLARED.types.flatMap((type) =>
  type.name === DECLARED.queryType && type.kind === "OBJECT" ? type.fields : [],
);
