import { cached } from "../base/cached.ts";
import { indexByName } from "../base/find-named.ts";
import { itemType } from "../base/type-expression.ts";
import type { ApiField, ApiInputValue, ApiSchema, ApiType } from "./api-schema.ts";

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
    return {
      name,
      description,
      args: args.map(inputValue),
      type: typeRef(type),
      isDeprecated: deprecationReason !== null,
      deprecationReason,
    };
  }

  function fullType(type: ApiType): unknown {
    const full: Record<string, unknown> = {
      kind: type.kind,
      name: type.name,
      description: type.description,
      fields: null,
      inputFields: null,
      interfaces: null,
      enumValues: null,
      possibleTypes: null,
    };
    switch (type.kind) {
      case "OBJECT":
        full["fields"] = type.fields.map(field);
        full["interfaces"] = type.interfaces.map(typeRef);
        break;
      case "INTERFACE":
        full["fields"] = type.fields.map(field);
        full["possibleTypes"] = (type.possibleTypes ?? implementers.get(type.name))?.map(typeRef) ?? null;
        break;
      case "UNION":
        full["possibleTypes"] = type.possibleTypes.map(typeRef);
        break;
      case "ENUM":
        full["enumValues"] = type.values.map(({ name, description, deprecationReason }) => ({
          name,
          description,
          isDeprecated: deprecationReason !== null,
          deprecationReason,
        }));
        break;
      case "INPUT_OBJECT":
        full["inputFields"] = type.fields.map(inputValue);
        break;
      case "SCALAR":
        break;
    }
    return full;
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
