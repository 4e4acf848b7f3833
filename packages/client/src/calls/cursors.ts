import type { Given, PagePlan, PortableOperation, ReadRest } from "../client/portable-operation.ts";

/** The `rest` of operations with a cursor, so that the bundles of other operations have no cursors. */
export const readRest: ReadRest = async ({ operation: { page }, variables }, start, query) => {
  if (!page) return start;
  const rowsOf = ({ data }: typeof start) =>
    (data as Readonly<Record<string, readonly object[]>>)[page.key] ?? [];
  const after = readCursors(rowsOf(start), page, { after: null }) ?? null;
  const further = { ...beginAfter({ page }, variables, after), [page.first]: start.capped };
  const rest = await query(further as typeof variables);
  const rows = [...rowsOf(start), ...rowsOf(rest)];
  if (readCursors(rows, page, { after: null }) === undefined) return null;
  return { ...rest, head: start.head, data: { ...(start.data as object), [page.key]: rows } };
};

/** Returns the variables of an operation for the rows after a cursor. */
export function beginAfter<P extends string, R, V>(
  { page }: Pick<PortableOperation<P, R, V, "pages">, "page">,
  variables: Given<V>,
  after: string | null,
): Given<V> {
  if (after === null || !page) return variables;
  const { cursor, after: name, filter = "", direction } = page;
  const given = { ...variables } as Readonly<Record<string, unknown>>;
  if (name !== null) return { ...given, [name]: after } as Given<V>;
  const condition = { [`${cursor}_${direction === "asc" ? "gt" : "lt"}`]: after };
  return { ...given, [filter]: given[filter] ? { and: [given[filter], condition] } : condition } as Given<V>;
}

/**
 * Returns the cursor of the last row; `after` without rows, and undefined if a row is not beyond the one before it.
 *
 * @param seen the cursors of earlier pages, to which those of the rows are added. Text cursors are only checked for
 *   duplicates, because some databases sort text by a language's rules.
 */
export function readCursors(
  rows: readonly object[],
  { cursor, direction, kind }: PagePlan,
  { after, seen }: { readonly after: string | null; readonly seen?: Set<string | null> | undefined },
): string | null | undefined {
  const ofPage = new Set([after]);
  let last = after;
  for (const row of rows) {
    const value: unknown = row[cursor as keyof typeof row];
    const text = String(value);
    if (!/string|number/.test(typeof value) || text === last || ofPage.has(text) || seen?.has(text))
      return undefined;
    if (kind !== "number") ofPage.add(text);
    else if (last !== null && BigInt(text) < BigInt(last) === (direction === "asc")) return undefined;
    last = text;
  }
  for (const text of ofPage) seen?.add(text);
  return last;
}
