import type { ApiObject } from "../../schema/api-schema.ts";
import { field, input, objectType } from "./api-types.ts";
import { operators } from "./operators.ts";
import type { Table } from "./tables.ts";

/** `Stream_aggregate` and what it consists of, for a table whose aggregates are public. */
export function aggregateTypes(table: Table): ApiObject[] {
  const { name } = table;
  const available = operators(table);
  return [
    objectType(`${name}_aggregate`, `aggregated selection of "${name}"`, [
      field("aggregate", `${name}_aggregate_fields`),
      field("nodes", `[${name}!]!`),
    ]),
    objectType(`${name}_aggregate_fields`, `aggregate fields of "${name}"`, [
      field("count", "Int!", null, [
        input("columns", `[${name}_select_column!]`),
        input("distinct", "Boolean"),
      ]),
      ...available.map((operator) => field(operator.name, `${name}_${operator.name}_fields`)),
    ]),
    ...available.map((operator) =>
      objectType(
        `${name}_${operator.name}_fields`,
        `aggregate ${operator.name} on columns`,
        operator.columns.map((column) => field(column.name, operator.resultType(column), column.description)),
      ),
    ),
  ];
}
