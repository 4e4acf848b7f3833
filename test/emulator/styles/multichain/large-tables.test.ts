import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Row, RowStore } from "../../../../emulator/styles/read-view.ts";
import { runs } from "../../../support/runs.ts";
import { createStore, ids, serve } from "./support.ts";

const SDL = `
enum Kind { RED BLUE GREEN }
type Item { id: ID! amount: BigInt count: Int kind: Kind! name: String owner: Owner! }
type Owner { id: ID! items: [Item!]! @derivedFrom(field: "owner") }
`;

/** Enough rows for every optimization: cached orders, ranges and buckets. */
const SIZE = 2400;

const rows: Row[] = Array.from({ length: SIZE }, (_, index) => item(index, index * 7919));
const changed = new Map<string, Row | null>(
  Array.from({ length: 40 }, (_, index) => {
    const place = index * 61;
    return [`i${place}`, index % 5 === 0 ? null : item(place, place * 31 + 5)] as const;
  }),
);
const now = [
  ...rows.map((row) => (changed.has(String(row["id"])) ? (changed.get(String(row["id"])) ?? null) : row)),
  item(SIZE, 3),
].filter((row) => row !== null);

function item(index: number, seed: number): Row {
  return {
    id: `i${index}`,
    amount: seed % 9 === 0 ? null : String(BigInt(seed % 500) * 10n ** BigInt((seed % 3) * 9) - 1000n),
    count: seed % 7 === 0 ? null : (seed % 40) - 20,
    kind: ["RED", "BLUE", "GREEN"][seed % 3] ?? "RED",
    name: seed % 11 === 0 ? null : `n${seed % 97}`,
    owner: `o${seed % 4}`,
  };
}

const owners = ["o0", "o1", "o2", "o3"].map((id) => ({ id }));
const base = createStore({ Item: rows, Owner: owners });
const moved = createStore({ Item: now, Owner: owners });
const served = (store: RowStore) => serve({ sdl: SDL, aggregates: [], now: () => ({ store, chains: [] }) });

const KINDS = ["RED", "BLUE", "GREEN"];
type Test = readonly [condition: string, holds: (row: Row) => boolean];
const amount = (row: Row) => BigInt(String(row["amount"]));
const conditions = fc.oneof(
  fc.constantFrom(...KINDS).map((kind): Test => [`kind: {_eq: ${kind}}`, (row) => row["kind"] === kind]),
  fc
    .integer({ min: -25, max: 25 })
    .chain((bound) =>
      fc.constantFrom<Test>(
        [`count: {_gt: ${bound}}`, (row) => row["count"] !== null && Number(row["count"]) > bound],
        [`count: {_lte: ${bound}}`, (row) => row["count"] !== null && Number(row["count"]) <= bound],
        [`count: {_eq: ${bound}}`, (row) => row["count"] === bound],
        [`count: {_in: [${bound}, 3]}`, (row) => row["count"] === bound || row["count"] === 3],
      ),
    ),
  fc
    .bigInt({ min: -1100n, max: 600n * 10n ** 18n })
    .chain((bound) =>
      fc.constantFrom<Test>(
        [`amount: {_gte: "${bound}"}`, (row) => row["amount"] !== null && amount(row) >= bound],
        [`amount: {_lt: "${bound}.5"}`, (row) => row["amount"] !== null && amount(row) <= bound],
      ),
    ),
  fc.constantFrom<Test>(
    ['owner: {id: {_eq: "o2"}}', (row) => row["owner"] === "o2"],
    [
      '_or: [{owner_id: {_eq: "o1"}}, {owner_id: {_eq: "o3"}}]',
      (row) => ["o1", "o3"].includes(String(row["owner"])),
    ],
    ["name: {_is_null: true}", (row) => row["name"] === null],
    ['_not: {name: {_lt: "n5"}}', (row) => row["name"] !== null && String(row["name"]) >= "n5"],
  ),
);

const orders = fc
  .uniqueArray(fc.constantFrom("amount", "count", "kind", "name", "owner_id"), { maxLength: 2 })
  .chain((columns) =>
    fc.tuple(
      ...columns.map((column) =>
        fc.tuple(fc.constant(column), fc.constantFrom("asc", "desc", "asc_nulls_first", "desc_nulls_last")),
      ),
    ),
  );

function compareBy(column: string, direction: string): (a: Row, b: Row) => number {
  const field = column === "owner_id" ? "owner" : column;
  const key = (row: Row) => (field === "kind" ? KINDS.indexOf(String(row["kind"])) : row[field]);
  const sign = direction.startsWith("desc") ? -1 : 1;
  const nulls = direction === "desc" || direction.endsWith("nulls_first") ? -1 : 1;
  return (a, b) => {
    const [x, y] = [key(a) ?? null, key(b) ?? null];
    if (x === null || y === null) return x === y ? 0 : x === null ? nulls : -nulls;
    const [low, high] = field === "amount" ? [amount(a), amount(b)] : [x, y];
    return (low < high ? -1 : Number(low > high)) * sign;
  };
}

describe("optimizations do not change answers", () => {
  it.each<[string, RowStore, readonly Row[]]>([
    ["the store of the first block", base, rows],
    ["the store of a later block", moved, now],
  ])("%s", (_name, store, all) => {
    const run = served(store);
    fc.assert(
      fc.property(
        fc.array(conditions, { maxLength: 3 }),
        orders,
        fc.nat(30),
        fc.integer({ min: 1, max: 60 }),
        (tests, order, offset, limit) => {
          const where = tests.map(([condition]) => `{${condition}}`).join(", ");
          // Ties are ordered by id, so that the expected answer is unique.
          const orderBy = [...order, ["id", "asc"] as const];
          const terms = orderBy.map(([column, direction]) => `{${column}: ${direction}}`).join(", ");
          const query = `{ Item(where: {_and: [${where}]}, order_by: [${terms}], offset: ${offset}, limit: ${limit}) { id } }`;
          const comparators = orderBy.map(([column, direction]) => compareBy(column, direction));
          const want = all
            .filter((row) => tests.every(([, holds]) => holds(row)))
            .sort((a, b) => comparators.reduce((found, compare) => found || compare(a, b), 0))
            .slice(offset, offset + limit);
          expect(ids(run(query))).toBe(want.map((row) => row["id"]).join(" "));
        },
      ),
      { seed: 7, numRuns: runs(50) },
    );
  });

  it("long related lists", () => {
    const answer = served(moved)(
      '{ Owner_by_pk(id: "o2") { items(order_by: [{name: desc}, {id: asc}], limit: 30) { id } } }',
    );
    const comparators = [compareBy("name", "desc"), compareBy("id", "asc")];
    const want = now
      .filter((row) => row["owner"] === "o2")
      .sort((a, b) => comparators.reduce((found, compare) => found || compare(a, b), 0))
      .slice(0, 30);
    expect(answer.data).toEqual({ Owner_by_pk: { items: want.map((row) => ({ id: row["id"] })) } });
  });

  it("a range without order_by returns the rows of the range, in any order", () => {
    const found = ids(served(moved)("{ Item(where: {count: {_gte: 19}}) { id } }")).split(" ").sort();
    const want = now
      .filter((row) => row["count"] !== null && Number(row["count"]) >= 19)
      .map((row) => String(row["id"]));
    expect(found).toEqual(want.sort());
  });
});
