import { type ParsedQuery, parseQuery } from "./parse-query.ts";

/** So many documents are kept, those that were asked for last. */
const MOST_DOCUMENTS = 256;

/** Nobody's query is longer; what is, is parsed anew. */
const LONGEST = 50_000;

/** Creates a parser that remembers, so that asking again costs a look-up. What cannot be parsed is not kept. */
export function createQueryPreparer(): (query: string) => ParsedQuery {
  const known = new Map<string, ParsedQuery>();
  return (query) => {
    const document = known.get(query) ?? parseQuery(query);
    if (query.length > LONGEST) return document;
    // The last asked for is the last to go.
    known.delete(query);
    known.set(query, document);
    const [oldest] = known.keys();
    if (known.size > MOST_DOCUMENTS && oldest !== undefined) known.delete(oldest);
    return document;
  };
}
