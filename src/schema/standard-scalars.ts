/** Scalars every GraphQL implementation has. Whether a server lists them says nothing about its API. */
export const STANDARD_SCALARS: ReadonlySet<string> = new Set(["Boolean", "Float", "ID", "Int", "String"]);

/** Directives every GraphQL implementation has. */
export const STANDARD_DIRECTIVES: ReadonlySet<string> = new Set([
  "deprecated",
  "include",
  "oneOf",
  "skip",
  "specifiedBy",
]);
