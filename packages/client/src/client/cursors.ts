import type { Given, PortableOperation } from "./portable-operation.ts";

type AnyPage = NonNullable<PortableOperation<string, unknown, never, "pages">["page"]>;

/** Returns the variables of an operation for the rows after a cursor. */
export function beginAfter<P extends string, R, V>(
  { page, subgraph }: Pick<PortableOperation<P, R, V, "pages">, "page" | "subgraph">,
  variables: Given<V>,
  after: string | null,
): Given<V> {
  if (after === null || !page) return variables;
  const [, cursor, name, , direction] = page;
  const given = { ...variables } as Readonly<Record<string, unknown>>;
  if (name !== null) return { ...given, [name]: after } as Given<V>;
  // The one list there is has the first filter.
  const [, filter = ""] = /where: \$(\w+)/.exec(subgraph) ?? [];
  const condition = { [`${cursor}_${direction === "asc" ? "gt" : "lt"}`]: after };
  return { ...given, [filter]: given[filter] ? { and: [given[filter], condition] } : condition } as Given<V>;
}

/**
 * Returns the cursor of the last row; `after` without rows, and undefined if a row is not beyond the one before it.
 *
 * @param seen the cursors of earlier pages, for texts, whose order is that of a language in some databases. Those of the
 *   rows are added.
 */
export function readCursors(
  rows: readonly object[],
  [, cursor, , , direction, kind]: AnyPage,
  after: string | null,
  seen: Set<string> = new Set(),
): string | null | undefined {
  const own = new Set<string>();
  let last = after;
  for (const row of rows) {
    const value: unknown = row[cursor as keyof typeof row];
    const text = String(value);
    if (!/string|number/.test(typeof value) || text === last || own.has(text) || seen.has(text))
      return undefined;
    if (kind !== "n") own.add(text);
    else if (last !== null && BigInt(text) < BigInt(last) === (direction === "asc")) return undefined;
    last = text;
  }
  for (const text of own) seen.add(text);
  return last;
}
