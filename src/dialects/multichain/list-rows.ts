import { renderList } from "../render-list.ts";
import type { RowList } from "../style.ts";

/** Writes a list of rows as Hasura has it, and tells rows alike by their ids. */
export function listMultichainRows(list: RowList): string {
  const { entity, rows, by, order, isPaged } = list;
  return renderList(list, by && `${by}: String!`, rows === entity ? entity : `${rows}: ${entity}`, [
    ...(by ? [`where: { ${by}: { _eq: $${by} } }`] : []),
    "limit: $first",
    ...(isPaged ? ["offset: $skip"] : []),
    `order_by: [${[...new Set([order, "id"])].map((field) => `{ ${field}: desc }`).join(", ")}]`,
  ]);
}
