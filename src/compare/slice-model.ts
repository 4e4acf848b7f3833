import { cached } from "../base/cached.ts";
import { baseTypeName, nullableType } from "../base/type-expression.ts";
import type { Definition, EntityField, EntityModel, InputValue } from "../schema/entity-model.ts";
import type { Origin } from "../schema/origin.ts";

/** The same part of two models. */
export type ModelSlices = {
  readonly before: EntityModel;
  readonly after: EntityModel;
  /** The names of the definitions whose API may have changed: the parts', and those their references lead to. */
  readonly concerned: ReadonlySet<string>;
};

/** Cuts out of two models what can matter to the API of these parts: the parts, ids, references to them and from them. */
export function sliceModels(before: EntityModel, after: EntityModel, parts: readonly Origin[]): ModelSlices {
  const changed = indexParts(parts);
  const chosen = new Map(
    [...changed].map(([name, fields]) => [name, fields === "all" ? fields : new Set(fields)]),
  );
  const choose = (name: string, field: string | null) => {
    const fields = cached(chosen, name, () => new Set(["id"]));
    if (fields !== "all" && field !== null) fields.add(field);
  };
  const concerned = new Set(changed.keys());
  const definitions = [...before.definitions, ...after.definitions];

  // Whatever refers to a part may be derived from it; and from what a reference leads to its every field may be: rows
  // are ordered by those of one, and by aggregates of those of a list.
  for (const definition of definitions) {
    const own = changed.get(definition.name);
    for (const field of fieldsOf(definition)) {
      const target = baseTypeName(field.type);
      if (changed.has(target)) choose(definition.name, field.name);
      if (own === undefined || (own !== "all" && !own.has(field.name))) continue;
      concerned.add(target);
      chosen.set(target, "all");
    }
  }
  // What is there for any column of a kind, averages for numbers, stays with one column of the kind that stays.
  for (const definition of before.definitions) {
    const own = changed.get(definition.name);
    if (own === undefined || own === "all") continue;
    const kinds = new Set<string>();
    for (const field of fieldsOf(definition)) {
      const kind = nullableType(field.type);
      if (own.has(field.name) || kinds.has(kind)) continue;
      kinds.add(kind);
      choose(definition.name, field.name);
    }
  }
  const names = new Set(definitions.map(({ name }) => name));
  for (const definition of definitions) {
    const fields = chosen.get(definition.name);
    if (fields !== undefined) {
      for (const field of fieldsOf(definition)) {
        if (fields !== "all" && !fields.has(field.name)) continue;
        const target = baseTypeName(field.type);
        if (names.has(target)) choose(target, "derivedFrom" in field ? field.derivedFrom : null);
      }
    }
    // An interface has the ids of what implements it.
    if (definition.kind === "entity" && definition.interfaces.some((parent) => chosen.has(parent))) {
      choose(definition.name, null);
    }
  }
  return { before: cut(before, chosen), after: cut(after, chosen), concerned };
}

type ChosenFields = ReadonlyMap<string, ReadonlySet<string> | "all">;

/** The parts by the name of what they are of, with the fields that are meant. */
function indexParts(parts: readonly Origin[]): ChosenFields {
  const changed = new Map<string, Set<string> | "all">();
  for (const part of parts) {
    if (part.kind === "entity") changed.set(part.entity, "all");
    if (part.kind === "enum" || part.kind === "enum-value") changed.set(part.name, "all");
    if (part.kind !== "field") continue;
    const fields = cached(changed, part.entity, () => new Set(["id"]));
    if (fields !== "all") fields.add(part.field);
  }
  return changed;
}

function cut(model: EntityModel, chosen: ChosenFields): EntityModel {
  return {
    ...model,
    definitions: model.definitions.flatMap((definition): Definition[] => {
      if (definition.kind === "fulltext") return [definition];
      const fields = chosen.get(definition.name);
      if (fields === undefined) return [];
      if (fields === "all" || definition.kind === "enum") return [definition];
      const isIn = ({ name }: { readonly name: string }) => fields.has(name);
      // An input object has other fields than the rest.
      return definition.kind === "input"
        ? [{ ...definition, fields: definition.fields.filter(isIn) }]
        : [{ ...definition, fields: definition.fields.filter(isIn) }];
    }),
  };
}

function fieldsOf(definition: Definition): readonly (EntityField | InputValue)[] {
  return "fields" in definition ? definition.fields : [];
}
