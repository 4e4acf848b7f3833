import { findNamed } from "../../src/base/collections.ts";
import { baseTypeName } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";

/** The types of a style that decide how values are stored. */
export type StyleTypes = {
  /** The members of an enum; undefined for any other type. */
  readonly membersOf: (type: string) => readonly string[] | undefined;
  /** The scalar of a reference's ids; undefined if the type is not a reference. */
  readonly idTypeOf: (type: string) => string | undefined;
};

/** Reads the types of a model that decide how values are stored. */
export function readStyleTypes({ definitions }: EntityModel): StyleTypes {
  const enums = new Map<string, readonly string[]>();
  const ids = new Map<string, string>();
  for (const definition of definitions) {
    const { name } = definition;
    if (definition.kind === "enum") enums.set(name, definition.values?.map((value) => value.name) ?? []);
    if (definition.kind !== "entity" && definition.kind !== "aggregation") continue;
    const id = baseTypeName(findNamed(definition.fields, "id")?.type ?? "ID");
    ids.set(name, id);
    // Rows of an interface have the id type of its first implementer.
    for (const parent of definition.kind === "entity" ? definition.interfaces : [])
      if (!ids.has(parent)) ids.set(parent, id);
  }
  for (const { kind, name } of definitions) if (kind === "interface" && !ids.has(name)) ids.set(name, "ID");
  return { membersOf: (type) => enums.get(type), idTypeOf: (type) => ids.get(type) };
}
