import { renderList } from "../render-list.ts";
import type { RowList } from "../style.ts";

/** Writes a list of rows as graph-node has it, which tells rows alike by their ids by itself. */
export function listSubgraphRows(list: RowList): string {
  const { rows, by, order, isPaged } = list;
  return renderList(list, by && `${by}: Bytes!`, rows, [
    ...(by ? [`where: { ${by}: $${by} }`] : []),
    "first: $first",
    ...(isPaged ? ["skip: $skip"] : []),
    `orderBy: ${order}`,
    "orderDirection: desc",
  ]);
}
