import { cached, findNamed, groupBy, indexByName, once } from "../../base/collections.ts";
import { baseTypeName, isList, type RootNames } from "../api-schema.ts";
import type { Entity, EntityField, EntityModel } from "../entity-model.ts";
import { parseCoordinate } from "../locate.ts";
import { distinctOrigins, entityOrigin, fieldOrigin, type Origin } from "../origin.ts";
import type { DerivedNames, Provenance } from "../style.ts";
import { operandsOf, predicateScalar } from "./aggregates.ts";
import { MULTICHAIN_SCALARS, PLATFORM_DIRECTIVE_NAMES } from "./platform-types.ts";
import {
  ADDED_COLUMNS,
  aggregatesOf,
  COLUMN_FEATURES,
  FEATURES,
  scalarFeature,
  tableFeature,
} from "./recognize.ts";
import { type Comparable, comparisonName } from "./table-types.ts";
import { COLUMN_SCALARS, INTERNAL_TABLE_NAMES, referenceColumn } from "./tables.ts";

/** Traces coordinates by their names (B.2 to B.9), for all models and all releases and settings that are known. */
export function traceMultichain(models: readonly EntityModel[], roots: RootNames): Provenance {
  const sources = models.map(createTableSources);
  const findTable = createTableFinder(sources);
  const comparisonOrigins = createComparisonOrigins(models, sources);
  const families = new Map<string, readonly OfTable[]>();

  /** What a type is to tables: `Foo_aggregate` the aggregates of `Foo`, or a table itself. */
  function familiesOf(type: string): readonly OfTable[] {
    return cached(families, type, () =>
      splits(type).flatMap(({ name, suffix }): OfTable[] => {
        const table = findTable(name);
        const family = table && familyOf(name, suffix);
        return family ? [{ table, family }] : [];
      }),
    );
  }

  return (coordinate) => {
    const { type, member, argument } = parseCoordinate(coordinate);
    if (type.startsWith("@")) return PLATFORM_DIRECTIVE_NAMES.has(type.slice(1)) ? [FEATURES.directives] : [];
    if (type === roots.queryType || type === roots.subscriptionType) {
      const own = type === roots.queryType ? FEATURES.rootFields : FEATURES.subscriptions;
      return distinctOrigins(member === null ? [own] : rootOrigins(member, argument, findTable));
    }
    const origins = familiesOf(type).flatMap(({ table, family }) =>
      typeOrigins(table, family, member, argument),
    );
    return distinctOrigins([...origins, ...comparisonOrigins(type), ...platformTypeOrigins(type)]);
  };
}

type OfTable = { readonly table: TableOrigins; readonly family: Family };

/** Every way to take a name for a table's and what follows it, the longest table first. */
function splits(text: string): { readonly name: string; readonly suffix: string }[] {
  const parts = [{ name: text, suffix: "" }];
  for (let at = text.lastIndexOf("_"); at > 0; at = text.lastIndexOf("_", at - 1)) {
    parts.push({ name: text.slice(0, at), suffix: text.slice(at) });
  }
  return parts;
}

function rootOrigins(
  field: string,
  argument: string | null,
  findTable: (name: string) => TableOrigins | null,
): Origin[] {
  const origins = splits(field).flatMap(({ name, suffix }): readonly Origin[] => {
    const table = findTable(name);
    if (table === null) return [];
    switch (suffix) {
      case "":
        return argument === null ? table.own : [...table.own, FEATURES.listArguments];
      case "_aggregate":
        return [table.aggregates, ...table.own];
      case "_by_pk":
        return argument === null ? table.own : [...table.column(argument), ...table.own];
      case "_stream":
        return [...table.own, FEATURES.streams];
      default:
        return [];
    }
  });
  return origins.length > 0 ? [...origins, FEATURES.rootFields] : [];
}

