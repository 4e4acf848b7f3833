import { cached } from "../../../base/cached.ts";
import { findNamed, indexByName } from "../../../base/find-named.ts";
import { groupBy } from "../../../base/group-by.ts";
import { once } from "../../../base/once.ts";
import { baseTypeName, isList } from "../../../base/type-expression.ts";
import type { Entity, EntityField, EntityModel } from "../../../schema/entity-model.ts";
import { entityOrigin, fieldOrigin, type Origin } from "../../../schema/origin.ts";
import type { Comparable } from "../derive/comparison-exp.ts";
import { COLUMN_SCALARS, referenceColumn } from "../derive/tables.ts";
import { FEATURES } from "../platform-features.ts";

/** A column of an entity's table in one model, and what it is derived from. */
export type ColumnSource = {
  readonly name: string;
  /** What it may be compared as: lists of big numbers became lists of text with a release (A.3). */
  readonly kinds: readonly Comparable[];
  readonly owner: string;
  readonly field: EntityField;
  /** The entity it refers to, whose id it has the type of. */
  readonly target: string | null;
};

/** What a column is derived from: its field, and for a reference the id it has the type of. */
export function columnOrigins({ owner, field, target }: ColumnSource): Origin[] {
  const own = fieldOrigin(owner, field.name);
  if (target !== null) return [own, fieldOrigin(target, "id")];
  return isBigNumberList(field) ? [own, FEATURES.bigNumberLists] : [own];
}

type RelationSource = {
  readonly target: string;
  readonly list: boolean;
  readonly origins: readonly Origin[];
};

/** The table of one entity in one model. */
export type TableSource = {
  readonly name: string;
  readonly column: (name: string) => ColumnSource | undefined;
  readonly relation: (name: string) => RelationSource | undefined;
  readonly columns: () => readonly ColumnSource[];
  /** Marked `@internal`, which newer releases hide from clients (A.7). */
  readonly internal: boolean;
};

/** The tables of a model's entities, as of no release in particular. */
export type TableSources = {
  /** Made when it is first asked for: most comparisons concern few tables. */
  readonly find: (name: string) => TableSource | undefined;
  readonly names: () => Iterable<string>;
  readonly listsOf: (name: string) => readonly ListSource[];
};

type ListSource = {
  readonly owner: string;
  readonly field: string;
  /** Whether its owner may be hidden from clients. */
  readonly internal: boolean;
};

/** Takes a model for tables. */
export function createTableSources(model: EntityModel): TableSources {
  const entities = indexByName(model.definitions.filter((definition) => definition.kind === "entity"));
  const tables = new Map<string, TableSource>();
  const lists = once(() => groupBy(allLists(entities.values()), ({ target }) => target));
  return {
    find: (name) => {
      const entity = entities.get(name);
      return entity && cached(tables, name, () => tableSource(entity, entities));
    },
    names: () => entities.keys(),
    listsOf: (name) => lists().get(name) ?? [],
  };
}

function* allLists(entities: Iterable<Entity>): Generator<ListSource & { readonly target: string }> {
  for (const { name: owner, fields, internal = false } of entities) {
    for (const { name: field, type, derived } of fields) {
      if (derived) yield { owner, field, internal, target: baseTypeName(type) };
    }
  }
}

function tableSource(entity: Entity, entities: ReadonlyMap<string, Entity>): TableSource {
  const columns = once(() => entity.fields.flatMap((field) => columnSource(field, entity, entities) ?? []));
  const fieldNamed = (name: string) => findNamed(entity.fields, name);
  return {
    name: entity.name,
    internal: entity.internal ?? false,
    column: (name) => {
      const field = fieldNamed(name);
      const own = field && columnSource(field, entity, entities);
      if (own?.name === name) return own;
      if (!name.endsWith(REFERENCE)) return undefined;
      const reference = fieldNamed(name.slice(0, -REFERENCE.length));
      const column = reference && columnSource(reference, entity, entities);
      return column?.name === name ? column : undefined;
    },
    relation: (name) => {
      const field = fieldNamed(name);
      return field && relationSource(field, entity, entities);
    },
    columns,
  };
}

const REFERENCE = referenceColumn("");

/** The column a field is stored in; undefined for a list of rows. */
function columnSource(
  field: EntityField,
  { name: owner }: Entity,
  entities: ReadonlyMap<string, Entity>,
): ColumnSource | undefined {
  const target = entities.get(baseTypeName(field.type));
  if (target === undefined) {
    return { name: field.name, kinds: columnKinds(field), owner, field, target: null };
  }
  if (field.derived) return undefined;
  const id = findNamed(target.fields, "id");
  const kinds = id ? columnKinds(id) : TEXT;
  return { name: referenceColumn(field.name), kinds, owner, field, target: target.name };
}

const TEXT: readonly Comparable[] = [{ scalar: "String", list: false }];

function relationSource(
  field: EntityField,
  entity: Entity,
  entities: ReadonlyMap<string, Entity>,
): RelationSource | undefined {
  const target = entities.get(baseTypeName(field.type));
  if (target === undefined) return undefined;
  const origins = [fieldOrigin(entity.name, field.name), entityOrigin(target.name)];
  // The relation goes with what it leads to, a column stays.
  if (target.internal || entity.internal) origins.push(FEATURES.internalEntities);
  return { target: target.name, list: field.derived, origins };
}

function columnKinds(field: EntityField): readonly Comparable[] {
  const name = baseTypeName(field.type);
  const list = isList(field.type);
  const scalar = COLUMN_SCALARS.get(name) ?? name.toLowerCase();
  const kind = { scalar, list };
  return isBigNumberList(field) ? [kind, { scalar: "String", list }] : [kind];
}

function isBigNumberList({ type, precise }: EntityField): boolean {
  const name = baseTypeName(type);
  return isList(type) && !precise && (COLUMN_SCALARS.get(name) ?? name) === "numeric";
}
