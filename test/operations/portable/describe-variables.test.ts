import { expect, it } from "vitest";
import { describeVariables } from "../../../src/operations/portable/compile-named.ts";
import { compileOne, contextOf } from "./compile-text.ts";

const CONTEXT = contextOf(`
  type Owner @entity(immutable: false) { id: ID! name: String! }
  type Lot @entity(immutable: false) { id: ID! chainId: BigInt! serial: BigInt! alias: String! seller: Bytes! owner: Owner! }
`);

it("describeVariables describes values as unchanged in the authored dialect, and by their form in the other", () => {
  const compiled = compileOne(
    `query Q($where: Lot_filter!, $order: Lot_orderBy = serial, $text: String!, $seller: Bytes!) {
      lots(where: $where, orderBy: $order, orderDirection: desc) { id }
      others: lots(where: { alias_contains: $text, seller: $seller }) { id }
    }`,
    CONTEXT,
  );
  const rows = describeVariables(compiled).map(({ name, subgraph, multichain }) => ({
    name,
    subgraph: subgraph.map(({ value }) => value),
    multichain: multichain.map(({ value }) => value),
  }));
  expect(rows).toEqual([
    { name: "where", subgraph: ["as it is"], multichain: ["the filter of Lot, translated"] },
    { name: "order", subgraph: ["as it is"], multichain: ["the order of Lot, desc"] },
    {
      name: "text",
      subgraph: ["as it is"],
      multichain: ["%<value>%, or the value if it begins or ends with %"],
    },
    { name: "seller", subgraph: ["in lower case"], multichain: ["in lower case"] },
    { name: "chainIds", subgraph: [], multichain: ["the requested chains"] },
    { name: "block", subgraph: ["the height that is asked for"], multichain: [] },
  ]);
});
