import type { Routes } from "../manifest/manifest-types.ts";
import type { Chains } from "../manifest/project.ts";
import type { ChainRef } from "./chain-ref.ts";

/**
 * Returns whether a style serves an operation on a chain, given by its key or its id, such as that of a wallet. Generated
 * code has `isServed(operation, id)`, which is bound to the project.
 */
export function isServed<C extends Chains>(
  { chains, protocols }: Routes,
  { protocol, not }: ServedOperation,
  id: unknown,
): id is ChainRef<C> {
  const [key = ""] = Object.entries(chains).find(([key, { chainId }]) => key === id || chainId === id) ?? [];
  const deployments = protocols[protocol]?.deployments ?? [];
  return deployments.some((one) => one.chains.includes(key) && !not?.[one.style]?.includes(key));
}

/** What an operation says of where it is served. */
export type ServedOperation<P extends string = string> = {
  readonly protocol: P;
  readonly not?: { readonly multichain?: readonly string[]; readonly subgraph?: readonly string[] };
};
