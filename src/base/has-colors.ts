/**
 * Whether a stream shows colours. Who wants none (`NO_COLOR`) gets none; who wants them (`FORCE_COLOR`) gets them in
 * pipes as well, and with `FORCE_COLOR=0` none; else a terminal does.
 *
 * @param isTerminal what `isTTY` says of the stream.
 */
export function hasColors(
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  return isTerminal === true && TERM !== "dumb";
}
