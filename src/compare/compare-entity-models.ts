import { cached } from "../base/collections.ts";
import { baseTypeName, nullableType } from "../dialects/api-schema.ts";
import {
  type Definition,
  definitionOrigin,
  type EntityField,
  type EntityModel,
  type InputValue,
} from "../dialects/entity-model.ts";
import type { Change } from "../dialects/members.ts";
import { type Origin, originKey } from "../dialects/origin.ts";

/** A change of a part of an entity model, at the part's own coordinate. */
export type ModelChange = {
  readonly origin: Origin;
  readonly change: Change;
};

/** Finds what authors changed between two entity models, descriptions aside, by `originKey`. */
export function compareEntityModels(before: EntityModel, after: EntityModel): Map<string, ModelChange> {
  const changes = new Map<string, ModelChange>();
  const add: Report = (origin, kind, from, to) => {
    const coordinate = originKey(origin);
    changes.set(coordinate, { origin, change: { kind, coordinate, before: from, after: to } });
  };
  joinByName(before.definitions, after.definitions, (a, b) => compareDefinitions(a, b, add));
  joinByName(before.directives, after.directives, (a, b) => {
    const name = a?.name ?? b?.name ?? "";
    if (!a) add({ kind: "directive", name }, "directive-added", null, "directive");
    if (!b) add({ kind: "directive", name }, "directive-removed", "directive", null);
  });
  return changes;
}

type Report = (origin: Origin, kind: Change["kind"], before: string | null, after: string | null) => void;

function compareDefinitions(a: Definition | undefined, b: Definition | undefined, add: Report): void {
  const one = a ?? b;
  if (one === undefined) return;
  const from = a ? keywordOf(a) : null;
  const to = b ? keywordOf(b) : null;
  if (from !== to) {
    const origin: Origin =
      one.kind === "fulltext" ? { kind: "search", name: one.name } : definitionOrigin(one);
    const noun = one.kind === "fulltext" ? "field" : "type";
    const kind = a && b ? "type-kind-changed" : (`${noun}-${a ? "removed" : "added"}` as const);
    add(origin, kind, from, to);
    return;
  }
  if (a?.kind === "enum" && b?.kind === "enum") {
    joinByName(a.values ?? [], b.values ?? [], (was, is) => {
      const value = was?.name ?? is?.name ?? "";
      const origin: Origin = { kind: "enum-value", name: a.name, value };
      if (!was) add(origin, "enum-value-added", null, value);
      if (!is) add(origin, "enum-value-removed", value, null);
    });
    return;
  }
  if (a === undefined || b === undefined || !("fields" in a) || !("fields" in b)) return;
  const noun = a.kind === "input" ? "input-field" : "field";
  joinByName<EntityField | InputValue>(a.fields, b.fields, (was, is) => {
    // Most stay as they are, and this is asked of every field there is.
    if (was && is && sameFields(was, is)) return;
    const origin: Origin = { kind: "field", entity: a.name, field: was?.name ?? is?.name ?? "" };
    const verb = was === undefined ? "added" : is === undefined ? "removed" : "type-changed";
    add(origin, `${noun}-${verb}`, was ? showField(was) : null, is ? showField(is) : null);
  });
}

/** What an API schema calls a definition, or for a search what it finds. */
function keywordOf(definition: Definition): string {
  switch (definition.kind) {
    case "entity":
    case "aggregation":
      return "type";
    case "enum":
      return definition.values === null ? "scalar" : "enum";
    case "fulltext":
      return `[${definition.entity}!]!`;
    default:
      return definition.kind;
  }
}

function sameFields(a: EntityField | InputValue, b: EntityField | InputValue): boolean {
  return (
    a.type === b.type &&
    ("derived" in a && "derived" in b ? a.derived === b.derived : showField(a) === showField(b))
  );
}

/** A derived field differs from a stored one of the same type: only a stored one can be filtered by id. */
function showField(field: EntityField | InputValue): string {
  if ("derived" in field) return field.derived ? `${field.type} @derivedFrom` : field.type;
  return field.defaultValue === null ? field.type : `${field.type} = ${field.defaultValue}`;
}

function joinByName<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
  compare: (a: T | undefined, b: T | undefined) => void,
): void {
  // Members in the same order need no index, and mostly they are.
  let same = 0;
  while (same < before.length && before[same]?.name === after[same]?.name) same++;
  for (let at = 0; at < same; at++) compare(before[at], after[at]);
  if (same === before.length && same === after.length) return;
  const rest = new Map(after.slice(same).map((one) => [one.name, one]));
  for (const one of before.slice(same)) {
    compare(one, rest.get(one.name));
    rest.delete(one.name);
  }
  for (const one of rest.values()) compare(undefined, one);
}

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
