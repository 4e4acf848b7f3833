import type { ApiInputObject } from "../../schema/api-schema.ts";
import { enumType, input, inputType } from "./api-types.ts";
import { operators } from "./operators.ts";
import type { Table } from "./tables.ts";

/**
 * `Stream_order_by`. A list can be ordered by aggregates of its rows even where those aggregates are not
 * public.
 */
export function orderBy(table: Table): ApiInputObject {
  return inputType(`${table.name}_order_by`, `Ordering options when selecting data from "${table.name}".`, [
    ...table.columns.map((column) => input(column.name, "order_by")),
    ...table.objectRelations.map((relation) => input(relation.name, `${relation.table}_order_by`)),
    ...table.arrayRelations.map((relation) =>
      input(`${relation.name}_aggregate`, `${relation.table}_aggregate_order_by`),
    ),
  ]);
}

/** `Action_aggregate_order_by` and what it consists of, for a table that is the target of an array relation. */
export function aggregateOrderBys(table: Table): ApiInputObject[] {
  const available = operators(table);
  return [
    inputType(`${table.name}_aggregate_order_by`, `order by aggregate values of table "${table.name}"`, [
      input("count", "order_by"),
      ...available.map(({ name }) => input(name, `${table.name}_${name}_order_by`)),
    ]),
    ...available.map(({ name, columns }) =>
      inputType(
        `${table.name}_${name}_order_by`,
        `order by ${name}() on columns of table "${table.name}"`,
        columns.map((column) => input(column.name, "order_by", column.description)),
      ),
    ),
  ];
}

/** The enum `order_by`: the directions. */
export const ORDER_BY = enumType("order_by", "column ordering options", [
  { name: "asc", description: "in ascending order, nulls last" },
  { name: "asc_nulls_first", description: "in ascending order, nulls first" },
  { name: "asc_nulls_last", description: "in ascending order, nulls last" },
  { name: "desc", description: "in descending order, nulls first" },
  { name: "desc_nulls_first", description: "in descending order, nulls first" },
  { name: "desc_nulls_last", description: "in descending order, nulls last" },
]);
