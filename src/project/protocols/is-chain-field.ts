import type { FieldName } from "./resolve-protocols.ts";

/** Whether a field holds the id of its row's chain: by its name, or because the definition's identity names it. */
export function isChainField(chain: FieldName | null, entity: string, field: string): boolean {
  if (field === "chainId") return true;
  // An id is everybody's, and the chain's in the entity that is named for it alone.
  return field === chain?.field && (field !== "id" || entity === chain.entity);
}
