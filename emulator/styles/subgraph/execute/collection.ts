import type { Budget } from "../../budget.ts";
import { bucketFilter } from "./bucket-filter.ts";
import type { Arguments } from "./coerce.ts";
import type { Filter, LateErrors } from "./column-filter.ts";
import { compileFilter, type FilterContext } from "./filter.ts";
import { messages } from "./messages.ts";
import { type Order, readOrder, refuseJoin } from "./order.ts";
import { refuse } from "./query-error.ts";
import type { EntityFacts } from "./schema-index.ts";

/** The limits hosted services run with, at every level (B.3). */
const MAX_FIRST = 1000;
const MAX_SKIP = 5000;
const DEFAULT_FIRST = 100;

/** What the arguments of a list field ask for. */
export type Collection = {
  readonly entity: EntityFacts;
  readonly first: number;
  readonly skip: number;
  readonly filter: Filter;
  readonly order: Order;
};

/** What collections are read for: the rows of one block. */
export type CollectionContext = FilterContext & {
  /** The timestamp of the block, in seconds. */
  readonly blockTime: number;
};

/**
 * Reads the arguments of a list field, on `Query` or on an entity, in the order the server does.
 *
 * @param below whether the collection lies inside another entity, and then whether there is an id to look for, without
 *   which the database is not asked.
 * @throws QueryError for an order, range or filter the server refuses.
 */
export function readCollection(
  entity: EntityFacts,
  args: Arguments,
  context: CollectionContext,
  below: "nothing" | "ids" | "no ids",
): Collection {
  const { index } = context;
  const order = readOrder(entity, args, index);
  const first = readRange(args, "first", 1, MAX_FIRST, DEFAULT_FIRST);
  const skip = readRange(args, "skip", 0, MAX_SKIP, 0);
  const late: LateErrors = { written: [], run: [] };
  const where = compileFilter(args.get("where"), entity, { ...context, late });
  const isAsked = below !== "no ids";
  if (late.written[0] && isAsked) refuse(late.written[0]);
  refuseJoin(order, entity, args, index, below !== "nothing", late.run);
  if (late.run[0] && isAsked) refuse(late.run[0]);
  const filter = entity.kind === "aggregation" ? bucketFilter(where, entity, args, context) : where;
  return { entity, first, skip, filter: counted(filter, context.budget), order };
}

/** Every row that is looked at counts. */
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

/** Reads `first` or `skip`. */
export function readRange(
  args: Arguments,
  name: string,
  least: number,
  most: number,
  fallback: number,
): number {
  const value = args.get(name);
  if (value?.kind !== "Int") return fallback;
  if (value.value < BigInt(least) || value.value > BigInt(most))
    refuse(messages.range(name, most, value.value));
  return Number(value.value);
}
