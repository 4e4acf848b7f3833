import type { ApiField, ApiSchema } from "./api-schema.ts";

/** The fields of an object type by its name; none where it is no object type. */
export function fieldsOf({ types }: ApiSchema, name: string | null): readonly ApiField[] {
  const type = types.find((one) => one.name === name);
  return type?.kind === "OBJECT" ? type.fields : [];
}
