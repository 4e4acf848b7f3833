import type { Row, RowValue } from "../../read-view.ts";
import type { Collection, CollectionContext } from "./collection.ts";
import { idOrder } from "./order.ts";
import { isListValue } from "./stored-value.ts";
import type { Entry } from "./tables.ts";
import { parseTextQuery } from "./text-query.ts";

/**
 * The page of a fulltext search (B.10): by whole words without regard to language. The server sorts by rank as by any
 * other value, so that the rows with the fewest of the words come first.
 *
 * @throws QueryError for a query the database cannot read.
 */
export function searchFulltext(
  text: string,
  fields: readonly string[],
  { entity, first, skip, filter }: Collection,
  { index, tables }: CollectionContext,
): readonly Entry[] {
  const query = parseTextQuery(text);
  const ranks = new Map<Row, number>();
  const found: Entry[] = [];
  for (const type of index.concreteTypes(entity.name)) {
    for (const row of tables.store.rows(type)) {
      const at = filter.matches(row, type) ? query.find(wordsOf(row, fields)) : null;
      if (at === null) continue;
      found.push({ type, row });
      ranks.set(row, at.length);
    }
  }
  const rankOf = ({ row }: Entry) => ranks.get(row) ?? 0;
  return tables
    .sortEntries(idOrder(entity), found)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(skip, skip + first);
}

function wordsOf(row: Row, fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => splitWords(row[field] ?? null));
}

function splitWords(value: RowValue): readonly string[] {
  if (isListValue(value)) return value.flatMap(splitWords);
  return typeof value === "string" ? (value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) : [];
}
