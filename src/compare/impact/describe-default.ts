/**
 * Says that a default changed, and how to keep the meaning.
 *
 * @param variable the variable that stands at the place and may have no value, if there is one.
 */
export function describeDefault(
  coordinate: string,
  from: string | null,
  to: string | null,
  variable: string | null,
): { readonly message: string; readonly fix: string } {
  const name = /(\w+):\)$/.exec(coordinate)?.[1] ?? coordinate.slice(coordinate.lastIndexOf(".") + 1);
  const unless = variable === null ? "" : ` It holds when $${variable} has no value.`;
  return {
    message: `The default of ${coordinate} was ${from ?? "nothing"} and is ${to ?? "nothing"}.${unless}`,
    fix:
      from === null
        ? `send \`${name}\` to say which value is meant.`
        : `send \`${name}: ${from}\` to keep the meaning it had.`,
  };
}
