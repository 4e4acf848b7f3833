import type { FulltextDefinition } from "../../../src/dialects/entity-model.ts";
import { compareText } from "../compare.ts";
import type { Row, RowValue } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import type { Collection, CollectionContext } from "./collection.ts";
import { holdsZero, ZERO_BYTE } from "./column-filter.ts";
import { isListValue } from "./decode-value.ts";
import { messages, refuse } from "./messages.ts";
import { type Entry, idOrder } from "./tables.ts";
import {
  buildWords,
  matchesText,
  parseTextQuery,
  type TextQuery,
  type TextWord,
  type TextWords,
} from "./text-query.ts";

/**
 * The page of a fulltext search. The server sorts by rank like any other value, so the worst match comes first.
 *
 * @throws QueryError for a query the database cannot read.
 */
export function searchFulltext(
  { text, search }: { readonly text: string; readonly search: FulltextDefinition },
  { entity, first, skip, filter }: Collection,
  { index, tables, budget }: CollectionContext,
): readonly Entry[] {
  if (holdsZero(text)) refuse(messages.store(ZERO_BYTE));
  const query = parseTextQuery(text);
  if (query === null) return [];
  const rankOf = search.algorithm === "proximityRank" ? rankCovers : rankWords;
  const ranks = new Map<Row, number>();
  const entries: Entry[] = [];
  for (const type of index.concreteTypes(entity.name)) {
    for (const row of tables.store.rows(type)) {
      if (!filter.matches(row, type)) continue;
      const texts = (search.searched ?? []).flatMap((field) => textsOf(row[field] ?? null));
      const words = buildWords(texts, search.language === "en");
      budget.spend(Math.ceil(words.size / WORDS));
      const isFound = matchesText(query, (word) => (word.missing ? [] : placesIn(words, word).flat()));
      if (!isFound) continue;
      entries.push({ type, row });
      ranks.set(row, rankOf(query, words, budget));
    }
  }
  const of = ({ row }: Entry) => ranks.get(row) ?? 0;
  return tables
    .sortEntries(idOrder(entity), entries)
    .toSorted((a, b) => of(a) - of(b))
    .slice(skip, skip + first);
}

/** This many words cost as much as a row. */
const WORDS = 8;

function textsOf(value: RowValue): readonly string[] {
  if (isListValue(value)) return value.flatMap(textsOf);
  return typeof value === "string" ? [value] : [];
}

/** The positions of a text's words that match a query's word, by word in byte order. */
function placesIn(words: TextWords, { word, prefix }: TextWord): readonly (readonly number[])[] {
  if (!prefix) return words.has(word) ? [words.get(word) ?? []] : [];
  const matching = [...words].filter(([other]) => other.startsWith(word));
  return matching.sort(([a], [b]) => compareText(a, b)).map(([, places]) => places);
}

/** The default weight, in PostgreSQL's 32-bit floats. */
const WEIGHT = Math.fround(0.1);
const TWO_WEIGHTS = Math.fround(WEIGHT * WEIGHT);

/** PostgreSQL's `ts_rank`: by the number of matches, or by the distance between words that must all match. */
function rankWords(query: TextQuery, words: TextWords, { spend }: Budget): number {
  const wanted = [...new Map(operandsOf(query).map((operand) => [operand.word, operand])).values()];
  const placesOfWords = wanted
    .sort((a, b) => compareText(a.word, b.word))
    .map((word) => placesIn(words, word));
  if (words.size === 0) return 0;
  if (wanted.length < 2 || (query.kind !== "and" && query.kind !== "next")) {
    let rank = 0;
    for (const places of placesOfWords.flat()) {
      const often = places.reduce(
        (sum, _, index) => Math.fround(sum + Math.fround(WEIGHT / (index + 1) ** 2)),
        0,
      );
      rank = Math.fround(rank + Math.fround(Math.fround(WEIGHT + often) - WEIGHT) / 1.64493406685);
    }
    return Math.fround(rank / wanted.length);
  }
  let rank = -1;
  // Of the words with the same prefix, the last counts.
  const earlier: (readonly number[])[] = [];
  for (const entries of placesOfWords) {
    for (const places of entries) {
      for (const others of earlier) {
        spend(Math.ceil((places.length * others.length) / PAIRS));
        for (const place of places) {
          for (const other of others) {
            if (place === other) continue;
            const near = Math.fround(Math.sqrt(Math.fround(TWO_WEIGHTS * nearness(Math.abs(place - other)))));
            rank = rank < 0 ? near : Math.fround(1 - (1 - rank) * (1 - near));
          }
        }
      }
    }
    const last = entries.at(-1);
    if (last !== undefined) earlier.push(last);
  }
  return rank < 0 ? Math.fround(1e-20) : rank;
}

/** This many pairs of positions cost as much as a row. */
const PAIRS = 32;

function nearness(distance: number): number {
  return Math.fround(distance > 100 ? 1e-30 : 1 / (1.005 + 0.05 * Math.exp(distance / 1.5 - 2)));
}

/** PostgreSQL's `ts_rank_cd`: by the number of matching stretches of the text, and their density. */
function rankCovers(query: TextQuery, words: TextWords, { spend }: Budget): number {
  const marks = findMarks(query, words);
  let rank = 0;
  for (let from = 0; ; ) {
    const end = matchedAt(marks, from, 1);
    if (end === undefined) return Math.fround(rank);
    const start = matchedAt(marks, end, -1) ?? from;
    const others = end - start;
    const noise = (marks[end]?.place ?? 0) - (marks[start]?.place ?? 0) - others;
    let weights = 0;
    for (let mark = start; mark <= end; mark++) weights += 1 / WEIGHT;
    rank += (others + 1) / weights / (1 + (noise < 0 ? Math.trunc(others / 2) : noise));
    from = start + 1;
  }

  /** How far from a mark the match ends. */
  function matchedAt(all: readonly Mark[], from: number, step: 1 | -1): number | undefined {
    const seen = new Map<TextWord, number[]>();
    for (let at = from; at in all; at += step) {
      const { place, operands } = all[at] as Mark;
      for (const operand of operands) seen.set(operand, [...(seen.get(operand) ?? []), place]);
      spend(1);
      if (matchesText(query, (word) => seen.get(word) ?? [])) return at;
    }
    return undefined;
  }
}

/** A position in a text, and the query's words that match there. */
type Mark = { readonly place: number; readonly operands: readonly TextWord[] };

function findMarks(query: TextQuery, words: TextWords): readonly Mark[] {
  const marks = new Map<readonly number[], TextWord[]>();
  for (const operand of operandsOf(query)) {
    if (operand.missing) continue;
    for (const places of placesIn(words, operand)) {
      marks.set(places, [...(marks.get(places) ?? []), operand]);
    }
  }
  return [...marks]
    .flatMap(([places, operands]) => places.map((place) => ({ place, operands })))
    .sort((a, b) => a.place - b.place);
}

function operandsOf(query: TextQuery): TextWord[] {
  if (query.kind === "word") return [query];
  return query.kind === "not"
    ? operandsOf(query.of)
    : [...operandsOf(query.left), ...operandsOf(query.right)];
}
