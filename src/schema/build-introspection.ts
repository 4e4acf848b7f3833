import { cached } from "../base/cached.ts";
import { indexByName } from "../base/find-named.ts";
import { itemType } from "../base/type-expression.ts";
import type { ApiEnumValue, ApiField, ApiInputValue, ApiSchema, ApiType } from "./api-schema.ts";

/** Builds the `data` of an introspection answer, in the schema's own order, as both platforms shape it. */
export function buildIntrospection(schema: ApiSchema): { readonly __schema: Record<string, unknown> } {
  const types = indexByName(schema.types);
  const implementers = new Map<string, string[]>();
  for (const type of schema.types) {
    if (type.kind !== "OBJECT") continue;
    for (const parent of type.interfaces) cached(implementers, parent, (): string[] => []).push(type.name);
  }

  function typeRef(type: string): unknown {
    if (type.endsWith("!")) return { kind: "NON_NULL", name: null, ofType: typeRef(type.slice(0, -1)) };
    if (type.startsWith("[")) return { kind: "LIST", name: null, ofType: typeRef(itemType(type)) };
    return { kind: types.get(type)?.kind ?? "SCALAR", name: type, ofType: null };
  }

  function inputValue(value: ApiInputValue): unknown {
    const { name, description, type, defaultValue } = value;
    return { name, description, type: typeRef(type), defaultValue };
  }

  function field({ name, description, args, type, deprecationReason }: ApiField): unknown {
    const isDeprecated = deprecationReason !== null;
    return {
      name,
      description,
      args: args.map(inputValue),
      type: typeRef(type),
      isDeprecated,
      deprecationReason,
    };
  }

  function enumValue({ name, description, deprecationReason }: ApiEnumValue): unknown {
    return { name, description, isDeprecated: deprecationReason !== null, deprecationReason };
  }

  function fullType(type: ApiType): unknown {
    const { kind, name, description } = type;
    const possibleTypes = kind === "UNION" || kind === "INTERFACE" ? type.possibleTypes : undefined;
    const implementing = kind === "INTERFACE" ? implementers.get(name) : undefined;
    return {
      kind,
      name,
      description,
      fields: kind === "OBJECT" || kind === "INTERFACE" ? type.fields.map(field) : null,
      inputFields: kind === "INPUT_OBJECT" ? type.fields.map(inputValue) : null,
      interfaces: kind === "OBJECT" ? type.interfaces.map(typeRef) : null,
      enumValues: kind === "ENUM" ? type.values.map(enumValue) : null,
      possibleTypes: (possibleTypes ?? implementing)?.map(typeRef) ?? null,
    };
  }

  const root = (name: string | null) => name && { name };
  return {
    __schema: {
      queryType: root(schema.queryType),
      mutationType: root(schema.mutationType),
      subscriptionType: root(schema.subscriptionType),
      types: schema.types.map(fullType),
      directives: schema.directives.map(({ name, description, locations, args }) => ({
        name,
        description,
        locations,
        args: args.map(inputValue),
      })),
    },
  };
}
