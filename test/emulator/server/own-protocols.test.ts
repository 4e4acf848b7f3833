import { describe, expect, it, onTestFinished } from "vitest";
import type { OwnProtocol } from "../../../emulator/custom/custom-indexer.ts";
import type { Fault } from "../../../emulator/faults/fault.ts";
import type { Emulator, EmulatorOptions } from "../../../emulator/server/start-emulator.ts";
import { startProjectEmulator } from "../../../emulator/server/start-project-emulator.ts";
import { ConfigError, LockflowError } from "../../../src/base/errors.ts";
import { baseTypeName } from "../../../src/dialects/api-schema.ts";
import { isRowDefinition } from "../../../src/dialects/entity-model.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { rootFieldNames } from "../../../src/dialects/subgraph/names.ts";
import { STYLE_NAMES } from "../../../src/dialects/surface.ts";
import type { Config } from "../../../src/project/config.ts";
import { resolveProject } from "../../../src/project/project.ts";
import { run } from "../../support/run.ts";
import { tempProject } from "../../support/temp-project.ts";
import { ODD_MULTICHAIN, ODD_SUBGRAPH } from "../dataset/seeded/odd-schema.ts";
import { ask, read, urlOf } from "../faults/support.ts";
import { emulate, endpoint, post } from "../support.ts";

/** Entities that both platforms accept. */
const ENTITIES = `
  enum Phase { Open Closed }
  type Counter @entity { id: ID! chainId: Int! auctions: BigInt! }
  type House @entity { id: ID! chainId: Int! name: String! auctions: [Auction!]! @derivedFrom(field: "house") }
  type Auction @entity {
    id: ID!
    chainId: Int!
    serial: BigInt!
    house: House!
    reservePrice: BigDecimal!
    phase: Phase!
    bids: [Bid!]! @derivedFrom(field: "auction")
  }
  type Bid @entity(immutable: true) { id: ID! auction: Auction! amount: BigInt! note: String }
`;
const AUCTIONS: OwnProtocol = {
  entities: ENTITIES,
  identity: { chain: "Counter.chainId" },
  chainPath: { Bid: "auction" },
  cursors: { Auction: "serial" },
};

type Rows = Readonly<Record<string, unknown>>;

const BASE = "protocol-auctions-base";
const MULTICHAIN = "protocol-auctions-multichain";

