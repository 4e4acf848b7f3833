import { messages } from "./messages.ts";
import { refuse } from "./query-error.ts";

/** A query over the words of a text. */
export type TextQuery = {
  /** The places of the words that make a text match, each the last of what was asked for; null when it does not. */
  readonly find: (words: readonly string[]) => readonly number[] | null;
};

/**
 * Parses a query as PostgreSQL's `to_tsquery` does: words, `'several words'` next to each other, `word:*` for
 * what begins with it, and by rising strength `|`, `&`, `<->` (or `<2>` for two places on), `!` and brackets.
 *
 * @throws QueryError on anything else, two words without an operator between them above all.
 */
export function parseTextQuery(text: string): TextQuery {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token);
  if (text.replaceAll(TOKEN, "").trim() !== "") return refuse(messages.fulltextSyntax(text));
  let at = 0;

  function alternatives(): TextQuery {
    let query = all();
    while (tokens[at] === "|") {
      at++;
      query = either(query, all());
    }
    return query;
  }

  function all(): TextQuery {
    let query = followed();
    while (tokens[at] === "&") {
      at++;
      query = both(query, followed());
    }
    return query;
  }

  function followed(): TextQuery {
    let query = single();
    for (;;) {
      const [, distance] = /^<(-|\d+)>$/.exec(tokens[at] ?? "") ?? [];
      if (distance === undefined) return query;
      at++;
      query = apart(query, single(), distance === "-" ? 1 : Number(distance));
    }
  }

  function single(): TextQuery {
    const token = tokens[at++];
    if (token === "!") return not(single());
    if (token === "(") {
      const query = alternatives();
      return tokens[at++] === ")" ? query : refuse(messages.fulltextSyntax(text));
    }
    const [, quoted, plain, prefix] = WORD.exec(token ?? "") ?? [];
    const words = (quoted?.replaceAll("''", "'") ?? plain ?? "").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const last = words.at(-1);
    if (last === undefined) return refuse(messages.fulltextSyntax(text));
    return words
      .slice(0, -1)
      .map((each) => word((found) => found === each))
      .concat(word(prefix ? (found) => found.startsWith(last) : (found) => found === last))
      .reduce((before, after) => apart(before, after, 1));
  }

  const query = tokens.length === 0 ? NOTHING : alternatives();
  return at < tokens.length ? refuse(messages.fulltextSyntax(text)) : query;
}

const TOKEN = /<(?:-|\d{1,4})>|[&|!()]|'(?:[^']|'')*'(?::\*)?|[^\s&|!()<>':]+(?::\*)?/g;
const WORD = /^(?:'((?:[^']|'')*)'|([^':]+))(:\*)?$/;

/** The database finds nothing where nothing is asked for. */
const NOTHING: TextQuery = { find: () => null };

function word(matches: (word: string) => boolean): TextQuery {
  return {
    find: (words) => {
      const places = words.flatMap((each, place) => (matches(each) ? place : []));
      return places.length > 0 ? places : null;
    },
  };
}

function either(a: TextQuery, b: TextQuery): TextQuery {
  return {
    find: (words) => {
      const [left, right] = [a.find(words), b.find(words)];
      return left && right ? [...new Set([...left, ...right])] : (left ?? right);
    },
  };
}

function both(a: TextQuery, b: TextQuery): TextQuery {
  return {
    find: (words) => {
      const [left, right] = [a.find(words), b.find(words)];
      return left && right && [...new Set([...left, ...right])];
    },
  };
}

function apart(a: TextQuery, b: TextQuery, distance: number): TextQuery {
  return {
    find: (words) => {
      const before = new Set(a.find(words));
      const places = b.find(words)?.filter((place) => before.has(place - distance)) ?? [];
      return places.length > 0 ? places : null;
    },
  };
}

function not(query: TextQuery): TextQuery {
  return { find: (words) => (query.find(words) === null ? [] : null) };
}
