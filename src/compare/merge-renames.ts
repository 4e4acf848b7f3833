import { findNamed, groupBy } from "../base/collections.ts";
import { type EntityField, type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import type { Change } from "../dialects/members.ts";
import type { Sides } from "./expect-changes.ts";
import { type CertainRenames, type FieldRename, findRenames, pairKnown, without } from "./find-renames.ts";
import type { RolledUp } from "./roll-up.ts";

/**
 * Merges the removal and the addition of a renamed field into one cause, and the causes of an interface with those of its
 * implementers. The merged cause has the derived changes of both.
 *
 * @param known renames that the other style proves.
 */
export function mergeRenames(
  causes: readonly RolledUp[],
  { before, after }: Sides<EntityModel>,
  known: CertainRenames,
): readonly RolledUp[] {
  const entities = new Set(
    [...before.definitions, ...after.definitions].filter(isRowDefinition).map(({ name }) => name),
  );
  const byEntityName = new Map<string, { readonly removed: Candidate[]; readonly added: Candidate[] }>();
  const pairs: Renamed[] = [];
  for (const entity of entities) {
    const [fieldsBefore, fieldsAfter] = [fieldsOf(before, entity), fieldsOf(after, entity)];
    const candidates = (kind: Change["kind"], fields: ReadonlyMap<string, EntityField>) =>
      causes.flatMap((cause): Candidate[] => {
        const { origin, change, layer } = cause;
        if (origin?.kind !== "field" || origin.entity !== entity) return [];
        const field = change.kind === kind && layer === "entity" ? fields.get(origin.field) : undefined;
        return field ? [{ ...field, cause }] : [];
      });
    const fields = {
      removed: candidates("field-removed", fieldsBefore),
      added: candidates("field-added", fieldsAfter),
    };
    if (fields.removed.length === 0) continue;
    byEntityName.set(entity, fields);
    const proved = pairKnown(fields.removed, fields.added, ({ name }) =>
      known.get(`${entity}.${name}`)?.split(".").at(-1),
    ).filter((pair) => pair.removed.type === pair.added.type);
    const found = findRenames(without(fields.removed, proved), without(fields.added, proved), {
      stayed: [...fieldsBefore.values(), ...fieldsAfter.values()].filter(
        ({ name }) => fieldsBefore.has(name) && fieldsAfter.has(name),
      ),
      isSameType: (a, b) => a === b,
      isEntity: (type) => entities.has(type),
    });
    pairs.push(
      ...proved.map((pair) => ({ entity, ...pair, why: "name" as const })),
      ...found.map((rename) => ({ entity, ...rename })),
    );
  }
  const implementers = findImplementers([before, after]);
  const merged = new Map<RolledUp, readonly RolledUp[]>();
  for (const rename of [...pairs, ...findSharedRenames(pairs, byEntityName, implementers)]) {
    if (merged.has(rename.removed.cause) || merged.has(rename.added.cause)) continue;
    merged.set(rename.removed.cause, [joinRename(rename)]);
    merged.set(rename.added.cause, []);
  }
  return joinInterfaces(
    causes.flatMap((cause) => merged.get(cause) ?? cause),
    implementers,
  );
}

type Renamed = FieldRename<Candidate> & { readonly entity: string };

/** Applies a rename found in an interface or an implementer to its other implementers and the interface. */
function findSharedRenames(
  pairs: readonly Renamed[],
  fields: ReadonlyMap<
    string,
    { readonly removed: readonly Candidate[]; readonly added: readonly Candidate[] }
  >,
  implementers: ReadonlyMap<string, ReadonlySet<string>>,
): FieldRename<Candidate>[] {
  return [...implementers].flatMap(([name, entities]) => {
    const relatives = [name, ...entities];
    return pairs
      .filter(({ entity }) => relatives.includes(entity))
      .flatMap(({ removed, added, why }) =>
        relatives.flatMap((relative) => {
          const own = fields.get(relative);
          const [left, right] = [
            findNamed(own?.removed ?? [], removed.name),
            findNamed(own?.added ?? [], added.name),
          ];
          return left && right && left.type === right.type ? [{ removed: left, added: right, why }] : [];
        }),
      );
  });
}

type Candidate = EntityField & { readonly cause: RolledUp };

function joinRename({ removed: { name, cause }, added: other, why }: FieldRename<Candidate>): RolledUp {
  return {
    ...cause,
    change: { ...cause.change, kind: "field-renamed", before: name, after: other.name },
    derivedChanges: [...cause.derivedChanges, other.cause.change, ...other.cause.derivedChanges],
    derived: cause.derived + 1 + other.cause.derived,
    ...(why !== "guess"
      ? { renamed: findRenamedCoordinates({ name, cause }, other) }
      : { isOnlyPossible: true }),
  };
}

/** Finds derived coordinates with the new name in place of the old one, such as `Stream_orderBy.asset__symbol`. */
function findRenamedCoordinates(
  { name: from, cause: removed }: Pick<Candidate, "name" | "cause">,
  { name: to, cause: added }: Pick<Candidate, "name" | "cause">,
): ReadonlyMap<string, string> {
  const now = new Set([added.change, ...added.derivedChanges].map(({ coordinate }) => coordinate));
  const renamed = new Map<string, string>();
  for (const { coordinate } of [removed.change, ...removed.derivedChanges]) {
    const dot = coordinate.indexOf(".");
    for (let at = coordinate.indexOf(from, dot); at >= 0; at = coordinate.indexOf(from, at + 1)) {
      const candidate = `${coordinate.slice(0, at)}${to}${coordinate.slice(at + from.length)}`;
      if (dot >= 0 && now.has(candidate)) renamed.set(coordinate, candidate);
    }
  }
  return renamed;
}

function fieldsOf({ definitions }: EntityModel, entity: string): Map<string, EntityField> {
  const definition = findNamed(definitions, entity);
  const fields = definition && isRowDefinition(definition) ? definition.fields : [];
  return new Map(fields.map((field) => [field.name, field]));
}

/** Returns the names of the entities that implement each interface, in either model. */
function findImplementers(models: readonly EntityModel[]): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = models.flatMap(({ definitions }) =>
    definitions.flatMap((one) =>
      one.kind === "entity" ? one.interfaces.map((name) => ({ name, entity: one.name })) : [],
    ),
  );
  const byName = [...groupBy(pairs, ({ name }) => name)];
  return new Map(byName.map(([name, some]) => [name, new Set(some.map(({ entity }) => entity))]));
}

