/** Adds a column to a table in the SDL of a multichain API, as a newer release of the platform would. */
export function addPlatformColumn(sdl: string, table: string, column: `${string}: ${string}`): string {
  const [name = "", scalar = ""] = column.split(": ");
  const members = new Map([
    [`type ${table}`, column],
    [`input ${table}_bool_exp`, `${name}: ${scalar}_comparison_exp`],
    [`input ${table}_order_by`, `${name}: order_by`],
    [`enum ${table}_select_column`, name],
    [`input ${table}_stream_cursor_value_input`, column],
  ]);
  return [...members].reduce(
    (text, [head, member]) => text.replace(`${head} {`, `${head} {\n  ${member}`),
    sdl,
  );
}
