import { cached, groupBy, once } from "../../base/collections.ts";
import type { RootNames } from "../api-schema.ts";
import type { EntityModel } from "../entity-model.ts";
import { parseCoordinate } from "../locate.ts";
import { distinctOrigins, entityOrigin, type Origin } from "../origin.ts";
import type { OriginLookup } from "../style.ts";
import { FEATURES, scalarFeature } from "./features.ts";
import { rootFieldsOf, type TableType, typesOf } from "./names.ts";
import { CONTRACT_TYPE, MULTICHAIN_SCALARS, PLATFORM_DIRECTIVE_NAMES } from "./platform-types.ts";
import {
  columnOrigins,
  createModelTables,
  kindsOf,
  type ModelTables,
  type TableOrigins,
  tableOrigins,
} from "./table-origins.ts";
import { comparisonName } from "./table-types.ts";
import { type Column, INTERNAL_TABLE_NAMES, type Table } from "./tables.ts";

/** Traces coordinates by names derived from tables, for all models, releases and settings. */
export function traceMultichain(models: readonly EntityModel[], roots: RootNames): OriginLookup {
  const tables = models.map(createModelTables);
  const origins = new Map<string, TableOrigins>();
  const originsOf = (table: string) => cached(origins, table, () => tableOrigins(table, tables));
  const comparisonOrigins = createComparisonOrigins(models, tables);
  const names = new Set([...INTERNAL_TABLE_NAMES, ...tables.flatMap((each) => each.names)]);
  const findTypes = createDerivedFinder(names, typesOf);
  const findRootFields = createDerivedFinder(names, rootFieldsOf);

  function rootOrigins(field: string, argument: string | null): Origin[] {
    const origins = findRootFields(field).flatMap(({ table, derived: { kind } }) => {
      const { self, aggregates, column } = originsOf(table);
      if (kind === "aggregate") return [aggregates, ...self];
      if (kind === "stream") return [...self, FEATURES.streams];
      if (argument === null) return self;
      return kind === "rows" ? [...self, FEATURES.listArguments] : [...column(argument), ...self];
    });
    return origins.length > 0 ? [...origins, FEATURES.rootFields] : [];
  }

  return (coordinate) => {
    const { type, member, argument } = parseCoordinate(coordinate);
    if (type.startsWith("@")) return PLATFORM_DIRECTIVE_NAMES.has(type.slice(1)) ? [FEATURES.directives] : [];
    if (type === roots.queryType || type === roots.subscriptionType) {
      if (member !== null) return distinctOrigins(rootOrigins(member, argument));
      return [type === roots.queryType ? FEATURES.rootFields : FEATURES.subscriptions];
    }
    const origins = findTypes(type).flatMap(({ table, derived }) =>
      typeOrigins(originsOf(table), derived, { member, argument }),
    );
    const platform = type.startsWith("__") ? [FEATURES.metaTypes] : (PLATFORM_TYPES.get(type) ?? []);
    return distinctOrigins([...origins, ...comparisonOrigins(type), ...platform]);
  };
}

/** Finds the tables from which a name is derived: for `Foo_aggregate`, a table with that name, then the table `Foo`. */
function createDerivedFinder<T extends { readonly name: string }>(
  tables: ReadonlySet<string>,
  derivedOf: (table: string) => readonly T[],
): (name: string) => readonly { readonly table: string; readonly derived: T }[] {
  const index = once(() => {
    const longestFirst = [...tables].sort((a, b) => b.length - a.length);
    const pairs = longestFirst.flatMap((table) => derivedOf(table).map((derived) => ({ table, derived })));
    return groupBy(pairs, ({ derived }) => derived.name);
  });
  return (name) => index().get(name) ?? [];
}

type Member = { readonly member: string | null; readonly argument: string | null };

