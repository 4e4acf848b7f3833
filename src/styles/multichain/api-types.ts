import { sortByName } from "../../base/compare-code-units.ts";
import type { ApiEnum, ApiField, ApiInputObject, ApiInputValue, ApiObject } from "../../schema/api-schema.ts";
import type { EnumValue } from "../../schema/entity-model.ts";

// Makers of API types as the platform lists them: members in byte order, nothing implemented, nothing deprecated.

/** An object type; its fields come in any order. */
export function objectType(name: string, description: string | null, fields: readonly ApiField[]): ApiObject {
  return { kind: "OBJECT", name, description, interfaces: [], fields: sortByName(fields) };
}

/** An input type; its fields come in any order. */
export function inputType(
  name: string,
  description: string | null,
  fields: readonly ApiInputValue[],
): ApiInputObject {
  return { kind: "INPUT_OBJECT", name, description, fields: sortByName(fields) };
}

/** An enum type; its values come in any order. */
export function enumType(name: string, description: string | null, values: readonly EnumValue[]): ApiEnum {
  return {
    kind: "ENUM",
    name,
    description,
    values: sortByName(values).map((value) => ({ ...value, deprecationReason: null })),
  };
}

/** A field; its arguments are listed as given, which has to be in byte order. */
export function field(
  name: string,
  type: string,
  description: string | null = null,
  args: readonly ApiInputValue[] = [],
): ApiField {
  return { name, description, args, type, deprecationReason: null };
}

/** An argument or the field of an input type. */
export function input(
  name: string,
  type: string,
  description: string | null = null,
  defaultValue: string | null = null,
): ApiInputValue {
  return { name, description, type, defaultValue };
}
