import type { ApiField, ApiType } from "../model/api-schema.ts";
import type { Change } from "../model/change.ts";
import { findRenames, type RenameCandidate } from "./find-renames.ts";
import type { RolledUp } from "./roll-up.ts";

/**
 * Makes one cause of two where a field seems to have been renamed: `before` and `after` are then its names. What
 * followed from either follows from the rename.
 */
export function mergeRenames(
  causes: readonly RolledUp[],
  typesBefore: ReadonlyMap<string, ApiType>,
  typesAfter: ReadonlyMap<string, ApiType>,
): readonly RolledUp[] {
  const gone = byEntity(causes, "field-removed");
  const come = byEntity(causes, "field-added");
  if (gone.size === 0 || come.size === 0) return causes;
  const merged = new Map<RolledUp, RolledUp | null>();
  for (const [entity, left] of gone) {
    const right = come.get(entity);
    if (right === undefined) continue;
    const [fieldsBefore, fieldsAfter] = [fieldsOf(typesBefore.get(entity)), fieldsOf(typesAfter.get(entity))];
    const kept = [...fieldsBefore.keys()].filter((name) => name !== "id" && fieldsAfter.has(name)).length;
    const candidates = (some: readonly RolledUp[], fields: ReadonlyMap<string, ApiField>) =>
      some.flatMap((cause) => candidateOf(cause, fields));
    const pairs = findRenames(candidates(left, fieldsBefore), candidates(right, fieldsAfter), kept);
    for (const [one, other] of pairs) {
      merged.set(one.cause, join(one, other));
      merged.set(other.cause, null);
    }
  }
  if (merged.size === 0) return causes;
  return causes.flatMap((cause) => {
    const replacement = merged.get(cause);
    return replacement === undefined ? [cause] : replacement === null ? [] : [replacement];
  });
}

type Candidate = RenameCandidate & { readonly cause: RolledUp };

function join({ name, cause }: Candidate, other: Candidate): RolledUp {
  return {
    ...cause,
    change: {
      kind: "field-renamed",
      coordinate: cause.change.coordinate,
      before: name,
      after: other.name,
    },
    derived: [...cause.derived, other.cause.change, ...other.cause.derived],
    derivedCoordinates: cause.derivedCoordinates + 1 + other.cause.derivedCoordinates,
  };
}

function candidateOf(cause: RolledUp, fields: ReadonlyMap<string, ApiField>): Candidate[] {
  if (cause.origin?.kind !== "field") return [];
  const field = fields.get(cause.origin.field);
  return field ? [{ name: field.name, type: field.type, description: field.description, cause }] : [];
}

function byEntity(causes: readonly RolledUp[], kind: Change["kind"]): Map<string, RolledUp[]> {
  const found = new Map<string, RolledUp[]>();
  for (const cause of causes) {
    if (cause.change.kind !== kind || cause.origin?.kind !== "field" || cause.layer !== "entity") continue;
    const { entity } = cause.origin;
    const others = found.get(entity);
    if (others) others.push(cause);
    else found.set(entity, [cause]);
  }
  return found;
}

function fieldsOf(type: ApiType | undefined): Map<string, ApiField> {
  const fields = type?.kind === "OBJECT" || type?.kind === "INTERFACE" ? type.fields : [];
  return new Map(fields.map((field) => [field.name, field]));
}