/**
 * Joins the change of an interface's field with the same change in its implementers: the authors changed one field. A
 * change in an implementer only stays a separate cause.
 */
function joinInterfaces(
  causes: readonly RolledUp[],
  implementers: ReadonlyMap<string, ReadonlySet<string>>,
): readonly RolledUp[] {
  if (implementers.size === 0) return causes;
  const joined = new Map<RolledUp, RolledUp | null>();
  for (const cause of causes) {
    const { origin } = cause;
    const entities = origin?.kind === "field" ? implementers.get(origin.entity) : undefined;
    if (origin?.kind !== "field" || entities === undefined) continue;
    const same = causes.filter(
      (other) =>
        other.origin?.kind === "field" &&
        other.origin.field === origin.field &&
        entities.has(other.origin.entity) &&
        other.layer === cause.layer &&
        other.change.kind === cause.change.kind &&
        other.change.after === cause.change.after &&
        !joined.has(other),
    );
    if (same.length === 0) continue;
    joined.set(cause, same.reduce(joinCauses, cause));
    for (const other of same) joined.set(other, null);
  }
  return causes.flatMap((cause) => {
    const known = joined.get(cause);
    return known === undefined ? cause : (known ?? []);
  });
}

function joinCauses(cause: RolledUp, other: RolledUp): RolledUp {
  const renamed = [...(cause.renamed ?? []), ...(other.renamed ?? [])];
  return {
    ...cause,
    derivedChanges: [...cause.derivedChanges, other.change, ...other.derivedChanges],
    derived: cause.derived + 1 + other.derived,
    ...(renamed.length > 0 && { renamed: new Map(renamed) }),
  };
}
