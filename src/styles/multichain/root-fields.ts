import type { ApiField } from "../../schema/api-schema.ts";
import { field, input } from "./api-types.ts";
import { selectArguments } from "./select.ts";
import { streamArguments } from "./stream-cursor.ts";
import { columnType, type Table } from "./tables.ts";

/**
 * The fields of `query_root` that a table has; `subscription_root` has them too.
 *
 * @param aggregatable the tables whose aggregates are public.
 */
export function queryFields(table: Table, aggregatable: ReadonlySet<string>): ApiField[] {
  const { name } = table;
  const args = selectArguments(name);
  const fields = [field(name, `[${name}!]!`, `fetch data from the table: "${name}"`, args)];
  if (aggregatable.has(name)) {
    fields.push(
      field(
        `${name}_aggregate`,
        `${name}_aggregate!`,
        `fetch aggregated fields from the table: "${name}"`,
        args,
      ),
    );
  }
  if (table.primaryKey.length > 0) {
    const key = table.columns.filter((column) => table.primaryKey.includes(column.name));
    fields.push(
      field(
        `${name}_by_pk`,
        name,
        `fetch data from the table: "${name}" using primary key columns`,
        key.map((column) => input(column.name, `${columnType(column)}!`, column.description)),
      ),
    );
  }
  return fields;
}

/** The field that `subscription_root` has of a table besides. */
export function streamField(table: Table): ApiField {
  const { name } = table;
  return field(
    `${name}_stream`,
    `[${name}!]!`,
    `fetch data from the table in a streaming manner: "${name}"`,
    streamArguments(table),
  );
}
