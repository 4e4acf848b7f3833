import { baseTypeName, isList, isRequired } from "../base/type-expression.ts";
import type { ApiField, ApiSchema } from "./api-schema.ts";
import { fieldsOf } from "./fields-of.ts";

/** The root fields that list the rows of a type by pages, and can be asked with the size of a page alone. */
export function listFields(schema: ApiSchema, typeName: string, pageSize: string): ApiField[] {
  return fieldsOf(schema, schema.queryType).filter(
    ({ type, args }) =>
      isList(type) &&
      baseTypeName(type) === typeName &&
      args.some(({ name }) => name === pageSize) &&
      args.every(({ type, defaultValue }) => !isRequired(type) || defaultValue !== null),
  );
}

/** The names of the fields of a type that hold one scalar each, and can be asked by their names alone. */
export function scalarFields(schema: ApiSchema, typeName: string): ReadonlySet<string> {
  // The standard scalars are not among the types.
  const others = new Set(schema.types.flatMap(({ name, kind }) => (kind === "SCALAR" ? [] : [name])));
  return new Set(
    fieldsOf(schema, typeName).flatMap(({ name, type, args }) =>
      isList(type) || others.has(baseTypeName(type)) || args.length > 0 ? [] : [name],
    ),
  );
}
