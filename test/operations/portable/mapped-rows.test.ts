import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { mapVariables } from "../../../src/runtime/client/map-variables.ts";
import type { PortableOperation } from "../../../src/runtime/client/portable-operation.ts";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { portableModules } from "../../generate/portable-modules.ts";
import { runs } from "../../support/runs.ts";
import { tempProject } from "../../support/temp-project.ts";
import { contextOf } from "./compile-text.ts";
import { randomFilter, toValue } from "./random-filter.ts";
import { CHAINS, rowsOn } from "./rows.ts";
import { SCHEMA } from "./schema.ts";

const NEWEST = { multichain: { release: "3.8" }, subgraph: { release: "0.45" } };

/** One multichain indexer of all chains, and one indexer of each. */
const ALL = serveBoth(SCHEMA, rowsOn(CHAINS)).multichain;
const EACH = CHAINS.map((chain) => ({ chain, ask: serveBoth(SCHEMA, rowsOn([chain])).subgraph }));

const OPERATIONS = `
  query Find($where: Ship_filter) { ships(where: $where, first: 200) { id } }
  query Part($home: Port_filter! = {}, $or: [Ship_filter!]! = [{}]) {
    ships(where: { and: [{ home_: $home }, { or: $or }] }) { id }
    ports { id ships(where: { or: $or }) { id } }
  }
  query Order($by: Ship_orderBy, $d: OrderDirection) { ships(orderBy: $by, orderDirection: $d) { id } }
  query Fixed($by: Ship_orderBy = tonnage) { ships(orderBy: $by, orderDirection: desc) { id } ports { ships(orderBy: $by) { id } } }
  query Pattern($q: String! = "a", $b: Bytes! = "0xAB") {
    ships(where: { or: [{ name_contains: $q }, { motto_starts_with_nocase: $q }, { hull_contains: $b }] }) { id }
  }
  query Values($n: BigInt!, $p: [BigDecimal!]!, $c: [BigInt!]!, $h: [Bytes!]!, $id: ID!) {
    ships(where: { or: [{ tonnage: $n }, { price_in: $p }, { cargo_contains: $c }, { hull_in: $h }] }) { id }
    captain(id: $id) { id chainId }
  }
`;

type Given = Readonly<Record<string, unknown>>;
type Operation = PortableOperation<"auctions", unknown, Given, "one">;

/** What is emitted, loaded as a program would. */
async function load() {
  const project = tempProject({
    ...(await portableModules({ entities: SCHEMA, operations: OPERATIONS, context: NEWEST })),
    "package.json": '{ "type": "module" }',
  });
  const client: { mapVariables: typeof mapVariables } = await import(join(project.root, "client.ts"));
  const operations: Record<string, Operation> = await import(join(project.root, "auctions/portable.ts"));
  /** Asks both styles for each chain. Null where the variables are refused, which has to be on both styles. */
  return (name: string, given: Given): number | null => {
    const operation = operations[name];
    if (!operation) throw new TypeError(`There is no ${name}.`);
    let rows: number | null = 0;
    for (const { chain, ask } of EACH) {
      const [multichain, subgraph] = ["multichain", "subgraph"].map((style) => {
        try {
          // JSON is what travels.
          return JSON.parse(JSON.stringify(client.mapVariables(operation, style, given, [chain])));
        } catch (error) {
          expect(error).toMatchObject({ name: "IndexerError", code: "invalid-variables" });
          return null;
        }
      });
      expect(multichain === null).toBe(subgraph === null);
      if (subgraph === null) return null;
      const want = ask({ query: operation.subgraph, variables: subgraph });
      const got = ALL({ query: operation.multichain, variables: multichain });
      expect(want.errors).toBeUndefined();
      expect(got).toEqual(want);
      rows += JSON.stringify(want.data).split('"id"').length - 1;
    }
    return rows;
  };
}

describe("mapped variables", () => {
  it("have both styles answer the same rows", async () => {
    const ask = await load();
    const asked: readonly (readonly [name: string, given: Given])[] = [
      ["Find", {}],
      ["Find", { where: null }],
      ["Find", { where: { name_contains: "a", motto_not: "b", tonnage_in: [5n, "007"] } }],
      ["Part", {}],
      ["Part", { home: { name_contains: "a" }, or: [{ decks: 1 }, { hull: "ABCD" }] }],
      ["Part", { or: [] }],
      ...["id", "debt", "home__name", "last__name", "launched"].flatMap((by) =>
        ["asc", "desc", undefined].map((d): [string, Given] => ["Order", { by, d }]),
      ),
      ["Order", {}],
      ["Order", { d: "desc" }],
      ["Fixed", {}],
      ["Fixed", { by: "crew" }],
      ["Pattern", {}],
      ["Pattern", { q: "%a" }],
      ["Pattern", { q: "_", b: "0x01" }],
      ["Values", { n: 7, p: ["1e3", 0.1], c: ["+1"], h: ["0xABCD"], id: "AB00010001" }],
    ];
    for (const [name, given] of asked)
      expect([name, given, ask(name, given)]).toEqual([name, given, expect.any(Number)]);
    expect(ask("Fixed", { by: "home__name" })).toBe(null);
  });

  it("have both styles answer the same rows for any filter", async () => {
    const ask = await load();
    const outcomes = { refused: 0, empty: 0, rows: 0 };
    fc.assert(
      fc.property(randomFilter(contextOf(SCHEMA, NEWEST), "Ship_filter"), (literal) => {
        const rows = ask("Find", { where: toValue(literal) });
        outcomes[rows === null ? "refused" : rows === 0 ? "empty" : "rows"]++;
      }),
      { numRuns: runs(40, 400) },
    );
    const least = runs(3, 10);
    expect(outcomes.rows).toBeGreaterThan(least);
    expect(outcomes.refused).toBeGreaterThan(least);
  });
});
