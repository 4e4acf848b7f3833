/** Returns whether a stream shows colours: `NO_COLOR` decides, then `FORCE_COLOR`, then whether it is a terminal. */
export function hasColors(
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return isTerminal === true && TERM !== "dumb";
}
