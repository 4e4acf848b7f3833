import type { Row } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import { type Arguments, enumOf } from "./coerce.ts";
import type { Filter, LateErrors } from "./column-filter.ts";
import { compileFilter, type FilterContext } from "./filter.ts";
import { messages, QueryError, refuse } from "./messages.ts";
import { NULL } from "./query-value.ts";
import type { Quirks } from "./quirks.ts";
import type { EntityFacts, SchemaIndex } from "./schema-index.ts";
import type { SelectedField } from "./select.ts";
import { type ListField, type Order, readOrder, refuseJoin, type Tables } from "./tables.ts";

/** The limits of hosted services, at every level. */
const MAX_FIRST = 1000;
const MAX_SKIP = 5000;
const DEFAULT_FIRST = 100;

/** The parsed arguments of a list field. */
export type Collection = {
  readonly entity: EntityFacts;
  readonly tables: Tables;
  readonly first: number;
  readonly skip: number;
  readonly filter: Filter;
  readonly order: Order;
};

/** The rows of one block, as filters and ranges need them. */
export type CollectionContext = FilterContext & {
  /** The timestamp of the block, in seconds. */
  readonly blockTime: number;
};

/**
 * Parses the arguments of a list field in the server's order.
 *
 * @throws QueryError for an order, range or filter the server refuses.
 */
export function readCollection(list: ListField, context: CollectionContext): Collection {
  const { entity, args, below } = list;
  const { index, tables } = context;
  const order = readOrder(entity, args, index);
  const first = readRange(args, "first", { least: 1, most: MAX_FIRST, fallback: DEFAULT_FIRST });
  const skip = readRange(args, "skip", { least: 0, most: MAX_SKIP, fallback: 0 });
  const late: LateErrors = { written: [], parsed: [], bound: [] };
  const where = compileFilter(args.get("where"), entity, { ...context, late });
  const isAsked = below !== "no ids";
  if (late.written[0] && isAsked) refuse(late.written[0]);
  refuseJoin(order, list, { index, late: late.parsed });
  const [problem] = [...late.parsed, ...late.bound];
  if (problem && isAsked) refuse(problem);
  const filter = entity.kind === "aggregation" ? bucketFilter(where, list, context) : where;
  return { entity, tables, first, skip, filter: counted(filter, context.budget), order };
}

/** Every scanned row counts. */
function counted(filter: Filter, { spend }: Budget): Filter {
  const { matches } = filter;
  return {
    ...filter,
    matches: (row, type) => {
      spend(1);
      return matches(row, type);
    },
  };
}

type Range = { readonly least: number; readonly most: number; readonly fallback: number };

function readRange(args: Arguments, name: string, { least, most, fallback }: Range): number {
  const value = args.get(name);
  if (value?.kind !== "Int") return fallback;
  if (value.value < BigInt(least) || value.value > BigInt(most))
    refuse(messages.range(name, most, value.value));
  return Number(value.value);
}

/** The lengths of intervals in microseconds, the unit of timestamps. */
const LENGTHS: ReadonlyMap<string, bigint> = new Map([
  ["hour", 3_600_000_000n],
  ["day", 86_400_000_000n],
]);

/**
 * Refuses an interval that an aggregation does not have, and null for `current`.
 *
 * @throws QueryError
 */
export function checkBuckets({ args, field, location }: SelectedField, index: SchemaIndex): void {
  const { kind, intervals = [] } = index.entity(field.base) ?? {};
  if (kind !== "aggregation") return;
  if (intervals.length > 0 && !intervals.includes(enumOf(args, "interval") ?? "")) {
    throw new QueryError([messages.panic("we only collect fields that are objects or interfaces")], true);
  }
  if (args.get("current")?.kind === "Null") refuse(messages.invalidArgument("current", NULL, location));
}

/**
 * Restricts the filter of an aggregation to the buckets of the requested interval, if rows hold it in a field
 * `interval`, and drops the incomplete bucket unless it was requested.
 */
function bucketFilter(
  where: Filter,
  { entity, args }: ListField,
  { quirks, blockTime }: { readonly quirks: Quirks; readonly blockTime: number },
): Filter {
  const interval = enumOf(args, "interval");
  const length = LENGTHS.get(interval ?? "");
  if (interval === null || length === undefined) return where;
  const isHeld = entity.attribute("interval") === undefined;
  const included = quirks.hasCurrentBucket && enumOf(args, "current") === "include";
  const now = BigInt(blockTime) * 1_000_000n;

  function isWanted(row: Row): boolean {
    const rowInterval = row["interval"];
    if (isHeld && rowInterval !== undefined && rowInterval !== null && rowInterval !== interval) return false;
    if (included) return true;
    const start = row["timestamp"];
    if (typeof start !== "string" || !/^\d{1,19}$/.test(start)) return true;
    const began = BigInt(start);
    return began > now || began + (length ?? 0n) <= now;
  }

  return { ...where, matches: (row, type) => where.matches(row, type) && isWanted(row) };
}