function typeOrigins(
  table: TableOrigins,
  family: Family,
  member: string | null,
  argument: string | null,
): readonly Origin[] {
  const { own, aggregates } = table;
  const column = () => (member === null ? [] : table.column(member));
  const operator = ("operator" in family ? family.operator : null) ?? member;
  const ofOperator = () => (operator === null ? [] : table.operator(operator));
  const ofPredicate = () => (operator === null ? [] : table.predicate(operator));
  switch (family.kind) {
    case "row": {
      if (member === null) return own;
      const found = [...table.column(member), ...table.relation(member, true), ...own];
      return argument === null ? found : [...found, FEATURES.listArguments];
    }
    case "filter":
    case "order": {
      const feature = family.kind === "filter" ? FEATURES.filters : FEATURES.order;
      if (member === null) return [...own, feature];
      const found = [...table.column(member), ...table.relation(member, family.kind === "filter")];
      return found.length > 0 ? [...found, ...own, feature] : [feature, ...own];
    }
    case "columns":
      return [...column(), ...own];
    case "cursor-value":
      return [...column(), ...own, FEATURES.subscriptions, FEATURES.streams];
    case "cursor":
      return [...own, FEATURES.subscriptions, FEATURES.streams];
    case "aggregate":
      return [aggregates, ...own];
    case "aggregate-fields":
      return [aggregates, ...ofOperator(), ...own];
    case "operator-fields":
      return [...column(), aggregates, ...ofOperator(), ...own];
    case "aggregate-order":
      return [...ofOperator(), ...table.listers(), ...own, FEATURES.order];
    case "operator-order":
      return [...column(), ...ofOperator(), ...table.listers(), ...own, FEATURES.order];
    case "predicate":
      return [aggregates, ...ofPredicate(), ...table.listers(), ...own];
    case "predicate-columns":
      return [...column(), aggregates, ...ofPredicate(), ...table.listers(), ...own];
  }
}

function platformTypeOrigins(type: string): Origin[] {
  if (type.startsWith("__")) return [FEATURES.metaTypes];
  switch (type) {
    case "query":
      return [FEATURES.rootFields];
    case "subscription":
      return [FEATURES.subscriptions];
    case "order_by":
      return [FEATURES.order];
    case "cursor_ordering":
      return [FEATURES.subscriptions, FEATURES.streams];
    default:
      return [];
  }
}

/** What an API type is to its table. */
export type Family =
  | { readonly kind: "row" | "filter" | "order" | "columns" | "cursor" | "cursor-value" }
  | { readonly kind: "aggregate" | "aggregate-fields" }
  | { readonly kind: "operator-fields"; readonly operator: string }
  /** How a parent is ordered by aggregates of its list. */
  | { readonly kind: "aggregate-order" }
  | { readonly kind: "operator-order"; readonly operator: string }
  /** How a parent is filtered by them; the operator is null for the filter itself. */
  | { readonly kind: "predicate"; readonly operator: string | null }
  | { readonly kind: "predicate-columns"; readonly operator: string };

/** What an API type is to a table by its suffix, such as `_bool_exp` (B.3 to B.9); null for none. */
export function familyOf(table: string, suffix: string): Family | null {
  const plain = PLAIN.get(suffix);
  if (plain !== undefined) return plain;
  const operator = suffix.startsWith("_") ? /^_(\w+?)_(fields|order_by)$/.exec(suffix) : null;
  if (operator?.[1] !== undefined && operandsOf(operator[1]) !== undefined) {
    return { kind: operator[2] === "fields" ? "operator-fields" : "operator-order", operator: operator[1] };
  }
  if (suffix.startsWith(PREDICATE)) {
    const predicate = suffix.slice(PREDICATE.length).replace(/_arguments$/, "");
    const isKnown = predicate === "count" || predicateScalar(predicate) !== undefined;
    return isKnown ? { kind: "predicate", operator: predicate } : null;
  }
  const choice = `_select_column_${table}${PREDICATE}`;
  if (!suffix.startsWith(choice) || !suffix.endsWith(CHOICE)) return null;
  const chosen = suffix.slice(choice.length, -CHOICE.length);
  return predicateScalar(chosen) === undefined ? null : { kind: "predicate-columns", operator: chosen };
}

const PLAIN: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["", { kind: "row" }],
  ["_bool_exp", { kind: "filter" }],
  ["_order_by", { kind: "order" }],
  ["_select_column", { kind: "columns" }],
  ["_stream_cursor_input", { kind: "cursor" }],
  ["_stream_cursor_value_input", { kind: "cursor-value" }],
  ["_aggregate", { kind: "aggregate" }],
  ["_aggregate_fields", { kind: "aggregate-fields" }],
  ["_aggregate_order_by", { kind: "aggregate-order" }],
  ["_aggregate_bool_exp", { kind: "predicate", operator: null }],
]);

const PREDICATE = "_aggregate_bool_exp_";
const CHOICE = "_arguments_columns";

