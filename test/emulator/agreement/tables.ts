import fc from "fast-check";
import type { Row, RowValue } from "../../../emulator/styles/read-view.ts";
import type { Column, EntityFacts } from "./facts.ts";
import { valuesOf } from "./values.ts";

/** Rows by entity. */
export type Tables = ReadonlyMap<string, readonly Row[]>;

const MOST_ROWS = 24;

/**
 * Generates the tables of a schema. Required references always have a target, because the styles differ if it is
 * missing. Optional references may be null or dangling.
 */
export function tablesOf(facts: ReadonlyMap<string, EntityFacts>): fc.Arbitrary<Tables> {
  const entities = [...facts.values()];
  return fc
    .tuple(...entities.map(({ id }) => fc.uniqueArray(valuesOf(id), { minLength: 1, maxLength: MOST_ROWS })))
    .chain((ids) => {
      const known = new Map(entities.map(({ name }, index) => [name, ids[index] ?? []]));
      return fc.tuple(
        ...entities.map((entity) =>
          fc.tuple(...(known.get(entity.name) ?? []).map((id) => rowOf(entity, String(id), known))),
        ),
      );
    })
    .map((tables) => new Map(entities.map(({ name }, index) => [name, tables[index] ?? []])));
}

function rowOf(
  entity: EntityFacts,
  id: string,
  ids: ReadonlyMap<string, readonly RowValue[]>,
): fc.Arbitrary<Row> {
  const columns = entity.columns.filter(({ name }) => name !== "id");
  return fc
    .record(Object.fromEntries(columns.map((column) => [column.name, stored(column, ids)])))
    .map((values) => ({ id, ...values }));
}

function stored(column: Column, ids: ReadonlyMap<string, readonly RowValue[]>): fc.Arbitrary<RowValue> {
  const value =
    column.target === null
      ? listed(column)
      : column.required
        ? fc.constantFrom(...(ids.get(column.target) ?? []))
        : fc.oneof(fc.constantFrom(...(ids.get(column.target) ?? [])), valuesOf(column));
  return column.required ? value : fc.option(value, { nil: null, freq: 3 });
}

function listed(column: Column): fc.Arbitrary<RowValue> {
  return column.list ? fc.array(valuesOf(column), { maxLength: 4 }) : valuesOf(column);
}
