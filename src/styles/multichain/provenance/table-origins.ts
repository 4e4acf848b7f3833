import { cached } from "../../../base/cached.ts";
import { once } from "../../../base/once.ts";
import { entityOrigin, fieldOrigin, type Origin } from "../../../schema/origin.ts";
import { operandsOf, predicateScalar } from "../derive/aggregates.ts";
import { INTERNAL_TABLE_NAMES } from "../derive/internal-tables.ts";
import {
  ADDED_COLUMNS,
  aggregatesOf,
  COLUMN_FEATURES,
  FEATURES,
  tableFeature,
} from "../platform-features.ts";
import { type ColumnSource, columnOrigins, type TableSource, type TableSources } from "./table-sources.ts";

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
