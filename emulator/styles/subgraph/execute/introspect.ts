import type { ApiSchema } from "../../../../src/dialects/api-schema.ts";
import { buildIntrospection } from "../../../../src/dialects/introspection.ts";
import type { Arguments } from "./coerce.ts";
import type { Quirks } from "./quirks.ts";
import { compareText } from "./scalars.ts";

/** Answers `__schema` and `__type` of one schema. */
export type Introspector = (field: string, args: Arguments) => unknown;

/** Introspection is built when it is first asked for, and cached: a schema does not change under an executor. */
export function createIntrospector(schema: ApiSchema, quirks: Quirks): Introspector {
  let built: { readonly schema: unknown; readonly types: ReadonlyMap<string, unknown> } | undefined;

  function build() {
    const { __schema } = buildIntrospection({ ...schema, types: listedTypes(schema) });
    const fill = createFill(quirks);
    const shown = {
      description: null,
      ...__schema,
      types: listOf(__schema["types"]).map(fill.type),
      directives: listOf(__schema["directives"]).map(fill.args),
    };
    const types = new Map(shown.types.map((type) => [String(type["name"]), type]));
    return { schema: { ...shown, ...rootTypes(__schema, types) }, types };
  }

  return (field, args) => {
    built ??= build();
    if (field === "__schema") return built.schema;
    const name = args.get("name");
    return name?.kind === "String" ? (built.types.get(name.value) ?? null) : null;
  };
}

/** Ascending by name in byte order; of two with one name the first (A.10). */
function listedTypes(schema: ApiSchema): ApiSchema["types"] {
  const first = new Map<string, ApiSchema["types"][number]>();
  for (const type of schema.types) {
    if (!first.has(type.name) && !type.name.startsWith("__")) first.set(type.name, type);
  }
  return [...first.values()].sort((a, b) => compareText(a.name, b.name));
}

type Data = Readonly<Record<string, unknown>>;

function listOf(value: unknown): readonly Data[] {
  return Array.isArray(value) ? value : [];
}

function rootTypes(shown: Data, types: ReadonlyMap<string, unknown>): Data {
  const root = (key: string) => {
    const value = shown[key];
    const name = typeof value === "object" && value !== null && "name" in value ? value.name : null;
    return types.get(String(name)) ?? value ?? null;
  };
  return {
    queryType: root("queryType"),
    mutationType: root("mutationType"),
    subscriptionType: root("subscriptionType"),
  };
}

/** Adds what the classic query does not ask for, and what input values have since v0.43. */
function createFill({ fillsInputDeprecation }: Quirks) {
  const input = (value: Data): Data => (fillsInputDeprecation ? { ...value, isDeprecated: false } : value);
  const args = (holder: Data): Data => ({ ...holder, args: listOf(holder["args"]).map(input) });
  const type = (each: Data): Data => ({
    ...each,
    fields: each["fields"] === null ? null : listOf(each["fields"]).map(args),
    inputFields: each["inputFields"] === null ? null : listOf(each["inputFields"]).map(input),
  });
  return { args, type };
}
