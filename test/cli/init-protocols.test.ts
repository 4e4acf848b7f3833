import { describe, expect, it } from "vitest";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const SUBGRAPH = `
  interface Timed { id: ID! timestamp: BigInt! }
  type Lot implements Timed @entity {
    id: ID! chainId: BigInt! serial: BigInt! timestamp: BigInt! bids: [Bid!]! @derivedFrom(field: "lot")
  }
  type Bid implements Timed @entity { id: ID! lot: Lot! amount: BigInt! timestamp: BigInt! }
`;
const MULTICHAIN = SUBGRAPH.replace(/.*interface.*\n/, "").replaceAll("implements Timed ", "");

const OWN = {
  entities: { subgraph: "entities/lots.subgraph.graphql", multichain: "entities/lots.multichain.graphql" },
  chains: ["ethereum", "base"],
  chainPath: { Bid: "lot" },
  cursors: { Lot: "serial" },
};

function projectWith(protocols: object, more: Readonly<Record<string, string>> = {}, config: object = {}) {
  return tempProject({
    "package.json": '{ "type": "module" }',
    "lockflow.config.json": JSON.stringify({ protocols, ...config }),
    "entities/lots.subgraph.graphql": SUBGRAPH,
    "entities/lots.multichain.graphql": MULTICHAIN,
    ...more,
  });
}

const NOTHING_FOUND = {
  code: 0,
  out: "Everything generated is current, and every operation is valid.\n",
  err: "",
};

function operationsOf(project: TempProject): string[] {
  return Object.keys(project.files("operations")).sort();
}

