import { it } from "vitest";
import { pin, type Side, type Want } from "./pin.ts";

/** The rule of a style, a query in its words, what it is answered with, and its variables. */
export type Asked = readonly [
  rule: string,
  query: string,
  want: Want,
  variables?: Readonly<Record<string, unknown>>,
];

/** Makes a test of every row: where the two specifications part, and by which rule of each. */
export function pinned(rows: readonly (readonly [name: string, subgraph: Asked, multichain: Asked])[]): void {
  for (const [name, subgraph, multichain] of rows) {
    it(`${name} (subgraph ${subgraph[0]}, multichain ${multichain[0]})`, () =>
      pin({ subgraph: sideOf(subgraph), multichain: sideOf(multichain) }));
  }
}

function sideOf([rule, query, want, variables]: Asked): Side {
  return { rule, query, want, variables: variables ?? null };
}
