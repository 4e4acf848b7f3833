import { findNamed } from "../base/find-named.ts";
import { groupBy } from "../base/group-by.ts";
import type { Change } from "../schema/change.ts";
import { type EntityField, type EntityModel, isRowDefinition } from "../schema/entity-model.ts";
import { findRenames } from "./find-renames.ts";
import type { RolledUp } from "./roll-up.ts";

/** Makes one cause of two where a field seems to have been renamed; what followed from either follows from the rename. */
export function mergeRenames(
  causes: readonly RolledUp[],
  before: EntityModel,
  after: EntityModel,
): readonly RolledUp[] {
  const [gone, come] = [byEntity(causes, "field-removed"), byEntity(causes, "field-added")];
  const authored = new Set([...before.definitions, ...after.definitions].map(({ name }) => name));
  const merged = new Map<RolledUp, readonly RolledUp[]>();
  for (const [entity, left] of gone) {
    const right = come.get(entity) ?? [];
    const [fieldsBefore, fieldsAfter] = [fieldsOf(before, entity), fieldsOf(after, entity)];
    const candidates = (some: readonly RolledUp[], fields: ReadonlyMap<string, EntityField>) =>
      some.flatMap((cause): Candidate[] => {
        const field = cause.origin?.kind === "field" ? fields.get(cause.origin.field) : undefined;
        return field ? [{ ...field, cause }] : [];
      });
    const pairs = findRenames(candidates(left, fieldsBefore), candidates(right, fieldsAfter), {
      stayed: [...fieldsBefore.values(), ...fieldsAfter.values()].filter(
        ({ name }) => fieldsBefore.has(name) && fieldsAfter.has(name),
      ),
      isSameType: (a, b) => a === b,
      isAuthored: (type) => authored.has(type),
    });
    for (const [one, other] of pairs) {
      merged.set(one.cause, [join(one, other)]);
      merged.set(other.cause, []);
    }
  }
  return causes.flatMap((cause) => merged.get(cause) ?? cause);
}

type Candidate = EntityField & { readonly cause: RolledUp };

function join({ name, cause }: Candidate, other: Candidate): RolledUp {
  return {
    ...cause,
    change: { ...cause.change, kind: "field-renamed", before: name, after: other.name },
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
  const some = causes.filter(({ change, layer }) => change.kind === kind && layer === "entity");
  return groupBy(some, ({ origin }) => (origin?.kind === "field" ? origin.entity : ""));
}

function fieldsOf({ definitions }: EntityModel, entity: string): Map<string, EntityField> {
  const definition = findNamed(definitions, entity);
  const fields = definition && isRowDefinition(definition) ? definition.fields : [];
  return new Map(fields.map((field) => [field.name, field]));
}
