/**
 * A chain's name as names are compared: without case, with blanks, underscores and dashes alike, and an id as a
 * decimal number, whether it is written in hex or after `eip155:`.
 */
export function normalizeChainName(name: string): string {
  const text = name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");
  const id = /^(?:eip155:)?(\d{1,15}|0x[\da-f]{1,12})$/.exec(text)?.[1];
  return id === undefined ? text : String(Number(id));
}
