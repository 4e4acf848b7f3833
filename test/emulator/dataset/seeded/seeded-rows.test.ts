import { describe, expect, it } from "vitest";
import type { Dataset } from "../../../../emulator/dataset/dataset.ts";
import type { RowRules } from "../../../../emulator/dataset/seeded/build-row-plan.ts";
import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import { styles } from "../../../../src/dialects/index.ts";
import { STYLE_NAMES } from "../../../../src/dialects/surface.ts";
import { ODD_MULTICHAIN, ODD_SUBGRAPH } from "./odd-schema.ts";
import { checkRows, danglingAt, idsOf, listOf, NO_RULES, rowsAt, seeded, tablesOf } from "./support.ts";

const ODD = { subgraph: ODD_SUBGRAPH, multichain: ODD_MULTICHAIN };
const RULES: RowRules = {
  chainIdentity: { entity: "Counter", field: "chainId" },
  chainPath: { Ledger: "bids" },
  cursors: { Auction: "serial" },
  ids: { Auction: "{contract}-{chainId}-{tokenId}" },
};
const CHAIN = 8453;
const NEWEST = { multichain: "3.8", subgraph: "0.45" };

/** Returns the blocks to check: the first ones, the first head, and a later one. */
function blocksOf(dataset: Dataset): number[] {
  const { earliestBlock, firstHead } = dataset.chain(CHAIN);
  return [earliestBlock, earliestBlock + 250, firstHead, firstHead + 400];
}

describe("the odd schema", () => {
  it.each(STYLE_NAMES)("is accepted by the %s platform", async (style) => {
    const validated = styles[style].deriver.validate(ODD[style], style, { release: NEWEST[style] });
    await expect(validated).resolves.toBeUndefined();
  });
});

describe.each(STYLE_NAMES)("seeded rows of the %s style", (style) => {
  const dataset = seeded(ODD, { rules: RULES })(style);
  const chain = dataset.chain(CHAIN);

  it("are valid, have no dangling references and fit derived fields, at every block", () => {
    for (const block of blocksOf(dataset)) checkRows(dataset, style, { chainId: CHAIN, block });
  });

  it("refer to every row of an entity with a chain path", () => {
    for (const block of blocksOf(dataset)) {
      const store = chain.storeAt(block);
      const reached = new Set(store.rows("Bid").map(({ ledger }) => ledger));
      expect(idsOf(store.rows("Ledger")).filter((id) => !reached.has(id))).toEqual([]);
      expect(store.rows("Ledger").length).toBeGreaterThan(0);
    }
  });

  it("have a cursor that starts at 1, has no gaps and never changes", () => {
    const first = chain.storeAt(chain.earliestBlock).rows("Auction");
    const later = chain.storeAt(chain.firstHead + 400).rows("Auction");
    expect(later.map(({ serial }) => serial)).toEqual(later.map((_, index) => String(index + 1)));
    expect(later.slice(0, first.length).map(({ id, serial }) => [id, serial])).toEqual(
      first.map(({ id, serial }) => [id, serial]),
    );
  });

  it("have ids of the declared form", () => {
    for (const row of chain.storeAt(chain.firstHead).rows("Auction")) {
      expect(row["id"]).toBe(`${row["contract"]}-${CHAIN}-${row["tokenId"]}`);
    }
  });

  it("vary in every field, and are null in less than half of the rows", () => {
    const rows = chain.storeAt(chain.firstHead).rows("Auction");
    const varied = (name: string) => new Set(rows.map((row) => JSON.stringify(row[name]))).size > 1;
    const fields = Object.keys(rows[0] ?? {}).filter((name) => name !== "chainId");
    expect(fields.filter((name) => !varied(name))).toEqual([]);
    const nulls = rows.filter(({ note }) => note === null).length;
    expect(nulls).toBeGreaterThan(0);
    expect(nulls).toBeLessThan(rows.length / 2);
  });

  it("change in later blocks unless their entity is immutable", () => {
    const [before, after] = [chain.firstHead, chain.firstHead + 2000].map((block) => chain.storeAt(block));
    const changed = (entity: string) =>
      before?.rows(entity).filter((row) => after?.find(entity, String(row["id"])) !== row).length;
    expect(changed("Auction")).toBeGreaterThan(0);
    expect(changed("Token")).toBe(0);
    expect(changed("Bid")).toBe(0);
    expect(after?.rows("Bid").length).toBeGreaterThan(before?.rows("Bid").length ?? 0);
  });

  it("are found by id, except ids of another chain", () => {
    const store = chain.storeAt(chain.firstHead);
    const [box] = store.rows("Box");
    expect(store.find("Box", String(box?.["id"]))).toBe(box);
    expect(store.find("Box", "box-10-1")).toBeUndefined();
    expect(store.writtenAt("Box", String(box?.["id"]))).toBeLessThanOrEqual(chain.earliestBlock);
  });
});

