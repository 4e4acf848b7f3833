import { it } from "vitest";
import { pin, type Side, type Want } from "./pin.ts";

/** A query in the dialect of a style, the expected answer, and variables. */
export type Asked = readonly [query: string, want: Want, variables?: Readonly<Record<string, unknown>>];

/** Defines a test for every row: a question that the styles answer differently. */
export function pinned(rows: readonly (readonly [name: string, subgraph: Asked, multichain: Asked])[]): void {
  for (const [name, subgraph, multichain] of rows) {
    it(name, () => pin({ subgraph: sideOf(subgraph), multichain: sideOf(multichain) }));
  }
}

function sideOf([query, want, variables]: Asked): Side {
  return { query, want, variables: variables ?? null };
}