describe("a configured protocol", () => {
  it("is served in both styles over the same rows", async () => {
    const emulator = await emulate({ protocols: { auctions: AUCTIONS } });
    const fields = "id serial house { id name } reservePrice phase bids { id amount }";
    const ofBase = `{ auctions(first: 1000, orderBy: serial) { ${fields} } counters { id chainId } }`;
    const subgraph = await read<Rows>(emulator, BASE, ofBase);
    const ofAll = `{
      Auction(where: { chainId: { _eq: 8453 } }, order_by: [{ serial: asc }]) { ${fields} }
      Counter(order_by: { chainId: asc }) { id chainId }
    }`;
    const multichain = await read<Rows>(emulator, MULTICHAIN, ofAll);
    const byId = (list: unknown) =>
      (list as { id: string; bids: { id: string }[] }[]).map(({ bids, ...rest }) => ({
        ...rest,
        bids: bids.map(({ id }) => id).sort(),
      }));
    expect((subgraph["auctions"] as unknown[]).length).toBe(12);
    expect(byId(multichain["Auction"])).toEqual(byId(subgraph["auctions"]));
    expect(subgraph["counters"]).toEqual([{ id: "8453", chainId: 8453 }]);
    expect(multichain["Counter"]).toContainEqual({ id: "8453", chainId: 8453 });
    expect((multichain["Counter"] as unknown[]).length).toBeGreaterThan(20);
  });

  it.each(STYLE_NAMES)("has a valid value in every field of every entity: %s", async (style) => {
    const entities = { subgraph: ODD_SUBGRAPH, multichain: ODD_MULTICHAIN };
    const emulator = await emulate({
      protocols: { odd: { ...AUCTIONS, entities, chains: ["base"], chainPath: { Ledger: "bids" } } },
      deployments: ["protocol-odd-base", "protocol-odd-multichain"],
      fleet: { multichain: "envio-3.8" },
    });
    const { definitions } = parseEntities(entities[style], style);
    const rows = definitions.filter(isRowDefinition);
    for (const { name, kind, fields } of rows) {
      const selection = fields.map((field) =>
        rows.some((table) => table.name === baseTypeName(field.type)) ? `${field.name} { id }` : field.name,
      );
      const isMultichain = style === "multichain";
      const root = isMultichain ? name : rootFieldNames(name, { collectionSuffix: true }).plural;
      const interval = kind === "aggregation" ? ", interval: day" : "";
      const args = isMultichain ? "limit: 1000" : `first: 1000${interval}`;
      const deployment = `protocol-odd-${isMultichain ? style : "base"}`;
      const data = await read<Rows>(emulator, deployment, `{ ${root}(${args}) { ${selection.join(" ")} } }`);
      expect((data[root] as unknown[]).length, name).toBeGreaterThan(0);
    }
  });

  it("is served in addition to the built-in protocols, or replaces one", async () => {
    const emulator = await emulate({ protocols: { auctions: AUCTIONS, lockup: AUCTIONS } });
    const flow = await read<Rows>(emulator, "protocol-flow-base", "{ streams(first: 1) { id } }");
    expect(flow).toHaveProperty("streams");
    const lockup = await read<Rows>(emulator, "protocol-lockup-base", "{ auctions(first: 1) { serial } }");
    expect(lockup).toEqual({ auctions: [{ serial: "1" }] });
    expect(await ask(emulator, "protocol-lockup-base", "{ streams { id } }")).toHaveProperty("errors");
    expect(emulator.env()).toHaveProperty("LOCKFLOW_AUCTIONS_ID");
  });

  it("serves only the configured styles and chains", async () => {
    const namesOf = async (auctions: object) => {
      const { endpoints } = await emulate({ protocols: { auctions: { ...AUCTIONS, ...auctions } } });
      const names = endpoints.map(({ deployment }) => deployment).filter((name) => name.includes("auctions"));
      return [...new Set(names)];
    };
    expect(await namesOf({ styles: ["subgraph"], chains: ["base", 137, "mainnet"] })).toEqual([
      "protocol-auctions-base",
      "protocol-auctions-mainnet",
      "protocol-auctions-polygon",
    ]);
    expect(await namesOf({ styles: ["multichain"] })).toEqual(["protocol-auctions-multichain"]);
    await expect(namesOf({ chains: ["bsae"] })).rejects.toMatchObject({
      code: "EMULATOR_BAD_OPTION",
      hint: 'did you mean "base"?',
    });
  });

  it("gets new rows with new blocks, and can be queried at past blocks", async () => {
    const emulator = await emulate({ protocols: { auctions: AUCTIONS }, deployments: [BASE] });
    const query = "{ auctions(first: 1000) { id } _meta { block { number } } }";
    const before = await read<Rows>(emulator, BASE, query);
    emulator.advance(400, 8453);
    const after = await read<Rows>(emulator, BASE, query);
    const { number } = (before["_meta"] as { block: { number: number } }).block;
    expect(after["_meta"]).toEqual({ block: { number: number + 400 } });
    expect((after["auctions"] as []).length).toBeGreaterThan((before["auctions"] as []).length);
    const past = `{
      auctions(first: 1000, block: { number: ${number} }) { id }
      changed: auctions(first: 1000, where: { _change_block: { number_gte: ${number + 1} } }) { id }
    }`;
    const then = await read<Rows>(emulator, BASE, past);
    expect(then["auctions"]).toEqual(before["auctions"]);
    expect((then["changed"] as []).length).toBeGreaterThan(0);
  });

  it("can have faults", async () => {
    const emulator = await emulate({
      protocols: { auctions: AUCTIONS },
      deployments: [BASE, MULTICHAIN, "protocol-flow-base"],
    });
    using _ = await emulator.fault({ kind: "502", protocol: "auctions" });
    const statusOf = async (name: string) =>
      (await post(urlOf(emulator, name), { query: "{ __typename }" })).status;
    expect([await statusOf(MULTICHAIN), await statusOf("protocol-flow-base")]).toEqual([502, 200]);
    await expect(emulator.fault({ kind: "500", protocol: "auction" })).rejects.toThrow(
      /No deployment is of the protocol "auction"\.[\s\S]*did you mean "auctions"\?/,
    );
  });

  it.each<[fault: Fault, name: string, query: string, data: object]>([
    [
      { kind: "wrong-protocol", protocol: "auctions", style: "subgraph" },
      BASE,
      "{ watchers { chainId } }",
      { watchers: [{ chainId: "8453" }] },
    ],
    [
      { kind: "wrong-protocol", protocol: "flow" },
      "protocol-flow-base",
      "{ counters { chainId } }",
      { counters: [{ chainId: 8453 }] },
    ],
    [
      { kind: "rename-field", field: "Auction.serial", to: "place" },
      BASE,
      "{ auctions(first: 1, orderBy: place) { place } }",
      { auctions: [{ place: "1" }] },
    ],
  ])("can have the fault %j", async (fault, name, query, data) => {
    const deployments = [BASE, "protocol-flow-base"];
    const emulator = await emulate({ protocols: { auctions: AUCTIONS }, deployments, faults: [fault] });
    expect(await read<Rows>(emulator, name, query)).toEqual(data);
  });

  const serve = (protocol: unknown) => ({ protocols: { auctions: protocol as OwnProtocol } });
  const ONE = { name: "a", chainIds: [1], environments: [] };
  const KEYED = /^"protocols" must be an object of protocols by key/;
  it.each<[options: EmulatorOptions, want: RegExp]>([
    [
      serve({ entities: ODD_SUBGRAPH }),
      /The multichain platform does not accept[\s\S]*Owner: interfaces are not supported \(line 3\)[\s\S]*protocols\.auctions\.entities: \{ multichain, subgraph \}/,
    ],
    [
      serve({
        entities: { subgraph: "type A @entity { id: ID! b: B! }" },
        places: { entities: { subgraph: "entities/a.graphql" } },
      }),
      /Validation errors in subgraph `entities\/a\.graphql`:[\s\S]*\(1\) - Type `A`, field `b`: type `B` is not defined \(line 1\)/,
    ],
    [serve({ entities: "type {" }), /^auctions:1:6 is not valid GraphQL/],
    [serve({}), /"protocols\.auctions\.entities" must be/],
    [serve({ ...AUCTIONS, cursor: {} }), /has no option "protocols\.auctions\.cursor"\.[\s\S]*"cursors"/],
    [
      serve({ ...AUCTIONS, rows: { Auctoin: [], Bid: [{ id: "a-{chainId}", amount: 1 }] } }),
      /The value "rows" of "auctions" does not hold rows of these entities: 2 things are wrong\.[\s\S]*"Auctoin"[\s\S]*Bid\[0\]\.auction: is missing/,
    ],
    [
      serve({ ...AUCTIONS, rows: { House: [{ id: "house", name: "a" }] } }),
      /House\[0\]\.id: would be the same on all chains/,
    ],
    [
      serve({ ...AUCTIONS, rows: { Counter: [{ id: "{chainId}", chainId: "base", auctions: 1 }] } }),
      /Counter\[0\]\.chainId: has to be the id of a chain, not "base"/,
    ],
    [
      {
        ...serve({ entities: { subgraph: ENTITIES } }),
        deployments: [{ ...ONE, protocol: "auctions", style: "multichain" }],
      },
      /"a" has the style "multichain", but the protocol "auctions" has no entities of that style\.[\s\S]*protocols\.auctions\.entities\.multichain/,
    ],
    [
      { ...serve(AUCTIONS), deployments: [{ ...ONE, protocol: "auction", style: "subgraph" }] },
      /"a" has the unknown protocol "auction"\.[\s\S]*did you mean "auctions"\?/,
    ],
    [{ protocols: { "a b": AUCTIONS } }, KEYED],
    [{ protocols: JSON.parse(`{ "__proto__": ${JSON.stringify(AUCTIONS)} }`) }, KEYED],
  ])("error before the emulator starts: %j", async (options, want) => {
    const error = await emulate(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LockflowError);
    expect((error as Error).message).toMatch(want);
  });
});

