import type { Row } from "../../read-view.ts";
import { type Arguments, enumOf } from "./coerce.ts";
import type { Filter } from "./column-filter.ts";
import { messages } from "./messages.ts";
import { QueryError, refuse } from "./query-error.ts";
import { NULL } from "./query-value.ts";
import type { Quirks } from "./quirks.ts";
import type { EntityFacts, SchemaIndex } from "./schema-index.ts";
import type { SelectedField } from "./select.ts";

/** How long the buckets of an interval are, in the microseconds timestamps are in. */
const LENGTHS: ReadonlyMap<string, bigint> = new Map([
  ["hour", 3_600_000_000n],
  ["day", 86_400_000_000n],
]);

/**
 * Refuses an interval that an aggregation does not have, and null for what to do with its unfinished bucket.
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
 * Narrows the filter of an aggregation to the buckets of the interval that was asked for, where rows hold theirs
 * in a field `interval`, and leaves out the bucket that is still being filled unless it was asked for (B.10).
 */
export function bucketFilter(
  where: Filter,
  entity: EntityFacts,
  args: Arguments,
  { quirks, blockTime }: { readonly quirks: Quirks; readonly blockTime: number },
): Filter {
  const interval = enumOf(args, "interval");
  const length = LENGTHS.get(interval ?? "");
  if (interval === null || length === undefined) return where;
  const isHeld = entity.attribute("interval") === undefined;
  const included = quirks.hasCurrentBucket && enumOf(args, "current") === "include";
  const now = BigInt(blockTime) * 1_000_000n;

  function isWanted(row: Row): boolean {
    const own = row["interval"];
    if (isHeld && own !== undefined && own !== null && own !== interval) return false;
    if (included) return true;
    const start = row["timestamp"];
    if (typeof start !== "string" || !/^\d{1,19}$/.test(start)) return true;
    const began = BigInt(start);
    return began > now || began + (length ?? 0n) <= now;
  }

  return { ...where, matches: (row, type) => where.matches(row, type) && isWanted(row) };
}
