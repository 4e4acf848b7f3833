import type { Change } from "../schema/change.ts";
import { definitionOrigin } from "../schema/create-model-union.ts";
import type { Definition, EntityField, EntityModel, InputValue } from "../schema/entity-model.ts";
import { type Origin, originKey } from "../schema/origin.ts";

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
