import type { Client, MaxLag } from "./client-options.ts";
import { mapVariables } from "./map-variables.ts";
import type { Signal } from "./platform.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";

/** What is asked, and how. */
export type Inquiry<P extends string, R, V> = {
  readonly client: Client;
  readonly operation: PortableOperation<P, R, V, Kind>;
  readonly variables: Given<V>;
  readonly signal?: Signal | undefined;
  readonly block?: BlockRef | undefined;
  readonly maxLag?: MaxLag | undefined;
};

/** A block by its number or its hash. */
export type BlockRef = { readonly number: number } | { readonly hash: `0x${string}` };

/** Refuses variables that nobody takes, before anything is sent and wherever it would be. */
export function checkVariables<P extends string, R, V>({
  operation,
  variables,
  signal,
}: Inquiry<P, R, V>): void {
  signal?.throwIfAborted();
  mapVariables(operation, "subgraph", variables);
}
