import type { ExecutorOptions } from "../../served-style.ts";
import { type ParsedQuery, parseQuery } from "./parse-query.ts";
import { QueryError } from "./query-error.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { validateQuery } from "./validate.ts";
import { createStrictValidator } from "./validate-strictly.ts";

/** A query that parsed, and what is wrong with it apart from its variables, which the server checks first. */
export type PreparedQuery = ParsedQuery & { readonly error: QueryError | null };

/** Parses and validates a text. The same text gives the same object, as long as it is remembered. */
export type QueryPreparer = (text: string) => PreparedQuery;

/**
 * Remembers what came of the texts that were asked last, so that asking one again costs a look into a table. How
 * many are kept, and how much text in all, is bounded.
 *
 * @throws QueryError on a text that does not parse, is invalid to a strict server or has not one operation. (The
 * preparer throws, not the creation of it.)
 */
export function createQueryPreparer(
  { schema, settings }: Pick<ExecutorOptions, "schema" | "settings">,
  index: SchemaIndex,
): QueryPreparer {
  const kept = new Map<string, PreparedQuery | QueryError>();
  const strict = settings.strictValidation === true ? createStrictValidator(schema) : null;
  let keptLength = 0;

  function prepare(text: string): PreparedQuery | QueryError {
    return queryErrorOf(() => {
      const parsed = parseQuery(text, strict);
      const error = queryErrorOf(() => validateQuery(parsed, index, settings.maxComplexity ?? null));
      return { ...parsed, error: error ?? null };
    });
  }

  function keep(text: string, prepared: PreparedQuery | QueryError): void {
    if (text.length > MAX_TEXT_LENGTH) return;
    kept.set(text, prepared);
    keptLength += text.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_TEXTS && keptLength <= MAX_KEPT_LENGTH) break;
      kept.delete(oldest);
      keptLength -= oldest.length;
    }
  }

  return (text) => {
    let prepared = kept.get(text);
    if (prepared === undefined) {
      prepared = prepare(text);
      keep(text, prepared);
    }
    if (prepared instanceof QueryError) throw prepared;
    return prepared;
  };
}

const MAX_TEXTS = 500;
const MAX_TEXT_LENGTH = 50_000;
const MAX_KEPT_LENGTH = 1_000_000;

function queryErrorOf<T>(task: () => T): T | QueryError {
  try {
    return task();
  } catch (cause) {
    if (cause instanceof QueryError) return cause;
    throw cause;
  }
}
