import { cached, once } from "../../../src/base/collections.ts";
import type { Row, RowValue } from "../../styles/read-view.ts";
import type { Write, WrittenTable } from "../rows/create-store-versions.ts";
import type { MadeRow, RowMaker } from "./create-row-maker.ts";
import { type Calendar, countAt, countBefore, type Growth, NO_GROWTH } from "./plan-growth.ts";
import type { Aggregate, PlannedEntity, RollUp } from "./row-plan.ts";

type SeededTableOptions = {
  readonly maker: RowMaker;
  readonly growth: ReadonlyMap<string, Growth>;
  readonly calendar: Calendar;
  /** The entity that a roll-up aggregates. */
  readonly source: PlannedEntity | undefined;
  readonly createdIn: (entity: string, index: number) => number;
  readonly render: (row: MadeRow) => Row;
};

/** Creates the table of an entity. Generates no other entity, so that a query only costs what it reads. */
export function createSeededTable(entity: PlannedEntity, options: SeededTableOptions): WrittenTable {
  return entity.rollUp === null ? createOwnTable(entity, options) : createRolledTable(entity, options);
}

function createOwnTable(entity: PlannedEntity, options: SeededTableOptions): WrittenTable {
  const { maker, createdIn, render } = options;
  const newRows = generationsOf(entity, options);
  const changed = new Map<number, { readonly row: MadeRow; readonly version: number }>();

  function change(index: number): MadeRow {
    const before = changed.get(index) ?? { row: maker.make(entity, index), version: 0 };
    const version = before.version + 1;
    const row = maker.change(before.row, { entity, index, version });
    changed.set(index, { row, version });
    return row;
  }

  return {
    rows: () => newRows(0).map(render),
    writtenAt: (_, position) => createdIn(entity.name, position),
    writesUntil: createWriter(entity, options, (event) => {
      if (event.kind === "generation") return newRows(event.generation);
      return event.entity === entity.name ? [change(event.index)] : [];
    }),
  };
}

function createRolledTable(entity: PlannedEntity, options: SeededTableOptions): WrittenTable {
  const { maker, createdIn, render, source } = options;
  if (entity.rollUp === null || source === undefined)
    return { rows: () => [], writtenAt: () => 0, writesUntil: () => [] };
  const state = createRollUp(entity.rollUp, entity.fields.keys());
  const newRows = generationsOf(source, options);
  const add = (row: MadeRow) =>
    state.add(row).map(({ index, values }) => ({ index, row: maker.make(entity, index, values) }));
  /** Existing rows are aggregated before later ones. */
  const base = once(() => {
    const rolled = new Map<number, { readonly row: MadeRow; readonly block: number }>();
    for (const [position, made] of newRows(0).entries()) {
      const block = createdIn(source.name, position);
      for (const { index, row } of add(made)) rolled.set(index, { row, block });
    }
    return [...rolled.values()];
  });
  const write = createWriter(entity, options, (event) =>
    event.kind === "generation"
      ? newRows(event.generation).flatMap((made) => add(made).map(({ row }) => row))
      : [],
  );
  return {
    rows: () => base().map(({ row }) => render(row)),
    writtenAt: (_, position) => base()[position]?.block ?? 0,
    writesUntil: (until) => {
      base();
      return write(until);
    },
  };
}

/** Returns the function that makes the new rows of an entity in a generation. */
function generationsOf(
  entity: PlannedEntity,
  { maker, growth }: SeededTableOptions,
): (generation: number) => MadeRow[] {
  const rate = growth.get(entity.name) ?? NO_GROWTH;
  return (generation) => {
    const from = countBefore(rate, generation);
    const length = countAt(rate, generation) - from;
    return Array.from({ length }, (_, index) => maker.make(entity, from + index));
  };
}

function createWriter(
  { name }: PlannedEntity,
  { calendar, render }: SeededTableOptions,
  rowsAt: (event: ReturnType<Calendar["until"]>[number]) => readonly MadeRow[],
): WrittenTable["writesUntil"] {
  let next = 0;
  return (until) => {
    const events = calendar.until(until);
    const writes: Write[] = [];
    for (; next < events.length; next++) {
      const event = events[next];
      if (event === undefined || event.block > until) break;
      for (const made of rowsAt(event)) {
        const row = render(made);
        writes.push({ block: event.block, entity: name, id: String(row["id"]), row });
      }
    }
    return writes;
  };
}

/** A row of a roll-up: its computed values, its number in order of first appearance, and its interval. */
type RolledRow = { readonly index: number; readonly values: ReadonlyMap<string, RowValue> };

type RollUpState = {
  /** Adds a row, in order of time. Returns the changed rows: one per interval. */
  readonly add: (row: MadeRow) => readonly RolledRow[];
};

const SECONDS: ReadonlyMap<string, number> = new Map([
  ["hour", 3600],
  ["day", 86_400],
]);

/** The aggregates of one bucket, or since the start. */
type Sums = Map<string, RowValue>;

/**
 * Creates an empty roll-up. Aggregates of SQL expressions are left to the row maker.
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
    // In SQL, nulls are never equal, so a null dimension ends the accumulation.
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

/** Returns undefined for an aggregate that is not computed. */
function addTo(before: RowValue | undefined, { fn, arg }: Aggregate, row: MadeRow): RowValue | undefined {
  if (fn === "count") return String(BigInt(String(before ?? 0)) + 1n);
  const value = arg === null ? undefined : row.get(arg);
  if (value === undefined) return undefined;
  if (value === null) return before ?? null;
  if (fn === "last") return value;
  if (fn === "first") return before ?? value;
  const number = scaled(value);
  if (number === null) return undefined;
  const former = before === undefined || before === null ? null : scaled(before);
  if (former === null) return unscaled(number);
  if (fn === "sum") return unscaled(former + number);
  return unscaled((fn === "max" ? number > former : number < former) ? number : former);
}

const SCALE = 18;

/** A decimal number in units of 10^-18; null for any other value. */
function scaled(value: RowValue): bigint | null {
  const [, sign = "", whole = "", decimals = ""] = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(String(value)) ?? [];
  return whole === "" ? null : BigInt(`${sign}${whole}${decimals.padEnd(SCALE, "0")}`);
}

function unscaled(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, "0");
  const decimals = digits.slice(-SCALE).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -SCALE)}${decimals === "" ? "" : `.${decimals}`}`;
}
