import { cached } from "../../../src/base/collections.ts";
import type { RowValue } from "../../styles/read-view.ts";
import type { MadeRow } from "./create-row-maker.ts";
import type { Aggregate, RollUp } from "./read-entity-notes.ts";

/** A row of a roll-up: what is computed of it, its number in the order of first appearance, and its interval. */
export type RolledRow = { readonly index: number; readonly values: ReadonlyMap<string, RowValue> };

/** Aggregates the rows of a time series as they come. */
export type RollUpState = {
  /** Adds a row, none of which is earlier than the one before, and gives the rows that changed: one of each interval. */
  readonly add: (row: MadeRow) => readonly RolledRow[];
};

const SECONDS: ReadonlyMap<string, number> = new Map([
  ["hour", 3600],
  ["day", 86_400],
]);

/** What was added up so far, of one bucket or since the start. */
type Sums = Map<string, RowValue>;

/**
 * Creates a roll-up without rows. An aggregate of an SQL expression is not computed, and left to who makes the row.
 *
 * @param fields the fields of the roll-up.
 */
export function createRollUp({ intervals, aggregates }: RollUp, fields: Iterable<string>): RollUpState {
  const dimensions = [...fields].filter((name) => !aggregates.has(name) && !OWN.has(name));
  const buckets = new Map<string, { readonly index: number; readonly sums: Sums }>();
  const totals = new Map<string, Sums>();

  function rowOf(row: MadeRow, interval: string): RolledRow {
    const length = SECONDS.get(interval) ?? 1;
    const time = Number(row.get("timestamp") ?? 0);
    const start = time - (time % length);
    const shared = dimensions.map((name) => [name, row.get(name) ?? null] as const);
    const series = JSON.stringify([interval, shared]);
    const key = `${start} ${series}`;
    const bucket = cached(buckets, key, () => ({ index: buckets.size, sums: new Map() }));
    // To SQL no null is like another, so that nothing goes on behind a dimension that is null.
    const goesOn = shared.every(([, value]) => value !== null);
    const total = goesOn ? cached(totals, series, () => new Map()) : bucket.sums;
    const values = new Map<string, RowValue>([["interval", interval], ["timestamp", start], ...shared]);
    for (const [name, aggregate] of aggregates) {
      const sums = aggregate.cumulative ? total : bucket.sums;
      const value = addTo(sums.get(name), aggregate, row);
      if (value === undefined) continue;
      sums.set(name, value);
      values.set(name, value);
    }
    return { index: bucket.index, values };
  }

  return { add: (row) => intervals.map((interval) => rowOf(row, interval)) };
}

const OWN: ReadonlySet<string> = new Set(["id", "interval", "timestamp"]);

/** Undefined where it is not computed. */
function addTo(before: RowValue | undefined, { fn, arg }: Aggregate, row: MadeRow): RowValue | undefined {
  if (fn === "count") return String(BigInt(String(before ?? 0)) + 1n);
  const value = arg === null ? undefined : row.get(arg);
  if (value === undefined) return undefined;
  // Null takes no part in an aggregate.
  if (value === null) return before ?? null;
  if (fn === "last") return value;
  if (fn === "first") return before ?? value;
  const number = scaled(value);
  if (number === null) return undefined;
  const known = before === undefined || before === null ? null : scaled(before);
  if (known === null) return unscaled(number);
  if (fn === "sum") return unscaled(known + number);
  return unscaled((fn === "max" ? number > known : number < known) ? number : known);
}

const SCALE = 18;

/** A decimal number in units of 10^-18; null for what is none. */
function scaled(value: RowValue): bigint | null {
  const [, sign = "", whole = "", decimals = ""] = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(String(value)) ?? [];
  return whole === "" ? null : BigInt(`${sign}${whole}${decimals.padEnd(SCALE, "0")}`);
}

function unscaled(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, "0");
  const decimals = digits.slice(-SCALE).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -SCALE)}${decimals === "" ? "" : `.${decimals}`}`;
}
