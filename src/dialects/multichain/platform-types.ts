import type { ApiDirective, ApiField, ApiType } from "../api-schema.ts";
import { enumType, field, input, objectType } from "../make-type.ts";
import type { ScalarFacts } from "../style.ts";

/** The introspection types as the platform lists them, which is not exact: lists as items, optional texts as required. */
export const META_TYPES: readonly ApiType[] = [
  metaType(
    "__Directive",
    "args: __InputValue, description: String!, isRepeatable: String!, locations: String!, name: String!",
  ),
  metaType(
    "__EnumValue",
    "deprecationReason: String!, description: String!, isDeprecated: String!, name: String!",
  ),
  metaType(
    "__Field",
    "args: __InputValue, deprecationReason: String!, description: String!, isDeprecated: String!, name: String!, type: __Type",
  ),
  metaType("__InputValue", "defaultValue: String!, description: String!, name: String!, type: __Type"),
  metaType(
    "__Schema",
    "description: String!, directives: __Directive, mutationType: __Type, queryType: __Type, subscriptionType: __Type, types: __Type",
  ),
  metaType(
    "__Type",
    "description: String!, enumValues: __EnumValue, fields: __Field, inputFields: __InputValue, interfaces: __Type, kind: __TypeKind!, name: String!, ofType: __Type, possibleTypes: __Type",
  ),
  enumType("__TypeKind", null, "ENUM INPUT_OBJECT INTERFACE LIST NON_NULL OBJECT SCALAR UNION".split(" ")),
];

function metaType(name: string, fields: string): ApiType {
  return objectType(
    name,
    null,
    fields.split(", ").map((text): ApiField => {
      const [member = "", type = ""] = text.split(": ");
      const isFiltered = member === "enumValues" || member === "fields";
      const args = isFiltered ? [input("includeDeprecated", "Boolean", null, "false")] : [];
      return field(member, type, null, args);
    }),
  );
}

const SELECTIONS = {
  locations: ["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"],
  args: [input("if", "Boolean!")],
};

/** The directives of the platform. Unlike all other lists, they are not in byte order. */
export const PLATFORM_DIRECTIVES: readonly ApiDirective[] = [
  { name: "include", description: "whether this query should be included", ...SELECTIONS },
  { name: "skip", description: "whether this query should be skipped", ...SELECTIONS },
  {
    name: "cached",
    description: "whether this query should be cached (Hasura Cloud only)",
    locations: ["QUERY"],
    args: [
      input("ttl", "Int!", "measured in seconds", "60"),
      input("refresh", "Boolean!", "refresh the cache entry", "false"),
    ],
  },
];

/** The names of these directives. */
export const PLATFORM_DIRECTIVE_NAMES: ReadonlySet<string> = new Set(
  PLATFORM_DIRECTIVES.map(({ name }) => name),
);

/** The scalars. Big numbers, `float8` and `bytea` (`\x00ff`) are strings in JSON, `Float` (float4) is a number. All other scalars are enums. */
export const MULTICHAIN_SCALARS: ReadonlyMap<string, ScalarFacts> = new Map<string, ScalarFacts>([
  ["Boolean", { family: "boolean", typescript: "boolean" }],
  ["Float", { family: "float", typescript: "number" }],
  ["Int", { family: "integer", typescript: "number" }],
  ["String", { family: "text", typescript: "string" }],
  ["bigint", { family: "number", typescript: "string" }],
  ["bytea", { family: "text", typescript: "string" }],
  ["float8", { family: "float", typescript: "string" }],
  ["jsonb", { family: "json", typescript: "unknown" }],
  ["numeric", { family: "number", typescript: "string" }],
  ["timestamp", { family: "timestamp", typescript: "string" }],
  ["timestamptz", { family: "timestamp", typescript: "string" }],
]);

/** The scalar of the platform's tables whose members are the names of contracts. */
export const CONTRACT_TYPE = "contract_type";
