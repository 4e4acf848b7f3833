import type { Change } from "../schema/change.ts";
import type { EntityField, EntityModel } from "../schema/entity-model.ts";
import { findRenames } from "./find-renames.ts";
import type { RolledUp } from "./roll-up.ts";

/**
 * Makes one cause of two where a field seems to have been renamed: `before` and `after` are then its names. What
 * followed from either follows from the rename.
 */
export function mergeRenames(
  causes: readonly RolledUp[],
  before: EntityModel,
  after: EntityModel,
): readonly RolledUp[] {
  const gone = byEntity(causes, "field-removed");
  const come = byEntity(causes, "field-added");
  if (gone.size === 0 || come.size === 0) return causes;
  const authored = new Set([...before.definitions, ...after.definitions].map(({ name }) => name));
  const merged = new Map<RolledUp, RolledUp | null>();
  for (const [entity, left] of gone) {
    const right = come.get(entity);
    if (right === undefined) continue;
    const [fieldsBefore, fieldsAfter] = [fieldsOf(before, entity), fieldsOf(after, entity)];
    const candidates = (some: readonly RolledUp[], fields: ReadonlyMap<string, EntityField>) =>
      some.flatMap((cause): Candidate[] => {
        const field = cause.origin?.kind === "field" ? fields.get(cause.origin.field) : undefined;
        return field ? [{ ...field, cause }] : [];
      });
    const pairs = findRenames(candidates(left, fieldsBefore), candidates(right, fieldsAfter), {
      kept: [...fieldsBefore.values(), ...fieldsAfter.values()].filter(
        ({ name }) => fieldsBefore.has(name) && fieldsAfter.has(name),
      ),
      isSameType: (a, b) => a === b,
      isAuthored: (type) => authored.has(type),
    });
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

type Candidate = EntityField & { readonly cause: RolledUp };

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
    moves: findMoves(cause, other.cause, name, other.name),
  };
}

/** What went and came again with the other name in place of the first: `Stream_orderBy.asset__symbol`. */
function findMoves(gone: RolledUp, come: RolledUp, from: string, to: string): ReadonlyMap<string, string> {
  const now = new Set([come.change, ...come.derived].map(({ coordinate }) => coordinate));
  const moves = new Map<string, string>();
  for (const { coordinate } of [gone.change, ...gone.derived]) {
    const dot = coordinate.indexOf(".");
    for (let at = coordinate.indexOf(from, dot); at >= 0; at = coordinate.indexOf(from, at + 1)) {
      const moved = `${coordinate.slice(0, at)}${to}${coordinate.slice(at + from.length)}`;
      if (dot >= 0 && now.has(moved)) moves.set(coordinate, moved);
    }
  }
  return moves;
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

function fieldsOf({ definitions }: EntityModel, entity: string): Map<string, EntityField> {
  const definition = definitions.find(({ name }) => name === entity);
  const fields =
    definition === undefined || !("fields" in definition) || definition.kind === "input"
      ? []
      : definition.fields;
  return new Map(fields.map((field) => [field.name, field]));
}
