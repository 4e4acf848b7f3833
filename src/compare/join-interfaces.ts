import { groupBy } from "../base/collections.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import type { RolledUp } from "./roll-up.ts";

/** Returns the names of the entities that implement each interface, in either model. */
export function findImplementers(models: readonly EntityModel[]): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = models.flatMap(({ definitions }) =>
    definitions.flatMap((one) =>
      one.kind === "entity" ? one.interfaces.map((name) => ({ name, entity: one.name })) : [],
    ),
  );
  const byName = [...groupBy(pairs, ({ name }) => name)];
  return new Map(byName.map(([name, some]) => [name, new Set(some.map(({ entity }) => entity))]));
}

/**
 * Joins the change of a field of an interface with the same change in the entities that implement it: the authors changed
 * one field. What changes in an implementer alone stays a cause of its own.
 */
export function joinInterfaces(
  causes: readonly RolledUp[],
  implementers: ReadonlyMap<string, ReadonlySet<string>>,
): readonly RolledUp[] {
  if (implementers.size === 0) return causes;
  const byField = groupBy(causes, ({ origin }) => (origin?.kind === "field" ? origin.field : ""));
  const joined = new Map<RolledUp, RolledUp | null>();
  for (const cause of causes) {
    const { origin } = cause;
    const entities = origin?.kind === "field" ? implementers.get(origin.entity) : undefined;
    if (origin?.kind !== "field" || entities === undefined) continue;
    const same = (byField.get(origin.field) ?? []).filter(
      (other) =>
        other.origin?.kind === "field" &&
        entities.has(other.origin.entity) &&
        other.layer === cause.layer &&
        other.change.kind === cause.change.kind &&
        other.change.after === cause.change.after &&
        !joined.has(other),
    );
    if (same.length === 0) continue;
    joined.set(cause, same.reduce(join, cause));
    for (const other of same) joined.set(other, null);
  }
  return causes.flatMap((cause) => {
    const known = joined.get(cause);
    return known === undefined ? cause : (known ?? []);
  });
}

function join(cause: RolledUp, other: RolledUp): RolledUp {
  const moves = [...(cause.moves ?? []), ...(other.moves ?? [])];
  return {
    ...cause,
    derivedChanges: [...cause.derivedChanges, other.change, ...other.derivedChanges],
    derived: cause.derived + 1 + other.derived,
    ...(moves.length > 0 && { moves: new Map(moves) }),
  };
}
