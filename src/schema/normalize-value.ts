/**
 * A default value as snapshots print it: single spaces, keys of objects in code-unit order. Two servers, or
 * two versions of one printer, may write the same value differently. A value that cannot be read is kept as
 * it is.
 */
export function normalizeValue(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.length === 1) return text.trim();
  let next = 0;

  function readValue(): string {
    const token = tokens[next++];
    if (token === "[") {
      const items: string[] = [];
      while (peek() !== "]") items.push(readValue());
      next++;
      return `[${items.join(", ")}]`;
    }
    if (token === "{") {
      const entries: [string, string][] = [];
      while (peek() !== "}") {
        const key = tokens[next++] ?? "";
        if (tokens[next++] !== ":") throw new SyntaxError(text);
        entries.push([key, readValue()]);
      }
      next++;
      if (entries.length === 0) return "{}";
      entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
    }
    if (token === undefined || token === "]" || token === "}" || token === ":") throw new SyntaxError(text);
    return token;
  }

  function peek(): string {
    const token = tokens[next];
    if (token === undefined) throw new SyntaxError(text);
    return token;
  }

  try {
    const value = readValue();
    return next === tokens.length ? value : text.trim();
  } catch {
    return text.trim();
  }
}

/** Strings, punctuators, then names and numbers; commas and white space separate and mean nothing. */
const TOKEN = /"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\])*"|[[\]{}:]|[^\s,[\]{}:"]+/g;