describe("lockflow init, for custom protocols", () => {
  it("sets up a protocol, and the other commands work without a host", async () => {
    const project = projectWith({ "my-class": OWN });
    const { code, out, err } = await run(project.root, ["init", "--yes"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual(["operations/my-class/portable/lots.graphql"]);
    expect(Object.keys(project.files("generated")).sort()).toEqual([
      "generated/schemas/deployments.json",
      "generated/schemas/my-class/multichain.graphql",
      "generated/schemas/my-class/subgraph.graphql",
    ]);
    expect(out).toContain("npx lockflow ask Lots --chain ethereum\n");
    expect(out).toContain("The snapshots are derived from your entities.");
    expect(project.read(".env.example")).toContain("LOCKFLOW_MULTICHAIN_URL=\nLOCKFLOW_MY_CLASS_ID=\n");
    expect(project.read("graphql.config.json")).toContain('"my-class-subgraph": {');
    for (const [path, text] of Object.entries(project.files())) {
      expect(text, path).not.toMatch(/\b(lockup|flow)\b/i);
    }

    const sync = await run(project.root, ["sync"]);
    expect(sync.code).toBe(0);
    expect(sync.out).toMatch(/Lots of generated\/my-class\/multichain\.strings\.ts, .*:\n {4}id *\n {4}\S+/);
    expect(sync.out).toMatch(
      /Lots of generated\/my-class\/subgraph\.strings\.ts, .*mainnet:\n {4}id *\n {4}\S+/,
    );
    expect(await run(project.root, ["check"])).toEqual(NOTHING_FOUND);
    expect((await run(project.root, ["init", "--yes"])).out).toContain("Everything is already set up.");
  });

  const [one, two] = [["base"], ["base", "ethereum"]];
  const styles = ["multichain"];
  /** Protocols of one entity schema each, and their first operations. */
  const FIRST: Readonly<Record<string, { definition: object; entities: string; operations: string[] }>> = {
    "no-path-to-a-chain": {
      definition: { chains: two },
      entities: "type Lot @entity { id: ID! serial: BigInt! open: Boolean! }",
      operations: ["multichain/lots", "subgraph/lots"],
    },
    "chain-in-another-field": {
      definition: { styles, chains: two, identity: { chain: "Token.chainID" } },
      entities:
        "type Pool { id: ID! chainID: BigInt! name: String! } type Token { id: ID! chainID: BigInt! }",
      operations: ["multichain/pool-list"],
    },
    "chain-in-the-second-entity": {
      definition: { styles, chains: two },
      entities:
        "type Bundle { id: ID! price: BigDecimal! } type Swap { id: ID! chainId: BigInt! amount: BigInt! }",
      operations: ["portable/swaps"],
    },
    "chain-in-rows": {
      definition: { styles, chains: two },
      entities: "type Pool { id: ID! chainId: Int! tvl: BigDecimal! }",
      operations: ["portable/pools"],
    },
    "one-chain": {
      definition: { styles, chains: one },
      entities: "type Pool { id: ID! tvl: BigDecimal! }",
      operations: ["portable/pools"],
    },
  };

  it("writes valid first operations, portable ones if rows can be found by their chain", async () => {
    const rows = Object.entries(FIRST);
    const project = projectWith(
      Object.fromEntries(rows.map(([key, row]) => [key, { entities: `${key}.graphql`, ...row.definition }])),
      Object.fromEntries(rows.map(([key, row]) => [`${key}.graphql`, row.entities])),
    );
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual(
      rows.flatMap(([key, row]) => row.operations.map((path) => `operations/${key}/${path}.graphql`)).sort(),
    );
    expect(project.read("operations/chain-in-rows/portable/pools.graphql")).toContain(
      "  pools(first: $first, orderBy: id) {",
    );
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["check"])).toEqual(NOTHING_FOUND);
  });

  it.runIf(IS_THOROUGH)(
    "separates protocols whose keys are names of folders and of the manifest",
    async () => {
      const keys = [
        "class",
        "default",
        "deployments",
        "dist",
        "index",
        "manifest",
        "operations",
        "a-1",
        "a1",
      ];
      const definition = { entities: OWN.entities.subgraph, styles: ["subgraph"], chains: ["base"] };
      const project = projectWith(Object.fromEntries(keys.map((key) => [key, definition])));
      expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
      expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
      expect(await run(project.root, ["check"])).toMatchObject({ code: 0, err: "" });
      const made = keys.map((key) => `generated/${key}/subgraph.ts`);
      expect(Object.keys(project.files("generated"))).toEqual(expect.arrayContaining(made));
      project.write("generated/dist/multichain.ts", project.read("generated/dist/subgraph.ts"));
      const { code, out } = await run(project.root, ["check"]);
      expect({ code, isNamed: out.includes("generated/dist/multichain.ts") }).toEqual({
        code: 1,
        isNamed: true,
      });
    },
  );

  it.runIf(IS_THOROUGH).each<[what: string, protocol: object, config: object, rows: string]>([
    ["in one style", { entities: OWN.entities.multichain, styles }, {}, "of ethereum, from its multichain"],
    [
      "without testing URLs",
      { entities: OWN.entities.multichain, chains: ["mine"] },
      { chains: { mine: { chainId: 4242, name: "Mine", subgraphSuffix: "mine", testing: false } } },
      "of mine, from its subgraph",
    ],
    [
      "without a path to a chain",
      { entities: "lots.graphql", chains: two },
      {},
      "of all chains, from its multi",
    ],
  ])("prints a command that prints rows, for a protocol %s", async (_, protocol, config, rows) => {
    const files = { "lots.graphql": "type Lot @entity { id: ID! serial: BigInt! open: Boolean! }" };
    const project = projectWith({ lots: protocol }, files, config);
    const { code, out } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(0);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const args = /npx lockflow (ask .*)/.exec(out)?.[1]?.split(" ") ?? [];
    const asked = await run(project.root, args, { stopped: new Promise(() => {}) });
    expect(asked).toMatchObject({ code: 0, err: expect.stringContaining(rows) });
    expect(JSON.parse(asked.out)).not.toEqual([]);
  });

  it("error: no entities and no host, and nothing is written", async () => {
    const project = projectWith({ lots: {} });
    const before = project.files();
    const { code, err } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(2);
    expect(err).toMatch(/add protocols\.lots\.entities, .*or configure a host/s);
    expect(project.files()).toEqual(before);
  });
});
