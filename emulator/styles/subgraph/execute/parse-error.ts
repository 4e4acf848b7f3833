import type { ErrorEntry } from "./query-error.ts";
import type { LexicalError, QueryToken } from "./token-stream.ts";

/**
 * An error of the server's parser: what it met, what could have stood there instead, and what it has to say
 * besides, each in a line (C.5). Behind a whole definition it looks for the end of the text only, and so does not
 * say what it cannot read there.
 *
 * @param isChoice several things could begin here: then what cannot be read is told as an end, too.
 */
export function parseError(
  found: QueryToken | LexicalError,
  expected: readonly string[],
  isChoice: boolean,
): ErrorEntry {
  const lines: string[] = [];
  const isBehind = expected[0] === END;
  if (found.kind !== "LexicalError") lines.push(`Unexpected \`${found.value}[${found.kind}]\``);
  else {
    if (found.unexpected !== null && !isBehind) lines.push(`Unexpected ${found.unexpected}`);
    if (found.unexpected !== END && isChoice) lines.push(`Unexpected ${END}`);
  }
  if (expected.length > 0) lines.push(`Expected ${listWords(expected)}`);
  if (found.kind === "LexicalError" && found.note !== null && !isBehind) lines.push(found.note);
  return { locations: [{ line: found.line, column: found.column }], message: lines.join("\n") };
}

/** Where nothing can be read, a text ends, whatever is there. */
const END = "end of input";

function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${last}` : last;
}
