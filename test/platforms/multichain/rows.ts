import fc from "fast-check";
import type { Row, RowValue } from "../../../emulator/styles/read-view.ts";
import { type Column, TABLES } from "./schema.ts";
import { formatTime, type Value, valuesOf } from "./values.ts";

/** Rows by table, in the order they were written. */
export type Rows = ReadonlyMap<string, readonly Row[]>;

/** Rows of every table. Without foreign keys, some references have no target. */
export const rowsOfTables: fc.Arbitrary<Rows> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom("h1", "h2", "H1", "h-1", "h_1", "é"), { maxLength: 4 }),
    fc.uniqueArray(fc.integer({ min: -2, max: 5 }), { maxLength: 3 }),
    fc.uniqueArray(
      fc.oneof(fc.integer({ min: 0, max: 20 }).map(String), fc.constantFrom("x-1", "X-1", "x_1", "é", "😀")),
      { maxLength: 12 },
    ),
  )
  .chain(([hubs, tallies, things]) => {
    const ids: Readonly<Record<string, readonly Value[]>> = { Hub: hubs, Tally: tallies, Thing: things };
    return fc.tuple(
      ...TABLES.map(({ name, columns }) => fc.tuple(...(ids[name] ?? []).map((id) => rowOf(columns, id)))),
    );
  })
  .map((tables) => new Map(TABLES.map(({ name }, index) => [name, tables[index] ?? []])));

const REFERENCES: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  hub_id: fc.constantFrom("h1", "h2", "H1", "nowhere"),
  guest_id: fc.constantFrom("h1", "h2", "h-1", "é"),
  tally_id: fc.integer({ min: -2, max: 5 }),
};

function rowOf(columns: readonly Column[], id: Value): fc.Arbitrary<Row> {
  return fc.record(
    Object.fromEntries(
      columns.map((column) => [column.field, column.name === "id" ? fc.constant(id) : stored(column)]),
    ),
  );
}

function stored(column: Column): fc.Arbitrary<RowValue> {
  const one = REFERENCES[column.name] ?? valuesOf(column);
  const value: fc.Arbitrary<RowValue> = column.list ? fc.array(one, { maxLength: 3 }) : one;
  return column.required ? value : fc.option(value, { nil: null, freq: 4 });
}

/** The statement that creates the tables, without foreign keys, like Envio. */
export const CREATE_TABLES = [
  `CREATE TYPE mood AS ENUM ('WILD', 'CALM', 'BRISK')`,
  ...TABLES.map(
    ({ name, columns }) =>
      `CREATE TABLE "${name}" (${columns
        .map((column) => `"${column.name}" ${sqlType(column)}${column.required ? " NOT NULL" : ""}`)
        .join(", ")})`,
  ),
].join("; ");

/** The type of a column. Lists of big numbers are lists of numbers with a precision, and else of texts. */
export function sqlType({ type, list, sdl }: Column): string {
  const precise = /precision: (\d+)\)/.exec(sdl);
  return `${list && precise ? `numeric(${precise[1]}, 0)` : type}${list ? "[]" : ""}`;
}

/** The statements that replace all rows. */
export function replaceRows(rows: Rows): string {
  return [
    `TRUNCATE ${TABLES.map(({ name }) => `"${name}"`).join(", ")}`,
    ...TABLES.flatMap(({ name, columns }) => {
      const tuples = (rows.get(name) ?? []).map(
        (row) =>
          `(${columns.map((column) => `${literal(column, row[column.field] ?? null)}::${sqlType(column)}`).join(", ")})`,
      );
      return tuples.length === 0 ? [] : [`INSERT INTO "${name}" VALUES ${tuples.join(", ")}`];
    }),
  ].join("; ");
}

function literal(column: Column, value: RowValue): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return `ARRAY[${value.map((item) => literal(column, item)).join(", ")}]`;
  if (column.type === "timestamptz") return quote(formatTime(String(value)));
  // Zero keeps its sign.
  return quote(Object.is(value, -0) ? "-0" : String(value));
}

/** A text as a literal of SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
