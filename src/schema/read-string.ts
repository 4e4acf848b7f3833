/**
 * Reads what a GraphQL string or block string says. Ours, because graphql-js takes longer to load than most runs that
 * meet a default value take.
 *
 * @param token a whole string with its quotes, of which the escapes are known to be good.
 */
export function readString(token: string): string {
  if (token.startsWith('"""')) return dedent(token.slice(3, -3).replaceAll('\\"""', '"""'));
  return token.slice(1, -1).replaceAll(ESCAPE, (_, braced?: string, four?: string, single?: string) => {
    if (braced !== undefined) return String.fromCodePoint(Number.parseInt(braced, 16));
    if (four !== undefined) return String.fromCharCode(Number.parseInt(four, 16));
    return CONTROLS.get(single ?? "") ?? single ?? "";
  });
}

const ESCAPE = /\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|(.))/g;

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** What the GraphQL specification makes of the lines between the quotes (2.9.4). */
function dedent(body: string): string {
  const lines = body.split(/\r\n|[\n\r]/);
  const indents = lines.map((line) => line.search(/[^\t ]/));
  let common = Number.POSITIVE_INFINITY;
  for (const indent of indents.slice(1)) if (indent >= 0 && indent < common) common = indent;
  const first = indents.findIndex((indent) => indent >= 0);
  if (first < 0) return "";
  const last = indents.findLastIndex((indent) => indent >= 0);
  return lines
    .map((line, index) => (index === 0 ? line : line.slice(common)))
    .slice(first, last + 1)
    .join("\n");
}
