/** A number of a JSON text, to its last digit: a number of JavaScript has fifteen. */
export class ExactNumber {
  /** As it is written. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Parses JSON without rounding a number: each is an `ExactNumber`.
 *
 * @returns undefined for what is no JSON.
 */
export function parseExactJson(json: string): unknown {
  try {
    JSON.parse(json);
    // Texts and numbers both become texts, with a letter that tells which they were. Keys are texts as well.
    const marked = json.replace(TOKEN, (token) => (token[0] === '"' ? `"t${token.slice(1)}` : `"n${token}"`));
    return unmark(JSON.parse(marked));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function unmark(value: unknown): unknown {
  if (typeof value === "string") {
    return value[0] === "n" ? new ExactNumber(value.slice(1)) : value.slice(1);
  }
  if (Array.isArray(value)) return value.map(unmark);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.slice(1), unmark(inner)]));
}

/** The same form of a value of JavaScript, of which big numbers may be bigints. */
export function toExact(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "bigint") return new ExactNumber(String(value));
  if (Array.isArray(value)) return value.map(toExact);
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, toExact(inner)]])),
  );
}
