/** A name or an id as text; undefined for what can be neither. */
export function nameText(given: unknown): string | undefined {
  return /string|number|bigint/.test(typeof given) ? String(given) : undefined;
}

/**
 * A chain's name as names are compared: without case, and without the blanks, underscores and dashes between its
 * words; those before a digit are alike. An id is a decimal number, whether it is written in hex or after `eip155:`.
 */
export function normalizeChainName(name: string): string {
  const text = dashedName(name);
  const id = /^(?:eip155:)?(\d{1,15}|0x[\da-f]{1,12})$/.exec(text)?.[1];
  return id === undefined ? text.replace(/-(?=\D)/g, "") : String(Number(id));
}

/** A chain's name as it is shown, in lower case and with dashes. */
export function dashedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "-");
}
