import type { ApiSchema } from "../../../../src/dialects/api-schema.ts";
import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import { buildIntrospection } from "../../../../src/dialects/introspection.ts";
import type { Scope } from "./scope.ts";
import { planObject, type Resolver, type Selection } from "./select.ts";

/** The answers to `__schema` and `__type`, made once. */
export type Introspection = {
  readonly schema: Record<string, unknown>;
  readonly types: ReadonlyMap<string, Record<string, unknown>>;
};

export function createIntrospection(schema: ApiSchema): Introspection {
  const root = buildIntrospection(schema).__schema;
  const listed = root["types"] as readonly Record<string, unknown>[];
  return { schema: root, types: new Map(listed.map((type) => [String(type["name"]), type])) };
}

/**
 * Plans an object of the introspection. What may be selected is what the platform lists of its `__*` types
 * (B.11), so a request for anything newer fails like any unknown field; the lists that it shows as single
 * items are lists in the answer.
 */
export function planIntrospection(
  scope: Scope,
  introspection: Introspection,
  typeName: string,
  selection: Selection,
): Resolver<Record<string, unknown>> {
  const object = planObject<Record<string, unknown>>(scope, typeName, selection, (selected) => {
    const { name, type } = selected.field;
    const read = selected.selection
      ? planIntrospection(scope, introspection, baseTypeName(type), selected.selection)
      : null;
    return (source) => {
      const value = source[name] ?? (name === "isRepeatable" ? false : null);
      if (value === null || read === null) return value;
      return Array.isArray(value) ? value.map(read) : read(value as Record<string, unknown>);
    };
  });
  if (typeName !== "__Type") return object;
  // A reference names its type, of which anything may be asked.
  return (source) => object(introspection.types.get(String(source["name"] ?? "")) ?? source);
}
