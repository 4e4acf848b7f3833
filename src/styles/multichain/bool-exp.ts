import type { ApiInputObject } from "../../schema/api-schema.ts";
import { input, inputType } from "./api-types.ts";
import { comparisonName } from "./comparison-exp.ts";
import type { Table } from "./tables.ts";

/**
 * `Stream_bool_exp`: what `where` takes. Comments of columns do not appear in it.
 *
 * @param aggregatable the tables whose aggregates are public, which can then be filtered by too.
 */
export function boolExp(table: Table, aggregatable: ReadonlySet<string>): ApiInputObject {
  const name = `${table.name}_bool_exp`;
  const relations = [...table.objectRelations, ...table.arrayRelations];
  return inputType(
    name,
    `Boolean expression to filter rows from the table "${table.name}". All fields are combined with a logical 'AND'.`,
    [
      input("_and", `[${name}!]`),
      input("_not", name),
      input("_or", `[${name}!]`),
      ...table.columns.map((column) => input(column.name, comparisonName(column))),
      ...relations.map((relation) => input(relation.name, `${relation.table}_bool_exp`)),
      ...table.arrayRelations
        .filter((relation) => aggregatable.has(relation.table))
        .map((relation) => input(`${relation.name}_aggregate`, `${relation.table}_aggregate_bool_exp`)),
    ],
  );
}