describe("seeded rows of both styles", () => {
  const datasetOf = seeded(ODD, { rules: RULES });
  const [multichain, subgraph] = [datasetOf("multichain"), datasetOf("subgraph")];
  const shared = tablesOf(multichain.model).flatMap(({ name, fields }) => {
    const other = tablesOf(subgraph.model).find((table) => table.name === name);
    return other === undefined ? [] : [{ name, fields, others: other.fields }];
  });

  it("are of more than ten entities", () => expect(shared.length).toBeGreaterThan(10));

  it.each(shared.map((table) => [table.name, table] as const))("agree on %s", (name, { fields, others }) => {
    for (const block of blocksOf(subgraph)) {
      const store = multichain.chain(CHAIN).storeAt(block);
      const other = subgraph.chain(CHAIN).storeAt(block);
      expect(idsOf(store.rows(name))).toEqual(idsOf(other.rows(name)));
      expect(store.rows(name).length).toBeGreaterThan(0);
      for (const field of fields) {
        const there = others.find(({ name }) => [name, `${name}_id`].includes(field.name));
        if (there === undefined || field.derived || there.derived) continue;
        const values = store.rows(name).map((row) => comparable(row[field.name] ?? null, field.type));
        const want = other.rows(name).map((row) => comparable(row[there.name] ?? null, there.type));
        expect(values, `${name}.${field.name}`).toEqual(want);
      }
      for (const field of fields.filter(({ derived }) => derived)) {
        const there = others.find((candidate) => candidate.name === field.name);
        const target = baseTypeName(field.type);
        for (const { id = null } of store.rows(name)) {
          const want = idsOf(other.matching(target, there?.derivedFrom ?? "", id));
          expect(idsOf(store.matching(target, field.derivedFrom ?? "", id))).toEqual(want);
        }
      }
    }
  });

  /** Converts a value to a form that does not depend on its scalar: times in seconds, numbers as numbers. */
  function comparable(value: unknown, type: string): unknown {
    if (value === null) return null;
    if (Array.isArray(value)) return value.map((item) => comparable(item, baseTypeName(type)));
    const base = baseTypeName(type);
    if (base === "Timestamp") return Number(value) / 1_000_000;
    return ["BigDecimal", "BigInt", "Float", "Int", "Int8"].includes(base) ? Number(value) : value;
  }

  it("have their chain id, and one row of the identity entity per chain", () => {
    for (const chainId of [1, 10, 8453]) {
      const chain = multichain.chain(chainId);
      const store = chain.storeAt(chain.firstHead);
      const chainIds = (entity: string) => new Set(store.rows(entity).map((row) => row["chainId"]));
      expect(store.rows("Counter").map(({ id, chainId: of }) => [id, of])).toEqual([[`${chainId}`, chainId]]);
      expect(chainIds("Auction")).toEqual(new Set([`${chainId}`]));
      expect(chainIds("Payout")).toEqual(new Set([`${chainId}`]));
    }
  });

  it("have ids that are unique over all chains", () => {
    for (const { name } of tablesOf(multichain.model)) {
      const ids = [1, 10, 8453].flatMap((chainId) => {
        const chain = multichain.chain(chainId);
        return idsOf(chain.storeAt(chain.firstHead).rows(name));
      });
      expect(new Set(ids).size, name).toBe(ids.length);
    }
  });

  it("have only enum members that both styles have", () => {
    const chain = multichain.chain(CHAIN);
    const auctions = chain.storeAt(chain.firstHead).rows("Auction");
    expect([...new Set(auctions.map(({ phase }) => phase))].sort()).toEqual(["Closed", "Open", "Settled"]);
  });
});

