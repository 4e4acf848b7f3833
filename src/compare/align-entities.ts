import type { ApiSchema, ApiType } from "../schema/api-schema.ts";
import type { Change } from "../schema/change.ts";
import type { Style } from "../styles/style.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { type EntityRename, findEntityRenames } from "./find-entity-renames.ts";
import { findDerivedRenames, type Renames, renameEntities } from "./rename-entities.ts";
import { membersOf, type RolledUp } from "./roll-up.ts";
import { readSide } from "./schema-side.ts";

/** A schema with the names that its entities have in another. */
export type Alignment = {
  readonly schema: ApiSchema;
  /** One for each entity that was renamed. */
  readonly causes: readonly RolledUp[];
  /** Null where none was. */
  readonly renames: Renames | null;
};

/**
 * Gives the entities of the schema before the names that they have after, so that what else changed about them can be
 * compared: what differs then is no part of the renaming.
 */
export function alignEntities(
  before: ApiSchema,
  after: ApiSchema,
  style: Pick<Style, "read" | "recognize" | "renameDerived">,
): Alignment {
  const { model } = readSide(before, style);
  const entities = findEntityRenames(model, readSide(after, style).model);
  const renames = entities.length === 0 ? null : findDerivedRenames(before, model, entities, style);
  if (renames === null) return { schema: before, causes: [], renames };
  const schema = renameEntities(before, renames, entities);
  const sides = { typesBefore: typesByName(before), typesAfter: typesByName(schema) };
  const changes = groupByEntity(compareSchemas(before, schema), renames);
  return {
    schema,
    causes: [...changes].map(([entity, some]) => renameCause(entity, some, renames, sides)),
    renames,
  };
}

/** Each change to the entity whose name it has at its coordinate, or in its type. */
function groupByEntity(
  changes: readonly Change[],
  { entities }: Renames,
): ReadonlyMap<EntityRename, readonly Change[]> {
  const groups = new Map<EntityRename, Change[]>();
  for (const change of changes) {
    const { kind, coordinate, before, after } = change;
    const [type = "", member = ""] = coordinate.split(".");
    // Only the roots have fields that came or went.
    const isRootField = kind === "field-added" || kind === "field-removed";
    const referred = /\w+/.exec(before ?? after ?? "")?.[0] ?? "";
    const owner = entities.get(type) ?? entities.get(isRootField ? `.${member}` : referred);
    if (owner === undefined) continue;
    const group = groups.get(owner);
    if (group) group.push(change);
    else groups.set(owner, [change]);
  }
  return groups;
}

function renameCause(
  { from, to }: EntityRename,
  changes: readonly Change[],
  renames: Renames,
  sides: Parameters<typeof membersOf>[1],
): RolledUp {
  return {
    origin: { kind: "entity", entity: from },
    change: { kind: "type-renamed", coordinate: from, before: from, after: to },
    layer: "entity",
    derived: changes.filter(({ coordinate }) => coordinate !== from),
    derivedCoordinates: changes.reduce((total, change) => total + 1 + membersOf(change, sides), -1),
    moves: movesOf(changes, renames),
  };
}

function typesByName({ types }: ApiSchema): ReadonlyMap<string, ApiType> {
  return new Map(types.map((type) => [type.name, type]));
}

function movesOf(changes: readonly Change[], { types, rootFields }: Renames): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  for (const { coordinate, after } of changes) {
    if (after !== null) continue;
    const [type = "", member] = coordinate.split(".");
    const name = member === undefined ? types.get(type) : rootFields.get(member);
    if (name !== undefined) moves.set(coordinate, member === undefined ? name : `${type}.${name}`);
  }
  return moves;
}
