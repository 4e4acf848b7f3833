/** The places of a document, as against those of a schema, that a directive can stand at. */
export const EXECUTABLE_LOCATIONS: ReadonlySet<string> = new Set([
  "QUERY",
  "MUTATION",
  "SUBSCRIPTION",
  "FIELD",
  "FRAGMENT_DEFINITION",
  "FRAGMENT_SPREAD",
  "INLINE_FRAGMENT",
  "VARIABLE_DEFINITION",
]);

/** All that the GraphQL specification has. */
export const DIRECTIVE_LOCATIONS: ReadonlySet<string> = new Set([
  ...EXECUTABLE_LOCATIONS,
  "SCHEMA",
  "SCALAR",
  "OBJECT",
  "FIELD_DEFINITION",
  "ARGUMENT_DEFINITION",
  "INTERFACE",
  "UNION",
  "ENUM",
  "ENUM_VALUE",
  "INPUT_OBJECT",
  "INPUT_FIELD_DEFINITION",
]);
