/** A name or an id as text; undefined for what can be neither. */
export function nameText(given: unknown): string | undefined {
  return /string|number|bigint/.test(typeof given) ? String(given) : undefined;
}
