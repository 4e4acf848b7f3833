import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startProjectEmulator } from "../../emulator/server/start-project-emulator.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { installClient } from "../support/built-client.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { STRICT_FILES, typeErrors } from "../support/type-errors.ts";

/** Entities of a subgraph of one chain: only one has a chain id. */
const ENTITIES = `
  enum Grade { Raw Washed }
  type Farm @entity { id: ID! owner: Bytes! lots: [Lot!]! @derivedFrom(field: "farm") }
  type Lot @entity { id: ID! serial: BigInt! farm: Farm! grade: Grade! weight: Int! price: BigDecimal! }
  type Ledger @entity { id: ID! chainId: BigInt! }
`;

const LOTS = `query Lots($first: Int = 5, $after: BigInt = "0", $grades: [Grade!]!) {
  lots(first: $first, orderBy: serial, orderDirection: asc, where: { serial_gt: $after, grade_in: $grades }) {
    id serial grade weight farm { id owner }
  }
}
query FarmsOf($owner: Bytes!) { farms(first: 5, where: { owner: $owner }) { id owner } }
query SomeLots($where: Lot_filter!) { lots(first: 5, where: $where) { id serial } }
query Dearest($least: BigDecimal = "0.01") {
  lots(first: 5, orderBy: price, orderDirection: desc, where: { price_gt: $least }) { id price }
}
query LotById($id: ID!) { lot(id: $id) { id price } }`;

const CALLS = `
import { createClient, pages, run } from "./generated/client.ts";
import { createProxy } from "./generated/proxy.ts";
import { Dearest, FarmsOf, type FarmsOfRow, LotById, Lots, type LotsRow, SomeLots } from "./generated/coffee/portable.ts";

const client = createClient();
const { data } = await run(client, Lots, { grades: ["Raw", "Washed"] }, { chain: "base" });
const rows: LotsRow[] = data.lots;
const [first] = rows;
if (!first?.farm) throw new Error("no rows");
const { id: farmId, owner: text } = first.farm;
const owner = text as \`0x\${string}\`;
const found = await run(client, FarmsOf, { owner }, { chain: "base" });
const farms: FarmsOfRow[] = found.data.farms;
const some = await run(client, SomeLots, { where: { serial_lte: 2n, grade_in: ["Raw", "Washed"] } }, { chain: "base" });
const dearest = await run(client, Dearest, {}, { chain: "base" });
const prices: string[] = dearest.data.lots.map(({ price }) => price);
const [dear] = dearest.data.lots;
const again = await run(client, LotById, { id: dear?.id ?? "" }, { chain: "base" });
let count = 0;
for await (const page of pages(client, Lots, { first: 2, grades: ["Raw", "Washed"] }, { chain: "base" })) count += page.rows.length;
export const answer = {
  rows: rows.length, isOwned: farms.some(({ id }) => id === farmId), some: some.data.lots.length, count,
  prices: prices.length, isSorted: prices.every((price, at) => at === 0 || Number(price) <= Number(prices[at - 1])),
  isFound: again.data.lot?.price === prices[0],
  proxy: typeof createProxy,
};
`;

/** Entities of a multichain indexer of several chains, all with a chain id. */
const WITH_CHAINS = ENTITIES.replaceAll("id: ID! ", "id: ID! chainId: BigInt! ").replace(
  "chainId: BigInt! chainId",
  "chainId",
);

/** Operations that are refused if both styles are deployed. */
const OF_ONE = {
  subgraph: {
    entities: `
      interface Named { id: ID! name: String! at: Timestamp }
      type Shop implements Named @entity { id: ID! name: String! at: Timestamp farms: [Farm!]! size: Int8 }
    `,
    operations: `query Named { nameds(first: 5, where: { _change_block: { number_gte: 0 } }) { id name at ... on Shop { size } } }
      query Shops($farms: [String!], $size: Int8) { shops(where: { farms_contains: $farms, size: $size }) { id farms { id } } }
      query ShopsAt($where: Shop_filter) { shops(where: $where, block: { number: 1 }) { id at } }`,
  },
  multichain: {
    entities:
      "type Shop @entity { id: ID! chainId: BigInt! score: Float data: Json at: Timestamp farm: Farm! }",
    operations: `query Shops { shops(first: 5, orderBy: score) { id chainId score data at } }
      query Deep { farms(where: { lots_: { farm_: { id: "1" } } }) { id } }
      query ShopsOf($where: Shop_filter) { shops(where: $where) { id data } }`,
  },
} as const;

afterEach(() => vi.unstubAllEnvs());

const TRIED = [
  ["subgraph", ["base"], ENTITIES, "multichain"],
  ["multichain", ["base", "ethereum"], WITH_CHAINS, "subgraph"],
  ["multichain", ["base"], ENTITIES, "subgraph"],
] as const;

it.each(IS_THOROUGH ? TRIED : TRIED.slice(0, 2))(
  "portable operations of a protocol with only the %s style, on %j, run in the client",
  async (own, chains, entities, other) => {
    const identity = { chain: "Ledger.chainId" };
    const coffee = {
      entities: "coffee.graphql",
      styles: [own],
      chains,
      identity,
      cursors: { Lot: "serial" },
    };
    const project = tempProject({
      "package.json": '{ "type": "module" }',
      "lockflow.config.json": JSON.stringify({ protocols: { coffee }, importExtension: ".ts" }),
      "coffee.graphql": entities + OF_ONE[own].entities,
      "operations/coffee/portable/one.graphql": OF_ONE[own].operations,
      "operations/coffee/portable/lots.graphql": LOTS,
      "calls.ts": CALLS,
    });
    const emulator = await startProjectEmulator(await loadProject(project.root), { streams: 7 });
    onTestFinished(() => emulator.close());
    const lockflow = async (...args: readonly string[]) => {
      const options = { env: emulator.env(), stopped: new Promise<void>(() => {}) };
      const { code, out, err } = await run(project.root, args, options);
      if (code !== 0) throw new Error(out + err);
      return out;
    };
    await lockflow("introspect");
    installClient(project.root);
    await lockflow("generate");
    expect(await lockflow("check")).not.toMatch(other);
    const args = [
      ...STRICT_FILES,
      "--allowImportingTsExtensions",
      "--exactOptionalPropertyTypes",
      "calls.ts",
    ];
    if (IS_THOROUGH) expect(await typeErrors(project.root, { args })).toBe("");
    for (const [name, value] of Object.entries(emulator.env())) vi.stubEnv(name, value);
    const { answer } = await import(join(project.root, "calls.ts"));
    expect(answer).toEqual({
      rows: 5,
      isOwned: true,
      some: 2,
      count: 7,
      proxy: "function",
      prices: 5,
      isSorted: true,
      isFound: true,
    });
    if (!IS_THOROUGH) return;
    expect(JSON.parse(await lockflow("compile", "Lots", "--json"))).toMatchObject({
      [own]: { text: expect.stringContaining("query Lots") },
      [other]: { text: null },
    });
    expect(JSON.parse(await lockflow("compile", "Dearest", "--json"))).toMatchObject({ unmerged: null });
    const ask = ["ask", "Lots", "--var", 'grades=["Raw","Washed"]', "--chain", "base", "--format", "ndjson"];
    expect(await lockflow(...ask)).toContain('"serial":"1"');
  },
);
