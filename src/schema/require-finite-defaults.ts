import { baseTypeName } from "../base/type-expression.ts";
import type { ApiInputValue, ApiSchema } from "./api-schema.ts";
import { notIntrospection } from "./introspection-error.ts";
import { parseValue, type Value } from "./parse-value.ts";

/** Requires that every default ends: whoever works out `input A { a: A = {} }` never comes back. */
export function requireFiniteDefaults(schema: ApiSchema): void {
  const inputs = new Map(
    schema.types.flatMap((type) => (type.kind === "INPUT_OBJECT" ? [[type.name, type.fields] as const] : [])),
  );
  /** How many values the default of an input comes to; null while that is being counted. */
  const sizes = new Map<ApiInputValue, number | null>();

  for (const [name, fields] of inputs) for (const field of fields) sizeOf(field, `${name}.${field.name}`, 0);
  for (const type of schema.types) {
    if (!("interfaces" in type)) continue;
    for (const { name, args } of type.fields) {
      for (const arg of args) sizeOf(arg, `${type.name}.${name}(${arg.name}:)`, 0);
    }
  }
  for (const { name, args } of schema.directives) {
    for (const arg of args) sizeOf(arg, `@${name}(${arg.name}:)`, 0);
  }

  function sizeOf(input: ApiInputValue, place: string, depth: number): number {
    const { type, defaultValue } = input;
    const fields = inputs.get(baseTypeName(type));
    if (defaultValue === null || fields === undefined) return 1;
    const known = sizes.get(input);
    if (known === null) throw notIntrospection(`the default of ${place} holds itself`);
    if (known !== undefined) return known;
    sizes.set(input, null);
    // As deep as large: each default on the way is one value more, and would exhaust the stack before it is counted.
    const size =
      depth > MOST_VALUES
        ? depth
        : sizeOfValue(parseValue(defaultValue), baseTypeName(type), fields, depth + 1);
    if (size > MOST_VALUES) {
      throw notIntrospection(`the default of ${place} comes to more than ${MOST_VALUES} values`);
    }
    sizes.set(input, size);
    return size;
  }

  function sizeOfValue(
    value: Value | null,
    type: string,
    fields: readonly ApiInputValue[] | undefined,
    depth: number,
  ): number {
    if (value?.kind === "list") {
      return value.items.reduce((size, item) => size + sizeOfValue(item, type, fields, depth), 1);
    }
    if (value?.kind !== "object" || fields === undefined) return 1;
    let size = 1;
    for (const field of fields) {
      const own = value.members.get(field.name);
      const inner = baseTypeName(field.type);
      size +=
        own === undefined
          ? sizeOf(field, `${type}.${field.name}`, depth)
          : sizeOfValue(own, inner, inputs.get(inner), depth);
      if (size > MOST_VALUES) return size;
    }
    return size;
  }
}

/** Defaults of real schemas come to a handful. */
const MOST_VALUES = 1000;
