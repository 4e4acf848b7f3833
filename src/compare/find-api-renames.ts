import { compareCodeUnits, findNamed, indexByName } from "../base/collections.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import { type EntityModel, isRowDefinition, type RowDefinition } from "../dialects/entity-model.ts";
import { findEntityRenames, findRenames } from "./find-renames.ts";

/** A part of an API that has another name. Its new owner follows from the rows of entities and enums. */
export type Rename = {
  readonly kind: "entity" | "enum" | "field" | "enum-value";
  /** The old entity or enum of a field or value; null for entities and enums. */
  readonly owner: string | null;
  readonly from: string;
  readonly to: string;
  readonly certain: boolean;
  /** `guess` if it is not certain. */
  readonly why: "confirmed" | "structure" | "systematic" | "name" | "guess";
};

/** A rename that was stated, or that the other style proves. */
export type ConfirmedRename = Pick<Rename, "kind" | "owner" | "from" | "to">;

export type RenameOptions = {
  /** A confirmed rename also accepts the same change of words in other names. One that does not apply has no effect. */
  readonly confirmed?: readonly ConfirmedRename[];
  /** The versions in between, the oldest first. If one of them has both names, they are not a rename. */
  readonly between?: readonly EntityModel[];
};

/** Finds the renamed parts between two versions of an API, sorted by kind, owner and old name. */
export function findApiRenames(
  before: EntityModel,
  after: EntityModel,
  { confirmed = [] }: RenameOptions = {},
): Rename[] {
  const [was, is] = [indexRows(before), indexRows(after)];
  const stated = (kind: Rename["kind"], owner: string | null, from: string) =>
    confirmed.find((one) => one.kind === kind && one.owner === owner && one.from === from)?.to;
  const known = new Map(confirmed.flatMap(({ kind, from, to }) => (kind === "entity" ? [[from, to]] : [])));
  const entities = findEntityRenames(before, after, known).map(
    ({ from, to }): Rename => ({
      ...{ kind: "entity", owner: null, from, to, certain: true },
      why: known.get(from) === to ? "confirmed" : "structure",
    }),
  );
  const types = new Map(entities.map(({ from, to }) => [from, to]));
  const newName = (name: string) => types.get(name) ?? name;
  const rows = [...was.values()].flatMap((entity) => {
    const other = is.get(newName(entity.name));
    return other ? [{ entity, other }] : [];
  });
  const fields = rows.flatMap(({ entity, other }) => {
    const removed = entity.fields.filter(({ name }) => !findNamed(other.fields, name));
    const added = other.fields.filter(({ name }) => !findNamed(entity.fields, name));
    const row = { kind: "field", owner: entity.name } as const;
    const said = removed.flatMap(({ name }) => {
      const to = stated("field", entity.name, name);
      return to !== undefined && findNamed(added, to) ? [{ from: name, to }] : [];
    });
    const open = (name: string) => !said.some(({ from, to }) => from === name || to === name);
    const found = findRenames(
      removed.filter(({ name }) => open(name)),
      added.filter(({ name }) => open(name)),
      {
        stayed: entity.fields.filter(({ name }) => findNamed(other.fields, name)),
        isSameType: (a, b) => a.replace(/\w+/, newName) === b,
        isEntity: (type) => was.has(type) || is.has(type),
      },
    );
    return [
      ...said.map((pair): Rename => ({ ...row, ...pair, certain: true, why: "confirmed" })),
      ...found.map(
        ({ removed: { name: from }, added: { name: to }, isCertain: certain }): Rename => ({
          ...{ ...row, from, to, certain },
          why: certain ? "name" : "guess",
        }),
      ),
    ];
  });
  const [enumsBefore, enumsAfter] = [before, after].map(({ definitions }) =>
    indexByName(definitions.filter((one) => one.kind === "enum")),
  );
  const targets = new Map<string, string>();
  for (const { entity, other } of rows) {
    for (const { name, type } of entity.fields) {
      const from = baseTypeName(type);
      const to = baseTypeName(findNamed(other.fields, name)?.type ?? "");
      if (from !== to && enumsBefore?.has(from) && !enumsAfter?.has(from) && enumsAfter?.has(to)) {
        targets.set(from, to);
      }
    }
  }
  const enums = [...targets].map(
    ([from, to]): Rename => ({ kind: "enum", owner: null, from, to, certain: true, why: "structure" }),
  );
  const values = [...(enumsBefore?.values() ?? [])].flatMap((one) => {
    const other = enumsAfter?.get(targets.get(one.name) ?? one.name);
    return (one.values ?? []).flatMap(({ name: from }): Rename[] => {
      const to = stated("enum-value", one.name, from);
      const isPair = to !== undefined && findNamed(other?.values ?? [], to);
      return isPair
        ? [{ kind: "enum-value", owner: one.name, from, to, certain: true, why: "confirmed" }]
        : [];
    });
  });
  return [...entities, ...enums, ...fields, ...values].sort(
    (a, b) =>
      compareCodeUnits(a.kind, b.kind) ||
      compareCodeUnits(a.owner ?? "", b.owner ?? "") ||
      compareCodeUnits(a.from, b.from),
  );
}

/** Returns the renames that become certain if one of them is confirmed, without that one. */
export function findFollowers(
  models: { readonly before: EntityModel; readonly after: EntityModel },
  rename: ConfirmedRename,
  options: RenameOptions = {},
): Rename[] {
  const { before, after } = models;
  const known = new Set(
    findApiRenames(before, after, options).flatMap((one) => (one.certain ? keyOf(one) : [])),
  );
  const confirmed = [...(options.confirmed ?? []), rename];
  return findApiRenames(before, after, { ...options, confirmed }).filter(
    (one) => one.certain && keyOf(one) !== keyOf(rename) && !known.has(keyOf(one)),
  );
}

function keyOf({ kind, owner, from, to }: ConfirmedRename): string {
  return [kind, owner, from, to].join(" ");
}

function indexRows({ definitions }: EntityModel): Map<string, RowDefinition> {
  return indexByName(definitions.filter(isRowDefinition));
}
