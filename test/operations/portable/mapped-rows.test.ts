import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serveBoth } from "../../emulator/agreement/serve-both.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { runs } from "../../support/runs.ts";
import { bothForms, nameOf, requestOf } from "./both-forms.ts";
import { compileText, contextOf } from "./compile-text.ts";
import { randomFilter, toValue } from "./random-filter.ts";
import { CHAINS, rowsOn } from "./rows.ts";
import { SCHEMA } from "./schema.ts";

const NEWEST = { multichain: { release: "3.8" }, subgraph: { release: "0.45" } };

const CONTEXT = contextOf(SCHEMA, NEWEST);

/** One multichain indexer of all chains, and a subgraph of each chain. */
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
  query Mixed($x: String!) { ships(where: { motto_contains: $x }) { id ...OfCaptain } }
  query Alone($x: String!) { ships(first: 3) { ...OfCaptain } }
  fragment OfCaptain on Ship { home { ships(where: { captain_not: $x }) { id } } }
  query Values($n: BigInt!, $p: [BigDecimal!]!, $c: [BigInt!]!, $h: [Bytes!]!, $id: ID!) {
    ships(where: { or: [{ tonnage: $n }, { price_in: $p }, { cargo_contains: $c }, { hull_in: $h }] }) { id }
    captain(id: $id) { id chainId }
  }
`;

type Given = Readonly<Record<string, unknown>>;

/** Returns a function that queries both styles for each chain, with code as in an application. */
function load(operations = OPERATIONS) {
  const { generated } = bothForms({ entities: SCHEMA, operations, context: NEWEST });
  /** Returns the number of rows; null if the variables are rejected, which both styles must do. */
  return async (name: string, given: Given): Promise<number | null> => {
    const operation = await generated(name);
    let rows = 0;
    for (const { chain, ask } of EACH) {
      const [multichain, subgraph] = (["multichain", "subgraph"] as const).map((style) => {
        try {
          return requestOf(operation, style, given, chain);
        } catch (error) {
          expect(error).toMatchObject({ name: "IndexerError", code: "invalid-variables" });
          return null;
        }
      });
      if (!subgraph || !multichain) {
        expect(multichain).toEqual(subgraph);
        return null;
      }
      const want = ask(subgraph);
      expect(want.errors).toBeUndefined();
      expect(ALL(multichain)).toEqual(want);
      rows += JSON.stringify(want.data).split('"id"').length - 1;
    }
    return rows;
  };
}

describe("mapped variables", () => {
  it("return the same rows in both styles", async () => {
    const ask = load();
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
      ["Mixed", { x: "0xAB" }],
      ["Alone", { x: "0xAB" }],
      ["Fixed", {}],
      ["Fixed", { by: "crew" }],
      ["Pattern", {}],
      ["Pattern", { q: "%a" }],
      ["Pattern", { q: "_", b: "0x01" }],
      ["Values", { n: 7, p: ["1e3", 0.1], c: ["+1"], h: ["0xABCD"], id: "AB00010001" }],
    ];
    for (const [name, given] of asked)
      expect([name, given, await ask(name, given)]).toEqual([name, given, expect.any(Number)]);
    expect(await ask("Fixed", { by: "home__name" })).toBe(null);
    for (const name of ["Mixed", "Alone"]) expect([name, await ask(name, { x: "a" })]).toEqual([name, null]);
  });

  it.runIf(IS_THOROUGH)("return the same rows in both styles with random filters", async () => {
    const ask = load();
    const outcomes = { refused: 0, empty: 0, rows: 0 };
    await fc.assert(
      fc.asyncProperty(randomFilter(CONTEXT, "Ship_filter"), async (literal) => {
        const rows = await ask("Find", { where: toValue(literal) });
        outcomes[rows === null ? "refused" : rows === 0 ? "empty" : "rows"]++;
      }),
      { numRuns: runs(5, 400), seed: 1 },
    );
    const least = runs(0, 10);
    expect(outcomes.rows).toBeGreaterThan(least);
    expect(outcomes.refused).toBeGreaterThan(least);
  });
});

/** Places of a variable in a filter, and its values: some of each kind, and some that are invalid in one of the places. */
const PLACES: Readonly<Record<string, { readonly places: string; readonly values: readonly unknown[] }>> = {
  "String!": {
    places: `name: $x; name_not: $x; name_gt: $x; name_contains: $x; motto_starts_with: $x;
      motto_ends_with_nocase: $x; tags_contains: [$x]; id: $x; home: $x; captain: $x; captain_not: $x;
      captain_in: [$x]; captain_: { name_contains: $x }`,
    values: ["a", "0xab", "0xAB", "%", ""],
  },
  "Bytes!": {
    places: "hull: $x; hull_not: $x; hull_in: [$x]; hull_contains: $x; flag: $x; seals_contains: [$x]",
    values: ["0xab", "AB", "0x", "a"],
  },
  "BigInt!": {
    places: "tonnage: $x; tonnage_gt: $x; tonnage_in: [$x]; amount: $x; cargo_contains: [$x]; price_lt: $x",
    values: ["5", 7, "007", "x"],
  },
  "Int!": {
    places: "decks: $x; crew_gt: $x; berths_contains: [$x]; deep__water_not: $x",
    values: [1, 0, -1],
  },
};

const TRIED = Object.entries(PLACES).slice(0, IS_THOROUGH ? undefined : 1);

describe.each(TRIED)("a variable of %s at two places", (type, { places: text, values }) => {
  const places = text.split(/;\s+/);
  const pairs = places
    .flatMap((one, at) => places.slice(at).map((other) => [one, other] as const))
    .filter(([one]) => IS_THOROUGH || one === places[0]);
  const written = pairs.map(
    ([one, other], at) =>
      `query Pair${at}($x: ${type}) { ships(where: { or: [{ ${one} }, { ${other} }] }, first: 200) { id } }`,
  );
  const portable = written.filter((text) => compileText(text, CONTEXT).findings.length === 0);

  it("returns the same rows in both styles", async () => {
    expect(portable.length).toBeGreaterThan(pairs.length / 2);
    const ask = load(portable.join("\n"));
    const counts: (number | null)[] = [];
    for (const text of portable) {
      for (const x of values) {
        try {
          counts.push(await ask(nameOf(text), { x }));
        } catch (error) {
          throw new Error(`${text} with ${JSON.stringify(x)}`, { cause: error });
        }
      }
    }
    expect(counts.some((count) => count !== null && count > 0)).toBe(true);
  });
});
