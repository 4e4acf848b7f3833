import type { ParsedRows } from "./parse-rows.ts";

/** Where entities are kept per chain, the platform says of every row which chain it is of. */
export function withChainIds(
  { blocks, tables }: ParsedRows,
  chainId: number,
  isPerChain: (entity: string) => boolean,
): ParsedRows {
  const extend = (all: ParsedRows["tables"]): ParsedRows["tables"] =>
    new Map(
      Array.from(all, ([entity, rows]) => [
        entity,
        isPerChain(entity) ? rows.map((row) => ({ ...row, chainId })) : rows,
      ]),
    );
  return {
    blocks: blocks?.map((block) => ({ ...block, tables: extend(block.tables) })) ?? null,
    tables: extend(tables),
  };
}
