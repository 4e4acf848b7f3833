/** Whether a stream shows colours: as `NO_COLOR` and then `FORCE_COLOR` say, else where it is a terminal. */
export function hasColors(
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return isTerminal === true && TERM !== "dumb";
}
