import { expect, it } from "vitest";
import { generateFrom, prepareFrom } from "../support/generate-from.ts";

const SDL = `
  type Asset { id: ID! name: String ticker: String }
  type Stream { id: ID! asset: Asset! }
  type Query { streams(first: Int): [Stream!]! }
`;

const TEXT =
  "query Q($full: Boolean!) { streams(first: 1) { asset { id name @include(if: $full) ...Ticker @include(if: $full) } } } fragment Ticker on Asset { ticker }";

it("a condition of a spread moves to a fragment in the texts of a subgraph, with the same types", async () => {
  const [subgraph, multichain] = await Promise.all([
    generateFrom({ sdl: SDL, operations: TEXT }),
    generateFrom({ sdl: SDL, operations: TEXT, style: "multichain" }),
  ]);
  expect(subgraph.strings).toContain(`
      id
      name @include(if: $full)
      ... on Asset @include(if: $full) {
        ...Ticker
      }
`);
  expect(multichain.strings).toContain("      ...Ticker @include(if: $full)\n");
  const spread = '{"kind":"FragmentSpread","name":{"kind":"Name","value":"Ticker"}';
  const withoutQuotes = (text: string) => text.replaceAll('"', "");
  expect(withoutQuotes(subgraph.documents)).toContain(withoutQuotes(`selections:[${spread}}]`));
  // The first line and the names of scalars are those of the style.
  const body = (text: string) => text.slice(text.indexOf("export type"));
  expect(body(subgraph.types)).toBe(body(multichain.types));
  expect(subgraph.types).toContain("    ticker?: string | null;\n");
});

it("a correction has no finding", () => {
  expect(prepareFrom({ sdl: SDL, operations: TEXT }).pitfalls).toEqual([]);
});