describe("roll-ups of seeded rows", () => {
  const dataset = seeded(ODD, { rules: RULES, count: 200 })("subgraph");
  const chain = dataset.chain(CHAIN);

  it.each([
    ["at the first block", chain.earliestBlock],
    ["at a later block", chain.firstHead + 3000],
  ])("agree with their source %s", (_, block) => {
    const store = chain.storeAt(block);
    const prices = store.rows("Price").map((row) => ({
      time: Number(row["timestamp"]) / 1_000_000,
      token: row["token"],
      value: Number(row["value"]),
      volume: BigInt(String(row["volume"])),
    }));
    expect(prices.length).toBeGreaterThan(100);
    const stats = store.rows("PriceStats");
    expect(new Set(idsOf(stats)).size).toBe(stats.length);
    let trades = 0;
    for (const row of stats) {
      const length = row["interval"] === "hour" ? 3600 : 86_400;
      const start = Number(row["timestamp"]) / 1_000_000;
      expect(start % length).toBe(0);
      const ofToken = prices.filter(({ token }) => token === row["token"]);
      const inside = ofToken.filter(({ time }) => time >= start && time < start + length);
      const values = inside.map(({ value }) => value);
      trades += Number(row["trades"]);
      expect(Number(row["trades"])).toBe(inside.length);
      const sum = values.reduce((total, value) => total + value, 0);
      expect(Number(row["sum"])).toBeCloseTo(sum, 3);
      expect(Number(row["high"])).toBe(Math.max(...values));
      expect(Number(row["low"])).toBe(Math.min(...values));
      expect([Number(row["opened"]), Number(row["closed"])]).toEqual([values[0], values.at(-1)]);
      const before = ofToken.filter(({ time }) => time < start + length);
      expect(row["ever"]).toBe(String(before.reduce((sum, { volume }) => sum + volume, 0n)));
    }
    expect(trades).toBe(2 * prices.length);
  });
});

describe("the seed of rows", () => {
  const textOf = (dataset: Dataset, block: number) =>
    JSON.stringify(rowsAt(dataset, dataset.chain(CHAIN), block));

  it.each(STYLE_NAMES)("determines the rows of the %s style, in any order of reads", (style) => {
    const [dataset, other] = [seeded(ODD, { rules: RULES })(style), seeded(ODD, { rules: RULES })(style)];
    const { earliestBlock, firstHead } = dataset.chain(CHAIN);
    const late = textOf(dataset, firstHead + 900);
    for (let block = earliestBlock; block < firstHead + 900; block += 7)
      other.chain(CHAIN).storeAt(block).rows("Bid");
    expect(textOf(other, firstHead + 900)).toBe(late);
    expect(textOf(other, earliestBlock)).toBe(textOf(dataset, earliestBlock));
    expect(textOf(seeded(ODD, { rules: RULES, seed: "other" })(style), 0)).not.toBe(textOf(dataset, 0));
  });

  it("is separate for each chain, so other chains do not affect its rows", () => {
    const dataset = seeded({ subgraph: ODD_SUBGRAPH })("subgraph");
    const other = seeded({ subgraph: ODD_SUBGRAPH }, { chainIds: [CHAIN] })("subgraph");
    expect(textOf(dataset, 0)).toBe(textOf(other, 0));
    expect(JSON.stringify(rowsAt(dataset, dataset.chain(1), 0))).not.toContain("-8453-");
  });
});

describe("the number of seeded rows", () => {
  const sizes = (count: number | null, block: "earliestBlock" | "firstHead", texts = ODD) => {
    const dataset = seeded(texts, { rules: RULES, count })("subgraph");
    const chain = dataset.chain(CHAIN);
    return Object.fromEntries(
      Object.entries(rowsAt(dataset, chain, chain[block])).map(([name, rows]) => [name, rows.length]),
    );
  };

  it("is by default at least 180 for entities with references, and lower for others", () => {
    const { Auction = 0, Bid = 0, Token = 0 } = sizes(null, "firstHead");
    expect(Auction).toBeGreaterThanOrEqual(180);
    expect(Bid).toBeGreaterThanOrEqual(180);
    expect(Token).toBeLessThan(Auction);
    expect(Token).toBeGreaterThan(10);
  });

  it.each([1, 2, 5, 100])("is %i at the first head if that is configured", (count) => {
    const { Counter, Feed, Guild } = sizes(count, "firstHead");
    expect(Guild).toBe(count);
    expect(Counter).toBe(1);
    expect(Feed).toBeGreaterThan(0);
  });

  it("is 0 except for the identity entity if 0 is configured, until later blocks", () => {
    const { Counter, ...others } = sizes(0, "firstHead");
    expect(Counter).toBe(1);
    expect(Object.values(others).every((size) => size === 0)).toBe(true);
    const dataset = seeded(ODD, { rules: RULES, count: 0 })("subgraph");
    const chain = dataset.chain(CHAIN);
    expect(chain.storeAt(chain.firstHead + 500).rows("Auction").length).toBeGreaterThan(0);
    expect(danglingAt(dataset, chain, chain.firstHead + 500)).toEqual([]);
  });
});

