import { groupBy } from "../base/group-by.ts";
import type { ApiSchema } from "../schema/api-schema.ts";
import type { Change } from "../schema/change.ts";
import type { Style } from "../styles/style.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { findEntityRenames } from "./find-entity-renames.ts";
import { indexSchema } from "./indexed-schema.ts";
import { findDerivedRenames, type Renames, renameEntities } from "./rename-entities.ts";
import { countChanges, type RolledUp } from "./roll-up.ts";
import { readSide } from "./schema-side.ts";

/** Gives the entities of the schema before the names that they have after, so that all other changes show apart. */
export function alignEntities(
  before: ApiSchema,
  after: ApiSchema,
  style: Pick<Style, "read" | "recognize" | "renameDerived">,
): { readonly schema: ApiSchema; readonly causes: readonly RolledUp[]; readonly renames: Renames | null } {
  const { model } = readSide(before, style);
  const entities = findEntityRenames(model, readSide(after, style).model);
  const renames = entities.length === 0 ? null : findDerivedRenames(before, model, entities, style);
  if (renames === null) return { schema: before, causes: [], renames };
  const schema = renameEntities(before, renames, entities);
  const types = { typesBefore: indexSchema(before).types, typesAfter: indexSchema(schema).types };
  const changes = groupBy(compareSchemas(before, schema), (change) => ownerOf(change, renames));
  const causes = [...changes].flatMap(([owner, some]): RolledUp[] => {
    if (owner === undefined) return [];
    const { from, to } = owner;
    return [
      {
        origin: { kind: "entity", entity: from },
        change: { kind: "type-renamed", coordinate: from, before: from, after: to },
        layer: "entity",
        derived: some.filter(({ coordinate }) => coordinate !== from),
        derivedCoordinates: countChanges(some, types) - 1,
        moves: movesOf(some, renames),
      },
    ];
  });
  return { schema, causes, renames };
}

/** The renamed entity whose name a change has at its coordinate, or in its type. */
function ownerOf({ kind, coordinate, before, after }: Change, { entities }: Renames) {
  const [type = "", member = ""] = coordinate.split(".");
  // Only the roots have fields that came or went.
  const isRootField = kind === "field-added" || kind === "field-removed";
  const referred = /\w+/.exec(before ?? after ?? "")?.[0] ?? "";
  return entities.get(type) ?? entities.get(isRootField ? `.${member}` : referred);
}

function movesOf(changes: readonly Change[], { types, rootFields }: Renames): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap(({ coordinate, after }) => {
      const [type = "", member] = coordinate.split(".");
      const name = member === undefined ? types.get(type) : rootFields.get(member);
      if (after !== null || name === undefined) return [];
      return [[coordinate, member === undefined ? name : `${type}.${name}`] as const];
    }),
  );
}