/** Traces a scalar and its comparisons to an enum, to the only columns of a kind, to the platform. */
export function createComparisonOrigins(
  models: readonly EntityModel[],
  sources: readonly TableSources[],
): (type: string) => readonly Origin[] {
  const enums = indexEnums(models);
  const deciding = new Map<string, readonly Origin[]>();
  const indexes = once(() => sources.map(indexUsers));

  return (type) => {
    const scalar = scalarOf(type);
    const known = enums.get(scalar) ?? [];
    const platform = PLATFORM_SCALARS.has(scalar) ? [scalarFeature(scalar)] : [];
    if (known.length === 0 && platform.length === 0) return [];
    const users = cached(deciding, type, () =>
      decidingOrigins(indexes().map((index) => index.get(type) ?? NOBODY)),
    );
    return [...known, ...users, ...platform];
  };
}

/** The columns a type is there for, where some model may be without any. */
function decidingOrigins(users: readonly TypeUsers[]): readonly Origin[] {
  if (users.every(({ certain }) => certain)) return [];
  return distinctOrigins(
    users.flatMap(({ columns }) =>
      columns.flatMap(({ column, table }) => [
        ...columnOrigins(column),
        entityOrigin(table.name),
        ...(table.internal ? [FEATURES.internalEntities] : []),
      ]),
    ),
  );
}

/** The columns of one model that a type is there for. */
type TypeUsers = {
  readonly columns: { readonly column: ColumnSource; readonly table: TableSource }[];
  /** Whether one of them shows in every release. */
  certain: boolean;
};

function indexUsers({ names, find }: TableSources): ReadonlyMap<string, TypeUsers> {
  const index = new Map<string, TypeUsers>();
  for (const name of names()) {
    const table = find(name);
    for (const column of table?.columns() ?? []) {
      if (table === undefined) continue;
      // Lists of big numbers may be lists of text, and what is internal may not show.
      const certain = column.kinds.length === 1 && !table.internal;
      for (const type of new Set(column.kinds.flatMap(typesFor))) {
        const users = cached(index, type, (): TypeUsers => ({ columns: [], certain: false }));
        users.columns.push({ column, table });
        users.certain ||= certain;
      }
    }
  }
  return index;
}

const NOBODY: TypeUsers = { columns: [], certain: false };

/** Those of the platform's own tables count, too, and what only a server's answer has. */
const PLATFORM_SCALARS: ReadonlySet<string> = new Set([...MULTICHAIN_SCALARS.keys(), "contract_type"]);

/** `numeric_comparison_exp`, `String_array_comparison_exp` and `jsonb_cast_exp` are there for a scalar. */
function scalarOf(type: string): string {
  for (const suffix of ["_array_comparison_exp", "_comparison_exp", "_cast_exp"]) {
    if (type.endsWith(suffix)) return type.slice(0, -suffix.length);
  }
  return type;
}

function indexEnums(models: readonly EntityModel[]): Map<string, Origin[]> {
  const enums = models.flatMap(({ definitions }) =>
    definitions.flatMap(({ kind, name }) => (kind === "enum" ? [{ kind, name }] : [])),
  );
  return groupBy(enums, ({ name }) => name.toLowerCase());
}

function typesFor(kind: Comparable): string[] {
  const cast = kind.scalar === "jsonb" && !kind.list ? ["jsonb_cast_exp"] : [];
  return [kind.scalar, comparisonName(kind), ...cast];
}

/** What the parts of a table are derived from, of an entity's or of one of the platform's own. */
export type TableOrigins = {
  readonly name: string;
  readonly own: readonly Origin[];
  readonly aggregates: Origin;
  readonly column: (column: string) => readonly Origin[];
  /** A relation, or the aggregates of its lists, which have to be public where `gated`; empty for none. */
  readonly relation: (member: string, gated: boolean) => readonly Origin[];
  /** What else decides whether it has an aggregate operator: the columns that are all it could take. */
  readonly operator: (operator: string) => readonly Origin[];
  /** The same of a predicate over aggregates. */
  readonly predicate: (operator: string) => readonly Origin[];
  /** What else decides whether it is the target of a list: the lists that are the only ones. */
  readonly listers: () => readonly Origin[];
};

/** Finds a table of the platform's, or of an entity of any of the models. */
export function createTableFinder(models: readonly TableSources[]): (name: string) => TableOrigins | null {
  const known = new Map<string, TableOrigins>();
  const names = [...INTERNAL_TABLE_NAMES, ...models.flatMap((model) => [...model.names()])];
  const lengths = new Set(names.map((name) => name.length));
  return (name) => {
    // Every beginning of long names is asked for, and to look up a name takes time by its length.
    if (!lengths.has(name.length)) return null;
    // What is not a table is not cached: there are many more of those.
    if (!INTERNAL_TABLE_NAMES.has(name) && models.every(({ find }) => find(name) === undefined)) return null;
    return cached(known, name, () => tableOrigins(name, models));
  };
}

