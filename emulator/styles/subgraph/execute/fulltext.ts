import type { Row, RowValue } from "../../read-view.ts";
import type { Collection, CollectionContext } from "./collection.ts";
import { isListValue } from "./stored-value.ts";
import type { Entry } from "./tables.ts";
import { parseTextQuery } from "./text-query.ts";

/**
 * The page of a fulltext search (B.10): over all text of an entity, which is more than the fields its authors
 * chose where they chose some, and by whole words without regard to language. The rows with most of the words
 * come first.
 *
 * @throws QueryError for a query the database cannot read.
 */
export function searchFulltext(
  text: string,
  { entity, first, skip, filter }: Collection,
  { index, tables }: CollectionContext,
): readonly Entry[] {
  const query = parseTextQuery(text);
  const found: { readonly entry: Entry; readonly rank: number }[] = [];
  for (const type of index.concreteTypes(entity.name)) {
    for (const row of tables.store.rows(type)) {
      if (!filter.matches(row, type)) continue;
      const words = wordsOf(row, entity.textFields);
      const at = query.find(words);
      if (at !== null) found.push({ entry: { type, row }, rank: at.length });
    }
  }
  const sorted = tables.sortEntries(
    { field: "id", child: null, valueType: entity.attribute("id")?.valueType ?? "ID" },
    found.map(({ entry }) => entry),
  );
  const ranks = new Map(found.map(({ entry, rank }) => [entry.row, rank]));
  const rankOf = ({ row }: Entry) => ranks.get(row) ?? 0;
  return sorted.toSorted((a, b) => rankOf(b) - rankOf(a)).slice(skip, skip + first);
}

function wordsOf(row: Row, fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => splitWords(row[field] ?? null));
}

function splitWords(value: RowValue): readonly string[] {
  if (isListValue(value)) return value.flatMap(splitWords);
  return typeof value === "string" ? (value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) : [];
}
