import fc from "fast-check";
import { type ApiSchema, baseTypeName } from "../../src/dialects/api-schema.ts";
import { canonicalize, flattenSchema } from "../../src/dialects/canonicalize.ts";
import type { Definition, EntityField, EntityModel } from "../../src/dialects/entity-model.ts";

/** Returns the coordinates that only one side has, or whose signatures differ; ignores descriptions. */
export function changedCoordinates(before: ApiSchema, after: ApiSchema): string[] {
  const [a, b] = [before, after].map(
    (schema) =>
      new Map(
        flattenSchema(canonicalize(schema)).map(({ coordinate, signature }) => [coordinate, signature]),
      ),
  );
  return [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].filter(
    (coordinate) => a?.get(coordinate) !== b?.get(coordinate),
  );
}

/** Returns the keys of the origins that differ between two models, without the fields of added or removed types. */
export function changedParts(before: EntityModel, after: EntityModel): Set<string> {
  const parts = new Set<string>();
  const [a, b] = [before, after].map(partsOf);
  for (const key of new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])) {
    const [one, other] = [a?.get(key), b?.get(key)];
    if (one?.shape === other?.shape) continue;
    const owner = (one ?? other)?.owner;
    if (owner === null || owner === undefined || (a?.has(owner) && b?.has(owner))) parts.add(key);
  }
  return parts;
}

type Part = { readonly owner: string | null; readonly shape: string };

function partsOf(model: EntityModel): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const definition of model.definitions) {
    const { name, kind } = definition;
    if (kind === "fulltext") {
      parts.set(`search ${name}`, { owner: null, shape: definition.entity });
      continue;
    }
    const more = kind === "entity" ? [definition.interfaces, definition.internal, definition.crossChain] : [];
    parts.set(name, { owner: null, shape: JSON.stringify([kind, more]) });
    if (kind === "enum") {
      for (const value of definition.values ?? [])
        parts.set(`${name}.${value.name}`, { owner: name, shape: "" });
      continue;
    }
    for (const field of definition.fields) {
      const { description: _, ...shape } = field;
      parts.set(`${name}.${field.name}`, { owner: name, shape: JSON.stringify(shape) });
    }
  }
  for (const { name } of model.directives) parts.set(`@${name}`, { owner: null, shape: "" });
  return parts;
}

/** A change of a model. */
export type ModelEdit = (model: EntityModel) => EntityModel;

/**
 * Generates edits that remove or retype one part: a type with its references, a field, an enum value. They also remove
 * dangling parts: lists through a removed field.
 */
export function modelEdits(types: readonly string[], idTypes: readonly string[]): fc.Arbitrary<ModelEdit> {
  return fc
    .record({
      what: fc.constantFrom(
        "type",
        "field",
        "field",
        "field",
        "retype",
        "retype",
        "value",
        "id",
        "interface",
      ),
      definition: fc.nat(),
      member: fc.nat(),
      type: fc.constantFrom(...types),
      id: fc.constantFrom(...idTypes),
    })
    .map(({ what, definition, member, type, id }) => (model) => {
      const kinds = what === "value" ? ["enum"] : what === "type" ? [...FIELDED, "enum"] : FIELDED;
      const candidates = model.definitions.filter(({ kind }) => kinds.includes(kind));
      const chosen = candidates[definition % candidates.length];
      if (chosen === undefined || chosen.kind === "fulltext") return model;
      if (what === "type") return cleaned(replace(model, chosen, []), model);
      if (chosen.kind === "enum") {
        const values = chosen.values?.filter((_, index) => index !== member % (chosen.values?.length ?? 1));
        return values?.length ? replace(model, chosen, [{ ...chosen, values }]) : model;
      }
      if (chosen.kind === "input") return model;
      if (what === "interface") {
        return chosen.kind === "entity" ? replace(model, chosen, [{ ...chosen, interfaces: [] }]) : model;
      }
      const edit = (each: EntityField): EntityField[] => {
        if (what === "id") return each.name === "id" ? [{ ...each, type: id }] : [each];
        const others = chosen.fields.filter(({ name }) => name !== "id");
        if (each !== others[member % others.length]) return [each];
        return what === "field" ? [] : [{ ...each, type, derived: false, derivedFrom: null }];
      };
      return cleaned(replace(model, chosen, [{ ...chosen, fields: chosen.fields.flatMap(edit) }]), model);
    });
}

const FIELDED = ["entity", "aggregation", "interface"];

function replace(model: EntityModel, old: Definition, by: readonly Definition[]): EntityModel {
  return { ...model, definitions: model.definitions.flatMap((each) => (each === old ? by : [each])) };
}

/** Removes references to removed types, and lists through fields that were removed or retyped. */
function cleaned(model: EntityModel, before: EntityModel): EntityModel {
  const names = new Set(model.definitions.map(({ name }) => name));
  const gone = new Set(before.definitions.map(({ name }) => name).filter((name) => !names.has(name)));
  const field = (type: string, name: string, { definitions }: EntityModel) => {
    const definition = definitions.find((each) => each.name === type);
    return definition && "fields" in definition
      ? definition.fields.find((each) => each.name === name)?.type
      : undefined;
  };
  const idKind = (name: string) => field(name, "id", model);
  const definitions = model.definitions.flatMap((definition): Definition[] => {
    if (definition.kind === "fulltext") return gone.has(definition.entity) ? [] : [definition];
    if (definition.kind === "enum" || definition.kind === "input") return [definition];
    const keep = ({ type, derived, derivedFrom }: EntityField) => {
      const target = baseTypeName(type);
      if (gone.has(target)) return false;
      if (!derived || derivedFrom === null) return true;
      return (
        field(target, derivedFrom, model) === field(target, derivedFrom, before) &&
        idKind(definition.name) === field(definition.name, "id", before)
      );
    };
    const fields = definition.fields.filter(keep);
    if (definition.kind !== "entity") return [{ ...definition, fields }];
    return [{ ...definition, fields, interfaces: definition.interfaces.filter((name) => !gone.has(name)) }];
  });
  // A list may depend on a field that this pass removed.
  const next = { ...model, definitions };
  return JSON.stringify(next) === JSON.stringify(model) ? next : cleaned(next, before);
}
