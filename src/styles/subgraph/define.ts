import type {
  ApiDirective,
  ApiEnum,
  ApiField,
  ApiInputObject,
  ApiInputValue,
} from "../../schema/api-schema.ts";

/** Writes down an argument or a field of an input object; `more` where it has more than a type. */
export function defineInput(
  name: string,
  type: string,
  more: { readonly defaultValue?: string; readonly description?: string } = {},
): ApiInputValue {
  return { name, description: more.description ?? null, type, defaultValue: more.defaultValue ?? null };
}

/** Writes down a field of an object type. */
export function defineField(
  name: string,
  type: string,
  description: string | null,
  args: readonly ApiInputValue[] = [],
): ApiField {
  return { name, description, args, type, deprecationReason: null };
}

/** Writes down an enum by the descriptions of its values. */
export function defineEnum(
  name: string,
  description: string | null,
  values: readonly (readonly [name: string, description: string | null])[],
): ApiEnum {
  return {
    kind: "ENUM",
    name,
    description,
    values: values.map(([value, text]) => ({ name: value, description: text, deprecationReason: null })),
  };
}

/** Writes down an input object; graph-node describes none. */
export function defineInputObject(name: string, fields: readonly ApiInputValue[]): ApiInputObject {
  return { kind: "INPUT_OBJECT", name, description: null, fields };
}

/** Writes down a directive. */
export function defineDirective(
  name: string,
  description: string | null,
  locations: readonly string[],
  args: readonly ApiInputValue[] = [],
): ApiDirective {
  return { name, description, locations, args };
}
