import type { RowValue } from "../../styles/read-view.ts";

/** The forms of ids and aliases, all of which tell the chain. */
const OF_ENTITY =
  /^(?:asset|action|batch|batcher|revenue|revenueTransaction|user|userTransaction)-([1-9]\d*)-/;
const OF_STREAM = /^(?:(?:segment|tranche)-)?(?:0x[0-9a-f]{40}|L[A-Z]\d?|FL\d?)-([1-9]\d*)-\d/;

/**
 * The id of the one chain whose rows can have a value in a field; null where any chain's can. Who asks for a row
 * by its id among many chains need not look at the others.
 */
export function chainOfValue(entity: string, field: string, value: RowValue): string | null {
  if (typeof value !== "string") return null;
  if (field === "chainId" || (field === "id" && entity === "Watcher")) return value;
  const match = OF_ENTITY.exec(value) ?? OF_STREAM.exec(value);
  return match?.[1] ?? null;
}
