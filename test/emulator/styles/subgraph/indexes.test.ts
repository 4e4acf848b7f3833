import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createVersionedStore, type Write } from "../../../../emulator/dataset/rows/create-store-versions.ts";
import type { Row, RowStore } from "../../../../emulator/styles/read-view.ts";
import { runs } from "../../../support/runs.ts";
import { type Ask, askerOf, HEAD_BLOCK, idsFor, START_BLOCK, serve, type TableRows } from "./support.ts";

const SDL = `
  type Shop @entity { id: ID!  name: String!  rank: Int  items: [Item!]! @derivedFrom(field: "shop") }
  type Item @entity {
    id: ID!
    shop: Shop!
    owner: String
    price: BigInt!
    rate: BigDecimal
    tags: [String!]!
  }
`;

/** So many that sorting the matches and walking in order are each sometimes cheaper. */
const COUNT = 6000;

const shop = (index: number): Row => ({ id: `s${index}`, name: `n${index % 7}`, rank: index % 5 || null });
const item = (index: number): Row => ({
  id: `i${(index * 7919) % COUNT}`,
  // The first shop has most of the items, the last shop few.
  shop: `s${Math.floor((((index * 31) % COUNT) ** 2 / COUNT ** 2) * 40)}`,
  owner: index % 4 === 0 ? null : `o${(index * 17) % 900}`,
  price: String((index * 104_729) % 10_007),
  rate: index % 3 === 0 ? null : `${index % 50}.${index % 2 === 0 ? "5" : "50"}`,
  tags: [`t${index % 11}`, `t${index % 13}`],
});
const BASE: TableRows = {
  Shop: Array.from({ length: 40 }, (_, index) => shop(index)),
  Item: Array.from({ length: COUNT }, (_, index) => item(index)),
};

/** Later writes: rows changed, created and deleted. */
const WRITES: readonly Write[] = [
  write("Shop", "s3", { ...shop(3), name: "zz", rank: 9 }),
  write("Shop", "s4", null),
  ...Array.from({ length: 120 }, (_, index) => {
    const id = `i${index * 51}`;
    const changed = { ...item(index), id, price: String(index * 90), owner: `o${index}` };
    return write("Item", id, index % 5 === 0 ? null : changed);
  }),
];

function write(entity: string, id: string, row: Row | null): Write {
  return { block: HEAD_BLOCK, entity, id, row };
}

const versions = createVersionedStore(START_BLOCK, () => new Map(Object.entries(BASE)), WRITES);
const base = versions.at(START_BLOCK);
const changed = versions.at(HEAD_BLOCK);

function askStore(store: RowStore): Ask {
  const served = serve(SDL, BASE);
  return askerOf({ ...served, now: () => ({ ...served.now(), store }) });
}

type Condition = { readonly where: string; readonly holds: (row: Row, store: RowStore) => boolean };

const text = (value: unknown) => String(value);
const shopOf = (row: Row, store: RowStore) => store.find("Shop", text(row["shop"]));

/** A condition with a number up to a maximum. */
const numbered = (
  max: number,
  where: (n: number) => string,
  holds: (row: Row, n: number, store: RowStore) => boolean,
): fc.Arbitrary<Condition> =>
  fc.nat(max).map((n) => ({ where: where(n), holds: (row, store) => holds(row, n, store) }));

const condition: fc.Arbitrary<Condition> = fc.oneof(
  numbered(
    COUNT + 10,
    (n) => `id: "i${n}"`,
    (row, n) => row["id"] === `i${n}`,
  ),
  numbered(
    COUNT,
    (n) => `id_gt: "i${n}"`,
    (row, n) => text(row["id"]) > `i${n}`,
  ),
  numbered(
    41,
    (n) => `shop: "s${n}"`,
    (row, n) => row["shop"] === `s${n}`,
  ),
  numbered(
    900,
    (n) => `owner: "o${n}"`,
    (row, n) => row["owner"] === `o${n}`,
  ),
  numbered(
    0,
    () => "owner: null",
    (row) => row["owner"] === null,
  ),
  numbered(
    0,
    () => "owner_not: null",
    (row) => row["owner"] !== null,
  ),
  numbered(
    10_010,
    (n) => `price_gt: ${n}`,
    (row, n) => BigInt(text(row["price"])) > n,
  ),
  numbered(
    10_010,
    (n) => `price_lte: ${n}`,
    (row, n) => BigInt(text(row["price"])) <= n,
  ),
  numbered(
    50,
    (n) => `rate_gte: "${n}.5"`,
    (row, n) => row["rate"] !== null && Number(row["rate"]) >= n + 0.5,
  ),
  numbered(
    50,
    (n) => `rate: "${n}.500"`,
    (row, n) => Number(row["rate"] ?? -1) === n + 0.5,
  ),
  numbered(
    13,
    (n) => `tags_contains: ["t${n}"]`,
    (row, n) => (row["tags"] as readonly string[]).includes(`t${n}`),
  ),
  numbered(
    8,
    (n) => `shop_: { name: "n${n}" }`,
    (row, n, store) => shopOf(row, store)?.["name"] === `n${n}`,
  ),
  fc.uniqueArray(fc.nat(900), { maxLength: 30 }).map((some) => ({
    where: `owner_in: [${some.map((n) => `"o${n}"`).join(" ")}]`,
    holds: (row: Row) => some.some((n) => row["owner"] === `o${n}`),
  })),
);

