import type { RowValue } from "../../../emulator/styles/read-view.ts";
import { type Column, columnName } from "../../emulator/agreement/facts.ts";
import type { Tables } from "../../emulator/agreement/tables.ts";
import { formatTime } from "../../emulator/agreement/time.ts";
import { FACTS } from "./schema.ts";

/** The types of PostgreSQL whose names differ from those of their scalars. */
const TYPES: Readonly<Record<string, string>> = {
  String: "text",
  Int: "integer",
  float8: "double precision",
  Boolean: "boolean",
};

/** The statement that creates the tables, without foreign keys, like Envio. */
export const CREATE_TABLES = [
  `CREATE TYPE mood AS ENUM ('WILD', 'CALM', 'BRISK')`,
  ...[...FACTS.values()].map(({ name, columns }) => {
    const written = columns.map((column) => {
      return `"${columnName(column)}" ${storedType(column)}${column.required ? " NOT NULL" : ""}`;
    });
    return `CREATE TABLE "${name}" (${written.join(", ")})`;
  }),
].join("; ");

/** The type of a column; `scale` gives those of numbers. */
function storedType(column: Column): string {
  const { scale, list } = column;
  return scale === undefined ? sqlType(column) : `numeric(78, ${scale})${list ? "[]" : ""}`;
}

/** The type of the values of a column, without the precision of numbers. */
export function sqlType({ scalar, list }: Column): string {
  return `${TYPES[scalar] ?? scalar}${list ? "[]" : ""}`;
}

/** The statements that replace all rows. */
export function replaceRows(tables: Tables): string {
  return [
    `TRUNCATE ${[...FACTS.keys()].map((name) => `"${name}"`).join(", ")}`,
    ...[...FACTS.values()].flatMap(({ name, columns }) => {
      const tuples = (tables.get(name) ?? []).map((row) => {
        const values = columns.map((column) => {
          return `${literal(column, row[column.name] ?? null)}::${storedType(column)}`;
        });
        return `(${values.join(", ")})`;
      });
      return tuples.length === 0 ? [] : [`INSERT INTO "${name}" VALUES ${tuples.join(", ")}`];
    }),
  ].join("; ");
}

function literal(column: Column, value: RowValue): string {
  if (value === null) return "NULL";
  if (Array.isArray(value)) return `ARRAY[${value.map((item) => literal(column, item)).join(", ")}]`;
  if (column.kind === "Timestamp") return quote(formatTime(String(value)));
  // Zero keeps its sign.
  return quote(Object.is(value, -0) ? "-0" : String(value));
}

/** A text as a literal of SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