describe("rows of a configured protocol", () => {
  const MULTICHAIN_ENTITIES = ENTITIES.replace("house: House!", "house_id: String!").replace(
    `auctions: [Auction!]! @derivedFrom(field: "house")`,
    "",
  );
  const SUBGRAPH_ENTITIES = ENTITIES.replaceAll("chainId: Int!", "").replace(
    "type Counter @entity { ",
    "type Counter @entity { chainId: Int! ",
  );
  const PROTOCOL: OwnProtocol = {
    entities: { multichain: MULTICHAIN_ENTITIES, subgraph: SUBGRAPH_ENTITIES },
    rows: {
      Counter: [{ id: "{chainId}", chainId: "{chainId}", auctions: 1 }],
      House: [
        { id: "house-{chainId}", name: "on {chainId}" },
        { id: "annex", name: "on Base only", chainId: 8453 },
      ],
      Auction: [
        { id: "a-{chainId}", serial: 1, house: "house-{chainId}", reservePrice: "1.5", phase: "Open" },
      ],
      Bid: [{ id: "b-{chainId}", auction: "a-{chainId}", amount: "12" }],
    },
  };

  it("are served per chain, in both styles", async () => {
    const emulator = await emulate({ protocols: { auctions: PROTOCOL } });
    const bids = [{ id: "b-8453", amount: "12" }];
    const auction = { id: "a-8453", serial: "1", reservePrice: "1.5", bids };
    const fields = "id serial reservePrice bids { id amount }";
    const subgraph = `{ auctions { ${fields} house { name } } houses { id } counters { id chainId } }`;
    expect(await read<Rows>(emulator, BASE, subgraph)).toEqual({
      auctions: [{ ...auction, house: { name: "on 8453" } }],
      houses: [{ id: "annex" }, { id: "house-8453" }],
      counters: [{ id: "8453", chainId: 8453 }],
    });
    const mainnet = await read<Rows>(emulator, "protocol-auctions-mainnet", "{ houses { id } }");
    expect(mainnet).toEqual({ houses: [{ id: "house-1" }] });
    const multichain = `{
      Auction(where: { chainId: { _eq: 8453 } }) { ${fields} house_id }
      House(where: { id: { _eq: "annex" } }) { chainId }
    }`;
    expect(await read<Rows>(emulator, MULTICHAIN, multichain)).toEqual({
      Auction: [{ ...auction, house_id: "house-8453" }],
      House: [{ chainId: 8453 }],
    });
  });

  it("without a chain are served once by multichain, and on every chain by subgraphs", async () => {
    const entities = `type Currency @entity { id: ID! }`;
    const rows = [{ block: 5, rows: { Currency: [{ id: "EUR" }, { id: "USD", chainId: 8453 }] } }];
    const emulator = await emulate({ protocols: { auctions: { entities, rows } } });
    expect(await read<Rows>(emulator, MULTICHAIN, "{ Currency(order_by: { id: asc }) { id } }")).toEqual({
      Currency: [{ id: "EUR" }, { id: "USD" }],
    });
    const subgraph = "{ currencies { id } }";
    expect(await read<Rows>(emulator, BASE, subgraph)).toEqual({
      currencies: [{ id: "EUR" }, { id: "USD" }],
    });
    const mainnet = await read<Rows>(emulator, "protocol-auctions-mainnet", subgraph);
    expect(mainnet).toEqual({ currencies: [{ id: "EUR" }] });
  });
});

