import { cached } from "../../base/cached.ts";
import type { RootNames } from "../../schema/api-schema.ts";
import type { EntityModel } from "../../schema/entity-model.ts";
import { distinctOrigins, type Origin } from "../../schema/origin.ts";
import { parseCoordinate } from "../../schema/parse-coordinate.ts";
import type { Provenance } from "../style.ts";
import { PLATFORM_DIRECTIVE_NAMES } from "./derive/platform-types.ts";
import { FEATURES } from "./platform-features.ts";
import { type Family, familyOf } from "./provenance/api-families.ts";
import { createComparisonOrigins } from "./provenance/comparison-origins.ts";
import { createTableFinder, type TableOrigins } from "./provenance/table-origins.ts";
import { createTableSources } from "./provenance/table-sources.ts";

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
