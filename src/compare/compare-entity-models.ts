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

/** Returns the changes between two entity models without descriptions, by `originKey`. */
export function compareEntityModels(before: EntityModel, after: EntityModel): Map<string, ModelChange> {
  const changes = new Map<string, ModelChange>();
  const add: AddChange = (origin, change) => {
    const coordinate = originKey(origin);
    changes.set(coordinate, { origin, change: { ...change, coordinate } });
  };
  joinByName(before.definitions, after.definitions, (a, b) => compareDefinitions(a, b, add));
  joinByName(before.directives, after.directives, (a, b) => {
    const origin: Origin = { kind: "directive", name: a?.name ?? b?.name ?? "" };
    if (!a) add(origin, { kind: "directive-added", before: null, after: "directive" });
    if (!b) add(origin, { kind: "directive-removed", before: "directive", after: null });
  });
  return changes;
}

type AddChange = (origin: Origin, change: Omit<Change, "coordinate">) => void;

function compareDefinitions(a: Definition | undefined, b: Definition | undefined, add: AddChange): void {
  const definition = a ?? b;
  if (definition === undefined) return;
  const before = a ? keywordOf(a) : null;
  const after = b ? keywordOf(b) : null;
  if (before !== after) {
    const isSearch = definition.kind === "fulltext";
    const origin: Origin = isSearch
      ? { kind: "search", name: definition.name }
      : definitionOrigin(definition);
    const noun = isSearch ? "field" : "type";
    const kind = a && b ? "type-kind-changed" : (`${noun}-${a ? "removed" : "added"}` as const);
    add(origin, { kind, before, after });
    return;
  }
  if (a?.kind === "enum" && b?.kind === "enum") {
    joinByName(a.values ?? [], b.values ?? [], (was, is) => {
      const value = was?.name ?? is?.name ?? "";
      const origin: Origin = { kind: "enum-value", name: a.name, value };
      if (!was) add(origin, { kind: "enum-value-added", before: null, after: value });
      if (!is) add(origin, { kind: "enum-value-removed", before: value, after: null });
    });
    return;
  }
  if (a === undefined || b === undefined || !("fields" in a) || !("fields" in b)) return;
  const noun = a.kind === "input" ? "input-field" : "field";
  joinByName<EntityField | InputValue>(a.fields, b.fields, (was, is) => {
    const [before, after] = [was ? showField(was) : null, is ? showField(is) : null];
    if (before === after) return;
    const origin: Origin = { kind: "field", entity: a.name, field: was?.name ?? is?.name ?? "" };
    const verb = before === null ? "added" : after === null ? "removed" : "type-changed";
    add(origin, { kind: `${noun}-${verb}`, before, after });
  });
}

/** Returns the keyword of a definition in an API schema; for a search, the type of its result. */
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

/** Renders a field. A derived field differs from a stored one of the same type: only stored ones are filtered by id. */
function showField(field: EntityField | InputValue): string {
  if ("derived" in field) return field.derived ? `${field.type} @derivedFrom` : field.type;
  return field.defaultValue === null ? field.type : `${field.type} = ${field.defaultValue}`;
}

function joinByName<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
  compare: (a: T | undefined, b: T | undefined) => void,
): void {
  // Members are usually in the same order, and then need no index.
  let same = 0;
  while (same < before.length && before[same]?.name === after[same]?.name) same++;
  for (let at = 0; at < same; at++) compare(before[at], after[at]);
  if (same === before.length && same === after.length) return;
  const rest = new Map(after.slice(same).map((part) => [part.name, part]));
  for (const part of before.slice(same)) {
    compare(part, rest.get(part.name));
    rest.delete(part.name);
  }
  for (const part of rest.values()) compare(undefined, part);
}

/** The same part of two models. */
export type ModelSlices = {
  readonly before: EntityModel;
  readonly after: EntityModel;
  /** The names of the definitions whose API may have changed: those of the parts, and those that they refer to. */
  readonly concerned: ReadonlySet<string>;
};

/** Reduces two models to what the API of the given parts depends on: the parts, ids, and references to and from them. */
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

  // The API of a definition that refers to a part depends on the part. A reference depends on all fields of its target:
  // rows are ordered by the target's fields, and by aggregates of a list's fields.
  for (const definition of definitions) {
    const names = changed.get(definition.name);
    for (const field of fieldsOf(definition)) {
      const target = baseTypeName(field.type);
      if (changed.has(target)) choose(definition.name, field.name);
      if (names === undefined || (names !== "all" && !names.has(field.name))) continue;
      concerned.add(target);
      chosen.set(target, "all");
    }
  }
  // Members that exist for any column of a kind, such as averages for numbers, need one unchanged column of that kind.
  for (const definition of before.definitions) {
    const names = changed.get(definition.name);
    if (names === undefined || names === "all") continue;
    const kinds = new Set<string>();
    for (const field of fieldsOf(definition)) {
      const kind = nullableType(field.type);
      if (names.has(field.name) || kinds.has(kind)) continue;
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
    // An interface depends on the ids of its implementers.
    if (definition.kind === "entity" && definition.interfaces.some((parent) => chosen.has(parent))) {
      choose(definition.name, null);
    }
  }
  return { before: cut(before, chosen), after: cut(after, chosen), concerned };
}

type ChosenFields = ReadonlyMap<string, ReadonlySet<string> | "all">;

/** Indexes the parts by their definition, each with the fields that are included. */
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
      const isChosen = ({ name }: { readonly name: string }) => fields.has(name);
      // The branches are alike, but the types of the fields differ.
      return definition.kind === "input"
        ? [{ ...definition, fields: definition.fields.filter(isChosen) }]
        : [{ ...definition, fields: definition.fields.filter(isChosen) }];
    }),
  };
}

function fieldsOf(definition: Definition): readonly (EntityField | InputValue)[] {
  return "fields" in definition ? definition.fields : [];
}
