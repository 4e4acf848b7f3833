import { createMemo } from "../../create-memo.ts";
import type { ExecutorOptions } from "../../served-style.ts";
import { ServerPanic } from "../../server-panic.ts";
import { type ParsedQuery, parseQuery } from "./parse-query.ts";
import { QueryError } from "./query-error.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { validateQuery } from "./validate.ts";
import { createStrictValidator } from "./validate-strictly.ts";

/** A query that parsed, and what is wrong with it apart from its variables, which the server checks first. */
export type PreparedQuery = ParsedQuery & { readonly error: QueryError | ServerPanic | null };

/** Parses and validates a text. The same text gives the same object, as long as it is cached. */
export type QueryPreparer = (text: string) => PreparedQuery;

/** Queries that are cached: those that were asked last. */
const MOST_QUERIES = 256;

/** Nobody's query is longer; what is, is parsed anew. */
const LONGEST = 50_000;

/**
 * Creates a preparer that caches, so that asking a text again costs a look-up.
 *
 * @throws QueryError on a text that does not parse, is invalid to a strict server or has not one operation. (The
 * preparer throws, not the creation of it.)
 */
export function createQueryPreparer(
  { schema, settings }: Pick<ExecutorOptions, "schema" | "settings">,
  index: SchemaIndex,
): QueryPreparer {
  const queries = createMemo<string, PreparedQuery | QueryError>(MOST_QUERIES);
  const strict = settings.strictValidation === true ? createStrictValidator(schema) : null;

  function prepare(text: string): PreparedQuery | QueryError {
    try {
      const parsed = parseQuery(text, strict);
      return {
        ...parsed,
        error: findError(() => validateQuery(parsed, index, settings.maxComplexity ?? null)),
      };
    } catch (cause) {
      if (cause instanceof QueryError) return cause;
      throw cause;
    }
  }

  return (text) => {
    const prepared = text.length > LONGEST ? prepare(text) : queries.get(text, () => prepare(text));
    if (prepared instanceof QueryError) throw prepared;
    return prepared;
  };
}

function findError(validate: () => void): PreparedQuery["error"] {
  try {
    validate();
    return null;
  } catch (cause) {
    if (cause instanceof QueryError || cause instanceof ServerPanic) return cause;
    throw cause;
  }
}
