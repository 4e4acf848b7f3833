/** Scalars every GraphQL implementation has. Whether a server lists them says nothing about its API. */
export const STANDARD_SCALARS: ReadonlySet<string> = new Set(["Boolean", "Float", "ID", "Int", "String"]);

/** Directives every GraphQL implementation has. */
export const STANDARD_DIRECTIVES: ReadonlySet<string> = new Set(
  "deprecated include oneOf skip specifiedBy".split(" "),
);

/** The types that introspection itself is written with. They are never part of a snapshot. */
export const META_TYPES: ReadonlyMap<string, "OBJECT" | "ENUM"> = new Map([
  ["__Directive", "OBJECT"],
  ["__DirectiveLocation", "ENUM"],
  ["__EnumValue", "OBJECT"],
  ["__Field", "OBJECT"],
  ["__InputValue", "OBJECT"],
  ["__Schema", "OBJECT"],
  ["__Type", "OBJECT"],
  ["__TypeKind", "ENUM"],
]);

/** Whether GraphQL reserves the name of a type: one that takes it would be dropped with the meta-types. */
export function isReserved(name: string): boolean {
  return name.startsWith("__") && !META_TYPES.has(name);
}

/** The places of a document, as against those of a schema, that a directive can stand at. */
export const EXECUTABLE_LOCATIONS: ReadonlySet<string> = new Set(
  "QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION".split(
    " ",
  ),
);

/** All that the GraphQL specification has. */
export const DIRECTIVE_LOCATIONS: ReadonlySet<string> = new Set([
  ...EXECUTABLE_LOCATIONS,
  ..."SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE".split(" "),
  ..."INPUT_OBJECT INPUT_FIELD_DEFINITION".split(" "),
]);
