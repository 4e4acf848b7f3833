import type { Row, RowValue } from "../../read-view.ts";
import type { Collection, CollectionContext } from "./collection.ts";
import { idOrder } from "./order.ts";
import { placesIn, rankCovers, rankWords } from "./rank-text.ts";
import type { TextSearch } from "./schema-index.ts";
import { isListValue } from "./stored-value.ts";
import type { Entry } from "./tables.ts";
import { matchesText, parseTextQuery } from "./text-query.ts";
import { buildWords } from "./text-words.ts";

/**
 * The page of a fulltext search (B.10). The server sorts by rank as by any other value, so that what matches least comes
 * first.
 *
 * @throws QueryError for a query the database cannot read.
 */
export function searchFulltext(
  text: string,
  { fields, language, algorithm }: TextSearch,
  { entity, first, skip, filter }: Collection,
  { index, tables, budget }: CollectionContext,
): readonly Entry[] {
  const query = parseTextQuery(text);
  if (query === null) return [];
  const rankOf = algorithm === "proximityRank" ? rankCovers : rankWords;
  const ranks = new Map<Row, number>();
  const found: Entry[] = [];
  for (const type of index.concreteTypes(entity.name)) {
    for (const row of tables.store.rows(type)) {
      if (!filter.matches(row, type)) continue;
      const texts = fields.flatMap((field) => textsOf(row[field] ?? null));
      const words = buildWords(texts, language === "en");
      budget.spend(Math.ceil(words.size / WORDS));
      const isFound = matchesText(query, (word) => (word.missing ? [] : placesIn(words, word).flat()));
      if (!isFound) continue;
      found.push({ type, row });
      ranks.set(row, rankOf(query, words, budget));
    }
  }
  const of = ({ row }: Entry) => ranks.get(row) ?? 0;
  return tables
    .sortEntries(idOrder(entity), found)
    .toSorted((a, b) => of(a) - of(b))
    .slice(skip, skip + first);
}

/** So many words cost what a row costs. */
const WORDS = 8;

function textsOf(value: RowValue): readonly string[] {
  if (isListValue(value)) return value.flatMap(textsOf);
  return typeof value === "string" ? [value] : [];
}
