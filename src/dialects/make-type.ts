import type { ApiEnum, ApiField, ApiInputObject, ApiInputValue, ApiObject, ApiScalar } from "./api-schema.ts";
import type { EnumValue } from "./entity-model.ts";

// Parts of derived API schemas are never deprecated and do not implement interfaces.

/** Makes an argument or a member of an input object. */
export function input(
  name: string,
  type: string,
  description: string | null = null,
  defaultValue: string | null = null,
): ApiInputValue {
  return { name, description, type, defaultValue };
}

/** Makes a field of an object type. */
export function field(
  name: string,
  type: string,
  description: string | null = null,
  args: readonly ApiInputValue[] = [],
): ApiField {
  return { name, description, args, type, deprecationReason: null };
}

/** Makes a scalar. */
export function scalar(name: string, description: string | null = null): ApiScalar {
  return { kind: "SCALAR", name, description };
}

/** Makes an object type. */
export function objectType(name: string, description: string | null, fields: readonly ApiField[]): ApiObject {
  return { kind: "OBJECT", name, description, interfaces: [], fields };
}

/** Makes an input object. */
export function inputType(
  name: string,
  description: string | null,
  fields: readonly ApiInputValue[],
): ApiInputObject {
  return { kind: "INPUT_OBJECT", name, description, fields };
}

/** Makes an enum of values with or without descriptions. */
export function enumType(
  name: string,
  description: string | null,
  values: readonly (string | Pick<EnumValue, "name" | "description">)[],
): ApiEnum {
  return {
    kind: "ENUM",
    name,
    description,
    values: values.map((value) =>
      typeof value === "string"
        ? { name: value, description: null, deprecationReason: null }
        : { name: value.name, description: value.description, deprecationReason: null },
    ),
  };
}
