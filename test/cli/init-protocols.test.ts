import { describe, expect, it } from "vitest";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const SUBGRAPH = `
  interface Timed { id: ID! timestamp: BigInt! }
  enum Phase { OPEN CLOSED }
  type Counter @entity { id: ID! chainId: BigInt! lots: BigInt! }
  type House @entity { id: ID! chainId: BigInt! name: String lots: [Lot!]! @derivedFrom(field: "house") }
  type Lot implements Timed @entity {
    id: ID!
    chainId: BigInt!
    serial: BigInt!
    timestamp: BigInt!
    phase: Phase!
    house: House!
    bids: [Bid!]! @derivedFrom(field: "lot")
  }
  "Without a chain of its own."
  type Bid implements Timed @entity { id: ID! lot: Lot! amount: BigInt! timestamp: BigInt! }
`;
const MULTICHAIN = SUBGRAPH.replace(/.*interface.*\n/, "").replaceAll("implements Timed ", "");

const OWN = {
  entities: { subgraph: "entities/lots.subgraph.graphql", multichain: "entities/lots.multichain.graphql" },
  chains: ["ethereum", "base"],
  chainPath: { Bid: "lot" },
  cursors: { Lot: "serial" },
};

function projectWith(protocols: object, files: Readonly<Record<string, string>> = {}): TempProject {
  return tempProject({
    "package.json": '{ "type": "module" }',
    "lockflow.config.js": `export default ${JSON.stringify({ protocols })};\n`,
    "entities/lots.subgraph.graphql": SUBGRAPH,
    "entities/lots.multichain.graphql": MULTICHAIN,
    ...files,
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
  it("error: --ids is not a flag, and nothing is written", async () => {
    const project = projectWith({ lots: OWN }, { "ids.csv": "protocol,chain,id\nlots,base,A" });
    const before = project.files();
    const { code, out, err } = await run(project.root, ["init", "--yes", "--ids", "ids.csv"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("--ids");
    expect(project.files()).toEqual(before);
  });

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
  }, 60_000);

  it("sets up the named protocol beside others, and lists those without a schema", async () => {
    const hosted = { subgraph: { testing: { url: "https://indexer.example/{deployment}" } } };
    const project = projectWith(
      { lockup: true, lots: OWN, bare: {} },
      {
        "lockflow.config.js": `export default ${JSON.stringify({ protocols: { lockup: true, lots: OWN, bare: {} }, ...hosted })};\n`,
      },
    );
    const named = await run(project.root, ["init", "--yes", "--protocol", "lots"]);
    expect(named).toMatchObject({ code: 0, err: "" });
    expect(named.out).not.toContain("bare/");
    expect(operationsOf(project)).toEqual(["operations/lots/portable/lots.graphql"]);
    const all = await run(project.root, ["init", "--yes"]);
    expect(all.code).toBe(0);
    expect(all.out).toMatch(/operations\/bare\/subgraph\/ +has no schema yet: introspect/);
    expect(operationsOf(project)).toContain("operations/lockup/portable/streams-by-recipient.graphql");
    expect(project.read("lockflow.config.js")).toContain('"bare":{}');
  });

  it("does not read other protocols if one is named", async () => {
    const project = projectWith(
      { lots: OWN, other: { entities: "nowhere.graphql" } },
      inSchemas(await setUp()),
    );
    const args = ["init", "--yes", "--protocol", "lots"];
    expect(await run(project.root, args)).toMatchObject({ code: 0, err: "" });
    expect(operationsOf(project)).toHaveLength(1);
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

  it.runIf(IS_THOROUGH)("reports missing snapshots if a protocol was added", async () => {
    const project = projectWith({ lots: OWN });
    expect((await run(project.root, ["init", "--yes"])).code).toBe(0);
    const both = { lots: OWN, more: { ...OWN, cursors: {} } };
    // A process loads a module only once.
    project.remove("lockflow.config.js");
    project.write("lockflow.config.json", JSON.stringify({ protocols: both }));
    const { code, out } = await run(project.root, ["init", "--yes", "--protocol", "more"]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /generated\/schemas\/ +lacks the snapshots of a protocol; `lockflow\s+introspect`\s+writes them/,
    );
    expect(out).toMatch(/\d\. npx lockflow introspect\n +Writes the missing snapshots\b/i);
    expect(await run(project.root, ["introspect"])).toMatchObject({ code: 0 });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  });

  it.runIf(IS_THOROUGH).each<[what: string, style: string, protocol: object, config: object]>([
    ["in one style", "multichain", { styles: ["multichain"] }, {}],
    [
      "without testing URLs",
      "subgraph",
      { chains: ["mine"] },
      { chains: { mine: { chainId: 4242, name: "Mine", subgraphSuffix: "mine", testing: false } } },
    ],
  ])("prints a command that prints rows, for a protocol %s", async (_, style, protocol, config) => {
    const definition = { entities: OWN.entities.multichain, ...protocol };
    const project = projectWith(
      {},
      {
        "lockflow.config.js": `export default ${JSON.stringify({ protocols: { lots: definition }, ...config })};\n`,
      },
    );
    const { code, out } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(0);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const args = /npx lockflow (ask .*)/.exec(out)?.[1]?.split(" ") ?? [];
    const asked = await run(project.root, args, { stopped: new Promise(() => {}) });
    expect(asked).toMatchObject({ code: 0 });
    expect(JSON.parse(asked.out)).not.toEqual([]);
    const synced = await run(project.root, ["sync"]);
    expect(synced.out).toContain(`Run: send one generated operation in ${style} style\n`);
  });

  it("writes an operation for each style if the protocol has no path to a chain", async () => {
    const entities = "type Lot @entity { id: ID! serial: BigInt! open: Boolean! }";
    const project = projectWith(
      { lots: { entities: "lots.graphql", chains: ["base", "ethereum"] } },
      { "lots.graphql": entities },
    );
    const { code, out, err } = await run(project.root, ["init", "--yes"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual([
      "operations/lots/multichain/lots.graphql",
      "operations/lots/subgraph/lots.graphql",
    ]);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["check"])).toEqual(NOTHING_FOUND);
    const args = /npx lockflow (ask .*)/.exec(out)?.[1]?.split(" ") ?? [];
    expect(args).toContain("--style");
    const asked = await run(project.root, args, { stopped: new Promise(() => {}) });
    expect(asked).toMatchObject({
      code: 0,
      err: expect.stringContaining("rows of all chains, from its multichain"),
    });
  });

  it("writes no portable operation if the chain is in a field with another name", async () => {
    const entities =
      "type Pool { id: ID! chainID: BigInt! name: String! } type Token { id: ID! chainID: BigInt! }";
    const identity = { chain: "Token.chainID" };
    const project = projectWith(
      { dex: { entities: "dex.graphql", styles: ["multichain"], chains: ["base", "ethereum"], identity } },
      { "dex.graphql": entities },
    );
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual(["operations/dex/multichain/pool-list.graphql"]);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  });

  it("lists the first entity whose rows have a chain", async () => {
    const entities =
      "type Bundle { id: ID! price: BigDecimal! } type Swap { id: ID! chainId: BigInt! amount: BigInt! }";
    const project = projectWith(
      { dex: { entities: "dex.graphql", styles: ["multichain"], chains: ["base", "ethereum"] } },
      { "dex.graphql": entities },
    );
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual(["operations/dex/portable/swaps.graphql"]);
  });

  it.each([
    ["rows with a chain", ["base", "ethereum"], "type Pool { id: ID! chainId: Int! tvl: BigDecimal! }"],
    ["one chain", ["base"], "type Pool { id: ID! tvl: BigDecimal! }"],
  ])("writes a portable operation for a multichain protocol with %s", async (_, chains, entities) => {
    const project = projectWith(
      { dex: { entities: "dex.graphql", styles: ["multichain"], chains } },
      { "dex.graphql": entities },
    );
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(project.read("operations/dex/portable/pools.graphql")).toContain(
      "  pools(first: $first, orderBy: id) {",
    );
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["check"])).toEqual(NOTHING_FOUND);
  });

  it("writes the operation for a snapshot if a definition has no entities", async () => {
    const { entities: _, ...bare } = OWN;
    const project = projectWith({ lots: { ...bare, styles: ["subgraph"] } }, inSchemas(await setUp()));
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual(["operations/lots/portable/lots.graphql"]);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  });

  it.each<[what: string, protocols: object, args: string[], want: RegExp]>([
    [
      "an unknown protocol",
      { lots: OWN },
      ["--protocol", "lot"],
      /--protocols must be lockup, flow or lots; got "lot"\.\n.*did you mean "lots"\?.*under "protocols"/,
    ],
    ["no entities and no host", { lots: {} }, [], /add protocols\.lots\.entities, .*or configure a host/s],
    [
      "a missing file of entities",
      { lots: { entities: "nowhere.graphql" } },
      [],
      /"protocols\.lots\.entities" names "nowhere\.graphql", which does not exist/,
    ],
    [
      "entities that a platform rejects",
      { lots: { entities: "entities/lots.subgraph.graphql" } },
      [],
      /multichain platform accepts, for 3 reasons\.\n {2}Timed: interfaces are not supported \(line 2\)[\s\S]*Hint: .*give each style its own/,
    ],
  ])("error: %s", async (_, protocols, args, want) => {
    const project = projectWith(protocols);
    const before = project.files();
    const { code, err } = await run(project.root, ["init", "--yes", ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(want);
    expect(project.files()).toEqual(before);
  });
});

async function setUp(): Promise<TempProject> {
  const project = projectWith({ lots: OWN });
  expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0 });
  return project;
}

function inSchemas(project: TempProject): Record<string, string> {
  return project.files("generated/schemas");
}