describe("odd entities", () => {
  const rowsOf = (text: string, options: Parameters<typeof seeded>[1] = {}) => {
    const dataset = seeded({ subgraph: text }, options)("subgraph");
    const chain = dataset.chain(CHAIN);
    return { dataset, chain, rows: rowsAt(dataset, chain, chain.firstHead) };
  };

  it("have no rows if a required reference has no target", () => {
    const { rows } = rowsOf(`
      interface Unimplemented { id: ID! }
      type Letter @entity { id: ID! to: Unimplemented! }
      type Stamp @entity { id: ID! letter: Letter! }
      type Shelf @entity { id: ID! letters: [Letter!]! letter: Letter }
    `);
    expect([rows["Letter"], rows["Stamp"]]).toEqual([[], []]);
    expect(rows["Shelf"]?.length).toBe(40);
    const empty = { letters: [], letter: null };
    for (const shelf of rows["Shelf"] ?? []) expect(shelf).toMatchObject(empty);
  });

  it("have addresses as Bytes unless the field's name indicates a hash", () => {
    const text = "type Bid @entity { id: ID! bidder: Bytes! to: [Bytes!]! txHash: Bytes! salt: Bytes }";
    const { rows } = rowsOf(text);
    for (const { bidder, to, txHash } of rows["Bid"] ?? []) {
      for (const address of [bidder, ...listOf(to ?? null)]) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
      expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
    }
    expect(new Set(rows["Bid"]?.map(({ bidder }) => bidder)).size).toBeGreaterThan(5);
  });

  it("may have names that every JavaScript object inherits", () => {
    const { rows } = rowsOf(`type constructor @entity { id: ID! __proto__: Int! toString: String! }`);
    const [row] = rows["constructor"] ?? [];
    expect(Object.keys(row ?? {}).sort()).toEqual(["__proto__", "chainId", "id", "toString"]);
    expect(typeof Object.entries(row ?? {}).find(([name]) => name === "__proto__")?.[1]).toBe("number");
  });

  it("may refer to themselves", () => {
    const { dataset, chain, rows } = rowsOf(`
      type Node @entity { id: Int8! self: Node! next: Node @derivedFrom(field: "last") last: Node all: [Node!]! }
    `);
    expect(danglingAt(dataset, chain, chain.firstHead + 300)).toEqual([]);
    const [first, ...others] = rows["Node"] ?? [];
    expect(first?.["last"]).toBeNull();
    expect(others.map(({ last }) => last)).toEqual(rows["Node"]?.slice(0, -1).map(({ id }) => id));
  });

  it("may have a field derived from an id", () => {
    const { chain } = rowsOf(`
      type House @entity { id: ID! deed: Deed! @derivedFrom(field: "id") }
      type Deed @entity { id: ID! text: String! }
    `);
    const store = chain.storeAt(chain.firstHead);
    expect(idsOf(store.rows("Deed"))).toEqual(idsOf(store.rows("House")));
  });

  it("have unique ids even if the declared form does not suffice", () => {
    const ids = { Vote: "{chainId}-{side}", Seat: "{chainId}-{row}" };
    const text = `enum Side { Yes No } type Vote @entity { id: ID! side: Side! } type Seat @entity { id: ID! row: String! }`;
    const { rows } = rowsOf(text, { rules: { ...NO_RULES, ids } });
    for (const name of ["Vote", "Seat"]) expect(new Set(idsOf(rows[name])).size).toBe(40);
    expect(rows["Seat"]?.every(({ id, row }) => id === `${CHAIN}-${row}`)).toBe(true);
  });

  it("are sorted by id if the id is the cursor", () => {
    const rules = { ...NO_RULES, cursors: { Log: "id", Note: "id" } };
    const { rows } = rowsOf(`type Log @entity { id: ID! } type Note @entity { id: Bytes! }`, { rules });
    for (const name of ["Log", "Note"]) expect([...idsOf(rows[name])].sort()).toEqual(idsOf(rows[name]));
  });

  it("may have a chain of thousands of references", () => {
    const type = (at: number) => `type E${at} @entity { id: ID! next: E${at + 1}! }`;
    const types = Array.from({ length: 4000 }, (_, at) => type(at));
    const text = `${types.join("\n")} type E4000 @entity { id: ID! }`;
    const chain = seeded({ subgraph: text })("subgraph").chain(CHAIN);
    const sizes = ["E0", "E3999", "E4000"].map((name) => chain.storeAt(chain.firstHead).rows(name).length);
    expect(sizes).toEqual([80, 40, 4]);
  });

  it("respect the precision and scale of a column", () => {
    const fields = "small: BigInt! @config(precision: 2) cents: BigDecimal! @config(precision: 4, scale: 2)";
    const chain = seeded({ multichain: `type Price { id: ID! ${fields} }` })("multichain").chain(CHAIN);
    for (const { small, cents } of chain.storeAt(chain.firstHead).rows("Price")) {
      expect(small).toMatch(/^\d{1,2}$/);
      expect(cents).toMatch(/^\d{1,2}(?:\.\d{1,2})?$/);
    }
  });
});
