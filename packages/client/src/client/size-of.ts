/** Returns a number, or the value of its variable: the default of the text if it is not given, or else `usual`. */
export function sizeOf(text: string, variables: unknown, size: string | number, usual: number): number {
  if (typeof size === "number") return size;
  const given = (variables as Readonly<Record<string, unknown>> | undefined)?.[size];
  return Number(given ?? new RegExp(`\\$${size}: Int!? = (\\d+)`).exec(text)?.[1] ?? usual);
}
