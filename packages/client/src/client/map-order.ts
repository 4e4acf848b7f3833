import type { Columns, FilterTable } from "./filter-table.ts";
import { own } from "./own.ts";
import { readValue } from "./read-value.ts";
import { refuseValue } from "./refuse-value.ts";

/**
 * Maps what rows are ordered by to a style: a subgraph orders ties by id, and everything by id where nothing is said.
 *
 * @throws IndexerError `invalid-variables` for what the styles do not order alike, whatever the style.
 */
export function mapOrder(
  { columns, related }: Pick<FilterTable, "columns" | "related">,
  order: unknown,
  direction: unknown,
  isSubgraph: boolean,
  path = "orderBy",
): unknown {
  const d = readValue("o", direction, path);
  if (order === undefined) return isSubgraph ? order : [{ id: "asc" }];
  const [field = "", inner, ...more] = typeof order === "string" ? order.split("__") : [];
  const isOwn = inner === undefined && isOrdered(columns, field);
  const isOfReference = inner !== undefined && inner !== "id" && isOrdered(own(related, field), inner);
  if (!isOwn && !(isOfReference && own(columns, field)?.startsWith(">") && more.length === 0)) {
    return refuseValue(path, "column to order by");
  }
  if (isSubgraph) return order;
  const by = { [field]: inner === undefined ? d : { [inner]: d } };
  return order === "id" ? [by] : [by, { id: d }];
}

/** Enums, lists and references have no order. */
function isOrdered(columns: Columns | undefined, name: string): boolean {
  return /^\??[^?[>e]?$/.test((columns && own(columns, name)) ?? "e");
}