describe("the emulator of a project", () => {
  const FILES = { "entities/auctions.graphql": ENTITIES };
  const AUCTIONS_CONFIG = {
    entities: "entities/auctions.graphql",
    chains: ["ethereum", "base"],
    identity: { chain: "Counter.chainId" },
  };

  async function startIn(files: Record<string, string>, config: Config): Promise<Emulator> {
    const project = resolveProject(config, tempProject(files).root);
    const emulator = await startProjectEmulator(project, { streams: 5 });
    onTestFinished(() => emulator.close());
    return emulator;
  }

  it("serves the configured deployments under their configured names", async () => {
    const emulator = await startIn(FILES, {
      protocols: { auctions: { ...AUCTIONS_CONFIG, deployment: "{protocol}-on-{suffix}" } },
    });
    expect([...new Set(emulator.endpoints.map(({ deployment }) => deployment))]).toEqual([
      "auctions-on-base",
      "auctions-on-mainnet",
      "auctions-on-multichain",
    ]);
    const { url } = endpoint(emulator, "subgraph", "testing", "auctions-on-base");
    const answer = await post(url, { query: "{ counters { chainId } }" });
    expect(await answer.json()).toEqual({ data: { counters: [{ chainId: 8453 }] } });
  });

  it("serves rows from a file", async () => {
    const emulator = await startIn(
      { ...FILES, "rows.json": `{ "House": [{ "id": "h-{chainId}", "name": "x" }] }` },
      { protocols: { auctions: { ...AUCTIONS_CONFIG, rows: "rows.json" } } },
    );
    const { url } = endpoint(emulator, "multichain");
    const answer = await post(url, { query: "{ House(order_by: { chainId: asc }) { id chainId } }" });
    const House = [1, 8453].map((chainId) => ({ id: `h-${chainId}`, chainId }));
    expect(await answer.json()).toEqual({ data: { House } });
  });

  it.each<[files: Record<string, string>, auctions: object, want: RegExp]>([
    [
      {},
      { chains: ["base"] },
      /The emulator cannot serve auctions, because it does not know its entities\.[\s\S]*add protocols\.auctions\.entities, the path/,
    ],
    [
      FILES,
      { entities: { subgraph: "entities/auctions.graphql" } },
      /add protocols\.auctions\.entities\.multichain, the path/,
    ],
    [
      {},
      AUCTIONS_CONFIG,
      /"protocols\.auctions\.entities" names "entities\/auctions\.graphql", which does not exist\./,
    ],
    [
      FILES,
      { ...AUCTIONS_CONFIG, rows: "rows.json" },
      /"protocols\.auctions\.rows" names "rows\.json", which does not exist\./,
    ],
  ])("error: %j, %j", async (files, auctions, want) => {
    const started = startIn(files, { protocols: { lockup: true, auctions } });
    const error = await started.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(want);
  });

  it("`emulate` serves the protocols with entities, and reports those without", async () => {
    const config = (protocols: object) => JSON.stringify({ protocols });
    const mixed = config({ auctions: AUCTIONS_CONFIG, vaults: { chains: ["base"] } });
    const project = tempProject({ ...FILES, "lockflow.config.json": mixed });
    const emulate = (...more: string[]) => run(project.root, ["emulate", "--port", "0", "--json", ...more]);
    const { code, out, err } = await emulate("--fault", "auctions=502", "--aggregates", "Bid");
    expect(code).toBe(0);
    expect(out).toContain('"protocol-auctions-base"');
    expect(out).not.toContain('"protocol-vaults-base"');
    expect(err).toBe(
      "Some deployments are not served: set protocols.vaults.entities in the configuration to the path of the entity schema.\n",
    );
    const strange = await emulate("--aggregates", "Bod");
    expect(strange.code).toBe(2);
    expect(strange.err).toMatch(/"Bod", which is not an entity of auctions\.[\s\S]*"Bid"/);
    project.write("lockflow.config.json", config({ vaults: { chains: ["base"] } }));
    const none = await emulate();
    expect(none.code).toBe(2);
    expect(none.err).toContain("protocols.vaults.entities");
  });
});