function typeOrigins(
  table: TableOrigins,
  { role, operator: name }: TableType,
  { member, argument }: Member,
): readonly Origin[] {
  const { self, aggregates } = table;
  const column = () => (member === null ? [] : table.column(member));
  const operator = name ?? member;
  const ofOperator = () => (operator === null ? [] : table.operator(operator));
  const ofPredicate = () => (operator === null ? [] : table.predicate(operator));
  switch (role) {
    case "row": {
      if (member === null) return self;
      const origins = [...table.column(member), ...table.relation(member, true), ...self];
      return argument === null ? origins : [...origins, FEATURES.listArguments];
    }
    case "filter":
    case "order": {
      const feature = role === "filter" ? FEATURES.filters : FEATURES.order;
      if (member === null) return [...self, feature];
      const origins = [...table.column(member), ...table.relation(member, role === "filter")];
      return origins.length > 0 ? [...origins, ...self, feature] : [feature, ...self];
    }
    case "columns":
      return [...column(), ...self];
    case "cursor-value":
      return [...column(), ...self, FEATURES.subscriptions, FEATURES.streams];
    case "cursor":
      return [...self, FEATURES.subscriptions, FEATURES.streams];
    case "aggregate":
      return [aggregates, ...self];
    case "aggregate-fields":
      return [aggregates, ...ofOperator(), ...self];
    case "operator-fields":
      return [...column(), aggregates, ...ofOperator(), ...self];
    case "aggregate-order":
      return [...ofOperator(), ...table.listers(), ...self, FEATURES.order];
    case "operator-order":
      return [...column(), ...ofOperator(), ...table.listers(), ...self, FEATURES.order];
    case "predicate":
      return [aggregates, ...ofPredicate(), ...table.listers(), ...self];
    case "predicate-columns":
      return [...column(), aggregates, ...ofPredicate(), ...table.listers(), ...self];
  }
}

const PLATFORM_TYPES: ReadonlyMap<string, readonly Origin[]> = new Map([
  ["query", [FEATURES.rootFields]],
  ["subscription", [FEATURES.subscriptions]],
  ["order_by", [FEATURES.order]],
  ["cursor_ordering", [FEATURES.subscriptions, FEATURES.streams]],
]);

/** Traces a scalar and its comparisons to an enum, to the only columns that need it, or to the platform. */
function createComparisonOrigins(
  models: readonly EntityModel[],
  tables: readonly ModelTables[],
): (type: string) => readonly Origin[] {
  const enums = groupBy(
    models.flatMap(({ definitions }) =>
      definitions.flatMap(({ kind, name }) => (kind === "enum" ? [{ kind, name }] : [])),
    ),
    ({ name }) => name.toLowerCase(),
  );
  const scalars = once(
    () =>
      new Map(
        [...PLATFORM_SCALARS, ...enums.keys()].flatMap((scalar) =>
          comparedBy(scalar).map((type) => [type, scalar]),
        ),
      ),
  );
  const users = once(() => tables.map(indexUsers));
  const deciding = new Map<string, readonly Origin[]>();

  return (type) => {
    const scalar = scalars().get(type);
    if (scalar === undefined) return [];
    return [
      ...(enums.get(scalar) ?? []),
      ...cached(deciding, type, () => decidingOrigins(users().map((index) => index.get(type) ?? []))),
      ...(PLATFORM_SCALARS.has(scalar) ? [scalarFeature(scalar)] : []),
    ];
  };
}

/** The scalars that exist without an entity, including those of the platform's tables and those only in answers. */
const PLATFORM_SCALARS: ReadonlySet<string> = new Set([...MULTICHAIN_SCALARS.keys(), CONTRACT_TYPE]);

/** Returns a scalar and the types that compare it. */
function comparedBy(scalar: string): string[] {
  const comparisons = [false, true].map((list) => comparisonName({ scalar, list }));
  return [scalar, ...comparisons, `${scalar}_cast_exp`];
}

type User = { readonly column: Column; readonly table: Table };

/** Indexes the columns of a model by the types that they need. */
function indexUsers({ names, find }: ModelTables): ReadonlyMap<string, readonly User[]> {
  const index = new Map<string, User[]>();
  for (const table of names.flatMap((name) => find(name) ?? [])) {
    for (const column of table.columns) {
      const types = kindsOf(column).flatMap((kind) => [
        kind.scalar,
        comparisonName(kind),
        ...(kind.scalar === "jsonb" && !kind.list ? ["jsonb_cast_exp"] : []),
      ]);
      for (const type of new Set(types)) cached(index, type, (): User[] => []).push({ column, table });
    }
  }
  return index;
}

/** Returns the origins of the columns that need a type; none if every model certainly has such a column. */
function decidingOrigins(models: readonly (readonly User[])[]): readonly Origin[] {
  // Lists of big numbers may be lists of text, bytes may be text, and an internal table may be hidden.
  const isCertain = ({ column, table }: User) => kindsOf(column).length === 1 && !table.isInternal;
  if (models.every((users) => users.some(isCertain))) return [];
  return distinctOrigins(
    models
      .flat()
      .flatMap(({ column, table }) => [
        ...columnOrigins(column),
        entityOrigin(table.name),
        ...(table.isInternal ? [FEATURES.internalEntities] : []),
      ]),
  );
}
