import { describe, expect, it } from "vitest";
import { styles } from "../../../src/dialects/index.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { compileOne, compileText, contextOf, textOf } from "./compile-text.ts";
import { SCHEMA } from "./schema.ts";

/** Without types that the oldest releases do not support. */
const ENTITIES = SCHEMA.replaceAll(/\n +\w+: Timestamp!?/g, "");

const OPERATIONS = `
  query A($w: Ship_filter, $o: Ship_orderBy, $d: OrderDirection, $first: Int) {
    ships(where: $w, orderBy: $o, orderDirection: $d, first: $first) { ...F }
  }
  query B($n: [BigInt!]!, $q: String!, $m: Mood!, $b: Bytes!) {
    ships(where: { and: [{ cargo: $n }, { tonnage_in: $n }, { name_contains: $q }, { mood: $m }, { hull_contains: $b }] }) { ...F }
  }
  query C($id: ID!) { ship(id: $id) { ...F } captain(id: $id) { id chainId } }
  query D { logs { id ship { ...F } } }
  query E { ships(where: { cargo_not_contains: [1, "2"], chainId: 1, home_: { name: "a" } }, orderBy: home__name) { id } }
  fragment F on Ship { id chainId tonnage mood tags hull home { id } logs(first: 3) { id } }
`;

const MULTICHAIN = styles.multichain.platform.releases;

/** Every release of both platforms; in thorough mode every pair of them. */
const PAIRS = styles.subgraph.platform.releases.flatMap((subgraph, at) =>
  MULTICHAIN.filter((_, index) => IS_THOROUGH || index === at % MULTICHAIN.length).map(
    (multichain) => [multichain, subgraph] as const,
  ),
);

it.each(PAIRS)(
  "portable operations for envio-%s and graph-node-%s are compiled without findings",
  (multichain, subgraph) => {
    const context = contextOf(ENTITIES, {
      multichain: { release: multichain },
      subgraph: { release: subgraph },
    });
    const { operations, findings } = compileText(OPERATIONS, context);
    expect(findings).toEqual([]);
    expect(operations.map(({ name }) => name)).toEqual(["A", "B", "C", "D", "E"]);
  },
);

describe("lists of big numbers", () => {
  const operation = "query Q($n: [BigInt!]!) { ships(where: { cargo: $n, debts: [1] }) { id } }";

  it.each([
    ["2.29", "$n: [numeric!]!", "debts: { _eq: [1] }"],
    ["2.31", "$n: [String!]!", 'debts: { _eq: ["1"] }'],
  ])("have the type of envio-%s", (release, declared, condition) => {
    const text = textOf(compileOne(operation, contextOf(SCHEMA, { multichain: { release } })), "multichain");
    expect(text).toContain(declared);
    expect(text).toContain(condition);
  });

  it.each(["2.29", "2.31"])(
    "are normalized in answers of envio-%s, whether they are text or numbers",
    (release) => {
      const { facts } = compileOne(
        "query Q { ships { cargo } }",
        contextOf(SCHEMA, { multichain: { release } }),
      );
      expect(facts.numberAnswers).toEqual(["ships.cargo"]);
    },
  );
});

describe("entities with a separate table per chain", () => {
  const entities = `
    type Ship @entity { id: ID! name: String! home: Port! }
    type Port @entity { id: ID! chainId: BigInt! name: String! ships: [Ship!]! @derivedFrom(field: "home") }
  `;
  const context = contextOf(entities, {
    multichain: {
      release: "3.6",
      perChainEntities: true,
      entities: entities.replace("type Port @entity", "type Port @crossChain"),
    },
  });

  it("are looked up with the chain id, without selecting it", () => {
    const { operations, findings } = compileText("query Q { ship(id: 1) { id } }", context);
    expect(findings).toEqual([]);
    expect(operations.map((operation) => textOf(operation, "multichain"))).toEqual([
      'query Q($chainIdsOne: Int!) { ship: Ship_by_pk(chainId: $chainIdsOne, id: "1") { id } }',
    ]);
    expect(operations[0]?.facts).toMatchObject({ chainIds: ["chainIdsOne"], isUnscoped: false });
  });

  it("have variables for Int and numeric chain ids", () => {
    const text = (operation: string) => textOf(compileOne(operation, context), "multichain");
    expect(text("query Q { ships { id } }")).toContain("$chainIds: [Int!]!");
    const both = text("query Q { ships { id } ports { id } }");
    expect(both).toContain("$chainIdsInt: [Int!]!, $chainIds: [numeric!]!");
    expect(both).toContain("Ship(where: { chainId: { _in: $chainIdsInt } }");
  });
});

describe("a chain id that is an Int in one style", () => {
  const context = contextOf("type Ship @entity { id: ID! chainId: BigInt! }", {
    multichain: { release: "3.8", entities: "type Ship { id: ID! chainId: Int! }" },
  });

  it("is compared as an Int, and cannot be selected", () => {
    const operation = compileOne(
      'query Q($c: BigInt!) { ships(where: { chainId_in: ["8453", 1, $c] }) { id } }',
      context,
    );
    expect(textOf(operation, "multichain")).toBe(
      "query Q($c: Int!, $chainIds: [Int!]!) { ships: Ship(where: { _and: [{ chainId: { _in: $chainIds } }, { chainId: { _in: [8453, 1, $c] } }] }, order_by: [{ id: asc }], limit: 100) { id } }",
    );
    const codes = compileText(
      "query Q { ships { chainId } a: ships(where: { chainId: 2147483648 }) { id } }",
      context,
    );
    expect(codes.findings.map(({ code }) => code)).toEqual(["portable/type-differs", "portable/bad-number"]);
  });
});
