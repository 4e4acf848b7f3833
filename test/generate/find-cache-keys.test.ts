import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { cacheChain, findCacheKeys } from "../../src/generate/cache-keys.ts";
import { parseOperations } from "../../src/operations/parse-operations.ts";
import { generateFrom } from "../support/generate-from.ts";

const SCHEMA = `
  interface Party { id: ID! chainId: BigInt! }
  type Seller implements Party { id: ID! chainId: BigInt! lots: [Lot!]! }
  type Buyer implements Party { id: ID! chainId: BigInt! lots: [Lot!]! }
  type Lot { id: ID! chainId: BigInt! party: Party seller: Seller note: Note bids: [Bid!]! }
  type Bid { id: ID! lot: Lot! }
  type Note { text: String chainId: BigInt! }
  scalar BigInt
  type Query { lots: [Lot!]! bids: [Bid!]! seller: Seller party: Party }
`;

const schema = buildSchema(SCHEMA);
const chainOf = (type: string) => (type === "Bid" ? null : "chainId");
const KEYED = ["chainId", "id"];

function keysOf(operations: string, of: (type: string) => string | null | undefined = chainOf) {
  const sources = [{ path: "a.graphql", text: operations }];
  const { set } = parseOperations(sources, { protocol: "auctions", style: "subgraph" });
  return Object.fromEntries(findCacheKeys([set], schema, of).map(({ name, keyFields }) => [name, keyFields]));
}

describe("the cache key of a row", () => {
  it.each<[name: string, operations: string, want: object]>([
    ["is its chain id and its id", "query A { lots { chainId id } }", { Lot: KEYED }],
    ["does not depend on aliases", "query A { lots { a: id b: chainId } }", { Lot: KEYED }],
    ["is absent if the chain id is not selected", "query A { lots { id } }", { Lot: false }],
    ["is absent if the id is not selected", "query A { lots { chainId } }", { Lot: false }],
    [
      "is absent if one of several operations selects less",
      "query A { lots { id chainId } } query B { lots { id } } query C { lots { id chainId } }",
      { Lot: false },
    ],
    [
      "is absent if one of several places selects less",
      "query A { lots { id chainId seller { id lots { id } } } }",
      { Lot: false, Seller: false },
    ],
    ["is absent for a type without a chain id", "query A { bids { id } }", { Bid: false }],
    [
      "is not listed for a type without an id",
      "query A { lots { id chainId note { text } } }",
      { Lot: KEYED },
    ],
    [
      "may be selected by several fragments",
      "query A { lots { ...F } } fragment F on Lot { ...G seller { ...P } } fragment G on Lot { id chainId } fragment P on Party { id chainId }",
      { Lot: KEYED, Seller: KEYED },
    ],
    [
      "is listed for each object of an interface",
      "query A { party { id ... on Seller { chainId } } }",
      { Buyer: false, Seller: KEYED },
    ],
    [
      "is absent if a part of it is conditional",
      "query A($a: Boolean!) { lots { id chainId @include(if: $a) } }",
      { Lot: false },
    ],
    [
      "is present if the whole row is conditional",
      "query A($a: Boolean!) { lots @include(if: $a) { id chainId } }",
      { Lot: KEYED },
    ],
    ["may be selected in two merged places", "query A { lots { id } lots { chainId } }", { Lot: KEYED }],
  ])("%s", (_, operations, want) => {
    expect(keysOf(operations)).toEqual(want);
  });

  it("is not listed if ids are unique", () => {
    expect(keysOf("query A { lots { id } }", () => undefined)).toEqual({});
  });

  it("is found quickly, however often fragments are spread", () => {
    const fragments = Array.from({ length: 40 }, (_, n) => {
      const next = `bids { lot { ...F${n + 1} } }`;
      return `fragment F${n} on Lot { id chainId a: ${next} b: ${next} }`;
    });
    const operations = `query A { lots { ...F0 } } ${fragments.join(" ")} fragment F40 on Lot { id chainId }`;
    expect(keysOf(operations)).toEqual({ Bid: false, Lot: KEYED });
  });
});

describe("the chain field of a row", () => {
  const MODEL = parseEntities(
    `type Counter @entity { id: ID! network: BigInt! }
    type Lot @entity { id: ID! chainId: BigInt! serial: BigInt! }
    type Bid @entity { id: ID! lot: Lot! }
    type Chain @entity { id: ID! name: String! }`,
    "entities.graphql",
  );
  const IDENTITY = { protocol: null, chain: { entity: "Counter", field: "network" } };
  const fieldsOf = (style: StyleName, definition: Partial<Parameters<typeof cacheChain>[2]> = {}) => {
    const api = styles[style].deriver.derive(MODEL);
    const chainOf = cacheChain(styles[style], api, { identity: IDENTITY, ids: {}, ...definition });
    return ["Lot", "Bid", "Counter", "Chain"].map((type) => chainOf(type));
  };

  it("is its own field on a subgraph, or null", () => {
    expect(fieldsOf("subgraph")).toEqual(["chainId", null, "network", null]);
  });

  it("is not needed if the id template contains the chain id, or the chain is the id", () => {
    const ids = { Lot: "{serial}/{chainId}", Bid: "{lot}", Counter: "{network}" };
    expect(fieldsOf("subgraph", { ids })).toEqual([undefined, null, undefined, null]);
    const identity = { protocol: null, chain: { entity: "Chain", field: "id" } };
    expect(fieldsOf("subgraph", { identity })).toEqual(["chainId", null, null, undefined]);
  });

  it("is not needed on multichain, unless the platform has a table per chain", () => {
    expect(fieldsOf("multichain")).toEqual([undefined, undefined, undefined, undefined]);
    const apart = parseEntities("type Bid @entity { id: ID! price: BigInt! }", "entities.graphql");
    const api = styles.multichain.deriver.derive(apart, { release: "3.6", perChainEntities: true });
    expect(cacheChain(styles.multichain, api, { identity: IDENTITY, ids: {} })("Bid")).toBe("chainId");
  });
});

it("cache keys are generated as type policies of Apollo Client", async () => {
  const { documents } = await generateFrom({
    sdl: SCHEMA,
    operations: "query A { lots { id chainId bids { id } } }",
  });
  expect(documents).toContain(`
export const typePolicies = {
  Bid: { keyFields: false },
  Lot: { keyFields: ["chainId", "id"] },
} as const;
`);
});