const several = fc.array(condition, { maxLength: 3 });
const list = (conditions: readonly Condition[]) => conditions.map(({ where }) => `{ ${where} }`).join(" ");
const filter: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 2, arbitrary: condition },
  {
    weight: 2,
    arbitrary: several.map(
      (all): Condition => ({
        where: `and: [${list(all)}]`,
        holds: (row, store) => all.every(({ holds }) => holds(row, store)),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: several.map(
      (some): Condition => ({
        where: `or: [${list(some)}]`,
        holds: (row, store) => some.some(({ holds }) => holds(row, store)),
      }),
    ),
  },
);

type OrderBy = { readonly by: string; readonly key: (row: Row, store: RowStore) => string | number | null };

const ORDERS: readonly OrderBy[] = [
  { by: "id", key: () => null },
  { by: "price", key: (row) => Number(row["price"]) },
  { by: "owner", key: (row) => row["owner"] as string | null },
  { by: "rate", key: (row) => (row["rate"] === null ? null : Number(row["rate"])) },
  { by: "shop__name", key: (row, store) => (shopOf(row, store)?.["name"] as string | undefined) ?? null },
  { by: "shop__rank", key: (row, store) => (shopOf(row, store)?.["rank"] as number | undefined) ?? null },
];

type Question = {
  readonly filter: Condition;
  readonly order: OrderBy;
  readonly descending: boolean;
  readonly first: number;
  readonly skip: number;
};

/** Computes the expected ids by a simple filter and sort. */
function expected(store: RowStore, { filter, order, descending, first, skip }: Question): readonly string[] {
  const sorted = store
    .rows("Item")
    .filter((row) => filter.holds(row, store))
    .map((row) => ({ id: text(row["id"]), key: order.key(row, store) }))
    .sort((a, b) => {
      if (a.key === b.key) return a.id < b.id ? -1 : 1;
      if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
      return a.key < b.key ? -1 : 1;
    })
    .map(({ id }) => id);
  return (descending ? sorted.reverse() : sorted).slice(skip, skip + first);
}

const question: fc.Arbitrary<Question> = fc.record({
  filter,
  order: fc.constantFrom(...ORDERS),
  descending: fc.boolean(),
  first: fc.integer({ min: 1, max: 40 }),
  skip: fc.oneof(fc.constant(0), fc.nat(300)),
});

describe("indexes do not change answers", () => {
  test.each<[name: string, store: RowStore]>([
    ["the store of the first block", base],
    ["the store of a later block", changed],
  ])("%s", (_, store) => {
    const ask = askStore(store);
    fc.assert(
      fc.property(question, (asked) => {
        const { filter, order, descending, first, skip } = asked;
        const args = `where: { ${filter.where} }, orderBy: ${order.by}, orderDirection: ${descending ? "desc" : "asc"}, first: ${first}, skip: ${skip}`;
        expect(idsFor(ask, "items", args)).toEqual(expected(store, asked));
      }),
      { seed: 7, numRuns: runs(60) },
    );
  });

  const own = ORDERS.filter(({ by }) => !by.includes("__"));
  test.each(own)("the derived list of every shop, with few or many items, by $by", (order) => {
    const args = `orderBy: ${order.by}, orderDirection: desc, first: 7, where: { price_gt: 50 }`;
    const answer = askStore(changed)(`{ shops { id items(${args}) { id } } }`);
    const shops = answer.data?.["shops"] as readonly { id: string; items: readonly { id: string }[] }[];
    expect(shops).toHaveLength(39);
    for (const { id, items } of shops) {
      const filter: Condition = {
        where: "",
        holds: (row) => row["shop"] === id && Number(row["price"]) > 50,
      };
      const want = expected(changed, { filter, order, descending: true, first: 7, skip: 0 });
      expect(items.map((each) => each.id)).toEqual(want);
    }
  });
});

test("an order by a field of a derived reference follows changed references", () => {
  const sdl = `
    type Team @entity { id: ID!  badge: Badge @derivedFrom(field: "team") }
    type Badge @entity { id: ID!  label: String!  team: Team! }
  `;
  const badge = (id: string, label: string, team: string) => ({ id, label, team });
  const before: TableRows = {
    Team: ["t1", "t2", "t3", "t4", "t5"].map((id) => ({ id })),
    Badge: [badge("b1", "m", "t1"), badge("b2", "k", "t2"), badge("b3", "x", "t3")],
  };
  const served = serve(sdl, before);
  const Badge = [badge("b1", "m", "t4"), badge("b2", "k", "t2"), badge("b4", "a", "t5")];
  let now = served.now().store;
  const ask = askerOf({ ...served, now: () => ({ ...served.now(), store: now }) });
  const byLabel = () => idsFor(ask, "teams", "orderBy: badge__label");
  expect(byLabel()).toEqual(["t2", "t1", "t3", "t4", "t5"]);
  now = serve(sdl, { ...before, Badge }).now().store;
  expect(byLabel()).toEqual(["t5", "t2", "t4", "t1", "t3"]);
});

describe("a table is scanned once, not for a repeated query", () => {
  test.each([
    "{ items(first: 5) { id } }",
    "{ items(first: 5, orderBy: price, orderDirection: desc) { id } }",
    '{ items(where: { owner: "o17" }, orderBy: price) { id } }',
    '{ items(where: { id_gt: "i5990" }) { id shop { items(first: 1) { id } } } }',
    '{ item(id: "i1") { id } }',
  ])("%s", (query) => {
    const rows = vi.fn(base.rows);
    const ask = askStore({ ...base, rows });
    ask(query);
    rows.mockClear();
    expect(ask(query)).toEqual(askStore(base)(query));
    expect(rows).not.toHaveBeenCalled();
  });
});