function tableOrigins(name: string, models: readonly TableSources[]): TableOrigins {
  const sources = models.flatMap(({ find }) => find(name) ?? []);
  const deciding = new Map<string, readonly Origin[]>();
  const listers = once(() => listerOrigins(name, models));

  /** What decides whether the table has what any column of a kind suffices for: all of them, where a side has none. */
  function decidedBy(key: string, counts: (column: ColumnSource) => boolean): readonly Origin[] {
    return cached(deciding, key, () => {
      const sides = sources.map((source) => source.columns());
      if (sides.every((side) => side.some(counts))) return [];
      return sides.flatMap((side) => side.filter(counts).flatMap(columnOrigins));
    });
  }

  return {
    name,
    own: ownOrigins(name, sources),
    aggregates: aggregatesOf(name),
    column: (column) => {
      const found = sources.flatMap((source) => source.column(column) ?? []);
      const added = sources.length > 0 ? ADDED_COLUMNS.get(column) : undefined;
      const platform = INTERNAL_TABLE_NAMES.has(name) ? COLUMN_FEATURES.get(column) : undefined;
      return [...found.flatMap(columnOrigins), ...(added ? [added] : []), ...(platform ? [platform] : [])];
    },
    relation: (member, gated) => sources.flatMap((source) => relationOrigins(source, member, gated)),
    operator: (operator) => {
      const takes = operandsOf(operator);
      if (takes === undefined) return [];
      const origins = decidedBy(operator, ({ kinds }) => kinds.some(takes));
      // The column it adds is a number.
      return sources.length > 0 ? [...origins, FEATURES.perChainEntities] : origins;
    },
    predicate: (operator) => {
      const scalar = predicateScalar(operator);
      if (scalar === undefined) return [];
      return decidedBy(`predicate ${operator}`, ({ kinds }) =>
        kinds.some((kind) => kind.scalar === scalar && !kind.list),
      );
    },
    listers,
  };
}

function ownOrigins(name: string, sources: readonly TableSource[]): readonly Origin[] {
  const platform = INTERNAL_TABLE_NAMES.has(name) ? [tableFeature(name)] : [];
  if (sources.length === 0) return platform;
  const hidden = sources.some(({ internal }) => internal) ? [FEATURES.internalEntities] : [];
  return [entityOrigin(name), ...hidden, ...platform];
}

const AGGREGATE = "_aggregate";

function relationOrigins({ relation }: TableSource, member: string, gated: boolean): readonly Origin[] {
  const own = relation(member)?.origins ?? [];
  if (!member.endsWith(AGGREGATE)) return own;
  const list = relation(member.slice(0, -AGGREGATE.length));
  if (!list?.list) return own;
  return [...own, ...list.origins, ...(gated ? [aggregatesOf(list.target)] : [])];
}

function listerOrigins(name: string, models: readonly TableSources[]): readonly Origin[] {
  const sides = models.filter(({ find }) => find(name) !== undefined).map(({ listsOf }) => listsOf(name));
  const certain = sides.every((side) => side.some(({ internal }) => !internal));
  const deciding = certain ? [] : sides.flat();
  const hidden = sides.flat().some(({ internal }) => internal) ? [FEATURES.internalEntities] : [];
  return [
    ...deciding.flatMap(({ owner, field }) => [fieldOrigin(owner, field), entityOrigin(owner)]),
    ...hidden,
  ];
}

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

/** What the platform makes of an entity begins with the entity's name, and some of it has the name twice (B.2 to B.9). */
export const renameMultichain: DerivedNames = (from, to) => ({
  type: (name) => {
    const suffix = suffixOf(name, from);
    if (suffix === null || familyOf(from, suffix) === null) return null;
    return `${to}${suffix.replace(`_select_column_${from}_aggregate_`, `_select_column_${to}_aggregate_`)}`;
  },
  rootField: (name) => {
    const suffix = suffixOf(name, from);
    return suffix !== null && ROOT_SUFFIXES.has(suffix) ? `${to}${suffix}` : null;
  },
});

const ROOT_SUFFIXES: ReadonlySet<string> = new Set(["", "_aggregate", "_by_pk", "_stream"]);

function suffixOf(name: string, entity: string): string | null {
  return name.startsWith(entity) ? name.slice(entity.length) : null;
}
