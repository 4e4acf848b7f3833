import { cached, groupBy } from "../base/collections.ts";
import { type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import { originKey } from "../dialects/origin.ts";
import type { Sides } from "./expect-changes.ts";
import type { Rename } from "./find-api-renames.ts";
import type { RolledUp } from "./roll-up.ts";

/**
 * Merges the removal and the addition of a renamed part into one cause, and the causes of an interface with those of its
 * implementers. The merged cause has the derived changes of both.
 *
 * @param known the renames, and the types that already have their new names in the model before.
 */
export function mergeRenames(
  causes: readonly RolledUp[],
  { before, after }: Sides<EntityModel>,
  { renames, types }: { readonly renames: readonly Rename[]; readonly types: ReadonlyMap<string, string> },
): readonly RolledUp[] {
  const [removed, added] = [indexParts(causes, "removed"), indexParts(causes, "added")];
  const [typesBefore, typesAfter] = [indexFieldTypes(before), indexFieldTypes(after)];
  const merged = new Map<RolledUp, readonly RolledUp[]>();
  for (const rename of renames) {
    const owner = rename.owner === null ? "" : `${types.get(rename.owner) ?? rename.owner}.`;
    const [from, to] = [`${owner}${rename.from}`, `${owner}${rename.to}`];
    const [removal, addition] = [removed.get(from), added.get(to)];
    // A field with another type is another change.
    if (!removal || !addition || typesBefore.get(from) !== typesAfter.get(to)) continue;
    merged.set(removal, [joinRename(rename, removal, addition)]);
    merged.set(addition, []);
  }
  return joinInterfaces(
    causes.flatMap((cause) => merged.get(cause) ?? cause),
    findImplementers([before, after]),
  );
}

/** Indexes the causes that remove or add a part of the model. */
function indexParts(causes: readonly RolledUp[], verb: "removed" | "added"): ReadonlyMap<string, RolledUp> {
  const isOfPart = ({ origin, change, layer }: RolledUp) =>
    layer === "entity" && change.kind.endsWith(verb) && origin && originKey(origin) === change.coordinate;
  return new Map(causes.filter(isOfPart).map((cause) => [cause.change.coordinate, cause]));
}

function indexFieldTypes({ definitions }: EntityModel): ReadonlyMap<string, string> {
  return new Map(
    definitions
      .filter(isRowDefinition)
      .flatMap(({ name, fields }) => fields.map((field) => [`${name}.${field.name}`, field.type] as const)),
  );
}

const KINDS = {
  entity: "type-renamed",
  enum: "type-renamed",
  field: "field-renamed",
  "enum-value": "enum-value-renamed",
} as const;

function joinRename({ kind, from, to, certain }: Rename, removed: RolledUp, added: RolledUp): RolledUp {
  return {
    ...removed,
    change: { ...removed.change, kind: KINDS[kind], before: from, after: to },
    derivedChanges: [...removed.derivedChanges, added.change, ...added.derivedChanges],
    derived: removed.derived + 1 + added.derived,
    ...(certain
      ? { renamed: findRenamedCoordinates({ from, to }, { removed, added }) }
      : { isOnlyPossible: true }),
  };
}

/** Finds coordinates with the new name in place of the old one, such as `Stream_orderBy.asset__symbol`. */
function findRenamedCoordinates(
  { from, to }: Pick<Rename, "from" | "to">,
  { removed, added }: { readonly removed: RolledUp; readonly added: RolledUp },
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

/** Returns the names of the entities that implement each interface, in either model. */
function findImplementers(models: readonly EntityModel[]): ReadonlyMap<string, ReadonlySet<string>> {
  const implementers = new Map<string, Set<string>>();
  for (const definition of models.flatMap(({ definitions }) => definitions)) {
    if (definition.kind !== "entity") continue;
    for (const name of definition.interfaces) {
      cached(implementers, name, () => new Set<string>()).add(definition.name);
    }
  }
  return implementers;
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
    joined.set(cause, same.reduce(joinCauses, cause));
    for (const other of same) joined.set(other, null);
  }
  return causes.flatMap((cause) => {
    const result = joined.get(cause);
    return result === undefined ? cause : (result ?? []);
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
