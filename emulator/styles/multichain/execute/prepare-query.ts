import { createMemo } from "../../create-memo.ts";
import { type ParsedQuery, parseQuery } from "./parse-query.ts";

/** Queries that are cached: those that were asked last. */
const MOST_QUERIES = 256;

/** Nobody's query is longer; what is, is parsed anew. */
const LONGEST = 50_000;

/** Creates a parser that caches, so that asking again costs a look-up. What cannot be parsed is not cached. */
export function createQueryPreparer(): (text: string) => ParsedQuery {
  const queries = createMemo<string, ParsedQuery>(MOST_QUERIES);
  return (text) => (text.length > LONGEST ? parseQuery(text) : queries.get(text, () => parseQuery(text)));
}
