import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCHEMA } from "../operations/portable/schema.ts";
import { installClient } from "../support/built-client.ts";
import { COMPILERS, IS_THOROUGH } from "../support/is-thorough.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";
import { rejected, STRICT, typeErrors } from "../support/type-errors.ts";
import { type Given, portableModules, SHIP_QUERIES } from "./portable-modules.ts";

const OPERATIONS = `${SHIP_QUERIES}
  query All { ships(first: 5) { id } }
  query Past($number: Int!, $first: Int!) { ships(first: $first, block: { number: $number }) { id } }
  query Priced($block: Block_height, $name: String, $like: String, $min: Int!, $hull: String!) {
    ships(block: $block, where: { name: $name, motto_contains: $like, tonnage_gt: $min, hull: $hull }) { id price cargo }
  }
`;

const GIVEN: Given = { entities: SCHEMA, operations: OPERATIONS };

/** Calls with these operations that must compile, and calls that must not. */
const USE = `
import { createClient, mapFilter, mapVariables, pages, run } from "./client.js";
import type { Ship_bool_exp } from "./auctions/multichain.js";
import { All, FindShips, Past, Priced, Ship, ShipsByFlag, type ShipFilter, type ShipOrderBy, shipFilter } from "./auctions/portable.js";

const given = { flag: "0xAB" as string, moods: ["WILD"], min: 5n } as const;
mapVariables(ShipsByFlag, "multichain", given, [1, "10", 8453n]);
mapVariables(ShipsByFlag, "subgraph", { ...given, min: "5", name: "b", first: 10, skip: 0 });
mapVariables(Ship, "subgraph", { id: "a" });
mapVariables(All, "multichain", {}, [1]);
const priced = { like: "a", min: 5, hull: "0xab" as string };
mapVariables(Priced, "subgraph", { ...priced, block: { number: 5 }, name: "a" });
mapVariables(Priced, "subgraph", { ...priced, block: { number_gte: 5n }, name: "a" });
mapVariables(Past, "subgraph", { number: 5n, first: 5 });
mapVariables(Priced, "subgraph", { ...priced, block: { hash: "0xab" as string }, min: 5n });
const where: ShipFilter = { or: [{ and: [] }, { flag: null, name_contains: "a", home_: { name: "b" } }] };
mapVariables(FindShips, "multichain", { where, by: "home__name", inner: "tonnage", d: "asc", port: { name: "a" }, or: [{ decks: 1 }] });
export const mapped: Ship_bool_exp = mapFilter(shipFilter, where);
export const filters: readonly ShipFilter[] = [
  { debt_not: null, tonnage_in: [5n, "6"], mood_not_in: ["WILD"], hull_contains: "0xab", afloat: true },
  { hull: "0xab" as string, flag_in: ["0xab" as string], flag_not: null, hull_contains: "0xab" as string },
  { tags: ["a"], tags_not_contains: ["b"], cargo_contains: [1n], home: "a", home_starts_with: "b", aliases: null },
  { logs_: { or: [{ text: "a" }] }, captain_: {}, price_gt: "1.5" },
];
export const orders: readonly ShipOrderBy[] = ["id", "home__name", "launched", "amount_in"];

const client = createClient();
run(client, FindShips, { where, or: [] }, { chain: 8453 });
run(client, All, {}, { chain: 8453, block: { number: 5n } });
run(client, All, {}, { chain: 8453, minBlock: { ethereum: 5n } });
`;

/** Calls that must not compile. */
const REJECTED = `
mapVariables(Past, "subgraph", { number: 5, first: 5n }); // a size as a bigint
mapVariables(Priced, "subgraph", { min: 5, hull: "0xab" }); // what subgraphs compare with null only in vain
mapVariables(Priced, "subgraph", { ...priced, block: { number: "5" } }); // a block as text
run(client, FindShips, { where: { launched_gt: "1" }, or: [] }, { chain: 8453 }); // a filter of one style only
pages(client, FindShips, { or: [] }, { chain: "base" }); // what cannot be paged
run(client, All, {}, { chain: 10 }); // an id that no style serves
mapVariables(ShipsByFlag, "multichain", { flag: "0xAB", moods: ["WILD"] }); // a variable is missing
mapVariables(ShipsByFlag, "multichain", { ...given, flags: "0xAB" }); // one is too many
mapVariables(ShipsByFlag, "multichain", { ...given, flag: null }); // null
mapVariables(ShipsByFlag, "multichain", { ...given, skip: null }); // null where a variable may be left out
mapVariables(ShipsByFlag, "multichain", { ...given, flag: 5 }); // a number for bytes
mapVariables(ShipsByFlag, "multichain", { ...given, moods: [] }); // nothing that is not wanted
mapVariables(ShipsByFlag, "multichain", { ...given, moods: [null] }); // null in a list
mapVariables(ShipsByFlag, "multichain", { ...given, min: 5 }); // a number for a big one
mapVariables(ShipsByFlag, "both", given); // another style
mapVariables(All, "multichain", { first: 5 }); // a variable of an operation that has none
mapVariables(FindShips, "multichain", { inner: "home__name", or: [] }); // an order within a row by a column of a reference
mapVariables(FindShips, "multichain", { or: [{ home_: {} }] }); // a filter in a filter of another entity
mapFilter(shipFilter, { flags: "0x" }); // what a filter does not have
export const n: ShipOrderBy = "mood"; // an enum
export const o: ShipOrderBy = "home__id"; // the id of a reference
export const q: ShipOrderBy = "deep__water"; // a name that is cut
`;

/** Filters that must not compile. */
const REJECTED_FILTERS = `
{ and: [], name: "a" } // a list beside a condition
{ and: [], or: [] } // both lists
{ or: [null] } // null in a list
{ home_: { ships_: {} } } // two entities away
{ _change_block: { number_gte: 1 } } // the block of a change
{ name_not_in: [] } // nothing that is not wanted
{ debt_gt: null } // null compared
{ motto: null } // null of what is never null
{ launched_gt: "1" } // a time
{ amount_in: "1" } // a name that reads as an operator
{ tags_contains_nocase: ["a"] } // a list in any case
{ captain_contains_nocase: "0x" } // bytes of a reference in any case
{ home_: { or: [], name: "a" } } // a list beside a condition of a related entity
`;

describe("the module of portable operations", () => {
  it("shares equal columns of nested rows as one constant", async () => {
    const operations = `
      query Ships { ships { ...ShipParts } }
      query Ship($id: ID!) { ship(id: $id) { ...ShipParts } }
      query Home($id: ID!) { port(id: $id) { chainId ships { ...ShipParts } } }
      query Serials { ships { chainId serial } }
      query SerialsAgain { ships { serial chainId } }
      query Bare { ships { id serial } }
      query BareAgain { ships { id serial } }
      fragment ShipParts on Ship { id serial tonnage mother { chainId serial } }
    `;
    const given = { entities: SCHEMA, operations };
    const { "auctions/portable.ts": module = "" } = await portableModules(given);
    const constants = [...module.matchAll(/^const \w+(?:Fields|Columns)\d? = .*;$/gm)].map(([line]) => line);
    expect(constants).toEqual([
      'const shipsFields = { chainId: "integer", serial: "integer" } as const;',
      'const shipFields = { serial: "integer", tonnage: "integer", mother: shipsFields as typeof shipsFields } as const;',
      'const BareColumns = { ships: { serial: "integer" } } as const;',
      'const BareAgainColumns = { ships: { serial: "integer" } } as const;',
      'const HomeColumns = { port: { chainId: "integer", ships: shipFields as typeof shipFields } } as const;',
      "const SerialsColumns = { ships: shipsFields as typeof shipsFields } as const;",
      "const SerialsAgainColumns = { ships: shipsFields as typeof shipsFields } as const;",
      "const ShipColumns = { ship: shipFields as typeof shipFields } as const;",
      "const ShipsColumns = { ships: shipFields as typeof shipFields } as const;",
    ]);
    if (IS_THOROUGH) expect(await typeErrors((await strictProject(given)).root)).toBe("");
  });

  it("has a constant with the facts of each operation", async () => {
    const { "auctions/portable.ts": module = "" } = await portableModules({
      ...GIVEN,
      missing: [["ShipsByFlag", "subgraph", ["base"]]],
    });
    const statements = module.split(/\n\n/);
    const of = (start: string) =>
      statements.filter((text) => text.includes(start)).flatMap((text) => text.trimEnd().split("\n"));
    const factsOf = (name: string) => {
      const lines = of(`export const ${name}:`);
      return lines.slice(lines.findIndex((line) => line.startsWith("  digest:")) + 1, -1);
    };
    expect(of("export type ShipsByFlagVariables")).toEqual([
      "export type ShipsByFlagVariables = {",
      "  readonly flag: string;",
      "  readonly moods: readonly [Mood, ...Mood[]];",
      "  readonly min: string | bigint;",
      "  readonly name?: string | undefined;",
      "  readonly first?: number | undefined;",
      "  readonly skip?: number | undefined;",
      "};",
    ]);
    expect(of("export const ShipsByFlag:").slice(0, 11)).toEqual([
      "/**",
      " * The ships under a flag,",
      " * largest first.",
      " */",
      'export const ShipsByFlag: PortableOperation<"auctions", ShipsByFlagQuery, ShipsByFlagVariables, "list", typeof ShipsByFlagColumns> = {',
      "  format: 1,",
      '  name: "ShipsByFlag",',
      '  protocol: "auctions",',
      "  multichain: ShipsByFlag_multichain,",
      "  subgraph: ShipsByFlag_subgraph,",
      expect.stringMatching(/^ {2}digest: "[\da-f]{8}",$/),
    ]);
    expect(factsOf("ShipsByFlag")).toEqual([
      "  variables: { flag: bytes, moods: [text], min: bigInt, name: text, first: size, skip: offset },",
      '  required: ["flag", "moods", "min"],',
      '  sent: ["flag", "moods", "min", "name_like", "first", "skip"],',
      "  chainIds: { chainIds: [chainId] },",
      '  past: "subgraph",',
      "  map: (variables) => ({",
      "    ...variables,",
      '    name_like: pattern("%", variables["name"], "%", "name"),',
      "  }),",
      '  nonEmpty: ["moods"],',
      '  roots: ["ships"],',
      '  nonNull: ["ships.home"],',
      '  chains: ["ships.chainId"],',
      '  not: { subgraph: ["base"] },',
      '  list: { key: "ships", order: [{ path: "tonnage", kind: "number", direction: "desc" }, { path: "id", kind: "text", direction: "desc" }], first: "first", size: 25, skip: "skip" },',
    ]);
    expect(factsOf("FindShips")).toEqual([
      "  variables: { where: filter, by: text, d: direction, inner: text, port: filter, or: filter },",
      '  required: ["or"],',
      '  sent: ["where", "by", "inner", "port", "or"],',
      "  chainIds: { chainIds: [chainId] },",
      '  past: "subgraph",',
      "  map: (variables, isSubgraph) => ({",
      "    ...variables,",
      '    where: variables["where"] && mapFilter(shipFilter, variables["where"], isSubgraph),',
      '    port: variables["port"] && mapFilter(portChildFilter, variables["port"], isSubgraph, "port"),',
      '    or: Object.values(mapFilter(shipChildFilter, { and: variables["or"] }, isSubgraph, "or") as object)[0],',
      '    by: mapOrder(shipFilter, variables["by"], variables["d"] ?? "desc", isSubgraph, "by"),',
      '    inner: mapOrder(shipChildFilter, variables["inner"] ?? "name", "asc", isSubgraph, "inner"),',
      "  }),",
      '  roots: ["ships", "ports", "others"],',
      '  addChain: ["ships", "ports", "others"],',
      '  lists: [{ key: "ships", first: null, size: 100 }, { key: "ports", first: null, size: 100 }, { key: "others", first: null, size: 100 }],',
    ]);
    expect(of("export const Ship:")[0]).toMatch(/ShipQuery, ShipVariables, "one", /);
    expect(factsOf("Ship")).toEqual([
      "  variables: { id: id },",
      '  required: ["id"],',
      '  past: "subgraph",',
      '  roots: ["ship"],',
      '  chains: ["ship.chainId"],',
      '  one: ["ship"],',
    ]);
    expect(of("const portColumns")).toEqual([
      'const portColumns: Columns = { chainId: "bigInt", depth: "decimal", id: "id", name: "text", opened: "timestamp" } as const;',
    ]);
    expect(of("export const portChildFilter")).toEqual([
      "/** The columns that can filter and order child rows of `Port`, for `mapFilter`. */",
      "export const portChildFilter: FilterTable<PortChildFilter, Port_bool_exp> = {",
      "  columns: portColumns,",
      "  related: {},",
      "};",
    ]);
  });

  it.runIf(IS_THOROUGH)(
    "compiles with strict options, and rejects calls on which the styles would differ",
    async () => {
      const project = await strictProject(GIVEN);
      const filters = REJECTED_FILTERS.trim()
        .split("\n")
        .map((filter, at) => `export const filter${at}: ShipFilter = ${filter}`);
      project.write("use.ts", `${USE}${rejected(REJECTED)}\n${rejected(filters.join("\n"))}\n`);
      await Promise.all(
        COMPILERS.map(async (compiler) => {
          expect(await typeErrors(project.root, { compiler }), compiler).toBe("");
        }),
      );
    },
  );

  it("compiles with names that collide with its own", async () => {
    const own = "mapFilter shipFilter variables isSubgraph PortableOperation A0Query ShipFilter ShipOrderBy";
    const names = `delete default undefined constructor ${own}`.split(" ");
    const types = [
      "ShipFilter",
      "AVariables",
      "PortableOperation",
      "Columns",
      "FilterTable",
      "Ship_bool_exp",
    ];
    const project = await strictProject({
      entities: `
        ${types.map((type) => `enum ${type} { A B }`).join("\n")}
        type Ship @entity {
          id: ID!
          chainId: BigInt!
          delete: BigInt!
          constructor: String
          ${types.map((type, at) => `e${at}: ${type}!`).join("\n")}
        }
      `,
      operations: [
        ...names.map((name) => `query ${name}($where: Ship_filter) { ships(where: $where) { id } }`),
        ...types.map((type, at) => `query A${at}($e: ${type}!) { ships(where: { e${at}: $e }) { e${at} } }`),
        "query A($delete: BigInt!) { ships(where: { delete: $delete }) { e1 } }",
        "query AQuery($class: Ship_filter, $o: Ship_orderBy) { ships(where: $class, orderBy: $o) { id } }",
      ].join("\n"),
    });
    if (IS_THOROUGH) expect(await typeErrors(project.root)).toBe("");
    const module: object = await import(join(project.root, "auctions/portable.ts"));
    expect(Object.keys(module)).toEqual(expect.arrayContaining([...names, "A", "AQuery"]));
  });

  it.each([
    [
      "variables and blocks",
      "$flag: Bytes!, $block: Block_height!",
      "where: { flag: $flag }, block: $block",
      ["readonly flag: Hex;", "{ readonly hash: Hex }"],
    ],
    ["filters", "$where: Ship_filter", "where: $where", ["readonly flag_in?: readonly Hex[];"]],
  ])("imports the configured types of used scalars, and no others: %s", async (name, variable, use, want) => {
    const { "auctions/portable.ts": module } = await portableModules({
      ...GIVEN,
      operations: `query Ships(${variable}) { ships(${use}) { id tonnage } }`,
      scalars: { Bytes: "viem#Hex", BigInt: "./numbers.js#Big" },
    });
    expect(module).toContain('import type { Hex } from "viem";');
    for (const part of want) expect(module).toContain(part);
    // A filter can also compare numbers.
    expect(module?.includes("numbers.js")).toBe(name === "filters");
  });
});

it("a list whose rows cannot be merged has the reason in its type and in its constant", async () => {
  const modules = await portableModules({
    entities: SCHEMA,
    operations: "query Heaviest { ships(orderBy: tonnage, orderDirection: desc, first: 5) { id } }",
  });
  const text = modules["auctions/portable.ts"] ?? "";
  expect(text).toContain('"one: select tonnage", typeof ');
  expect(text).toContain('  unmerged: "select tonnage",\n');
});

async function strictProject(given: Given): Promise<TempProject> {
  const project = tempProject({
    ...(await portableModules(given)),
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({ compilerOptions: STRICT, include: ["**/*.ts"] }),
  });
  installClient(project.root);
  return project;
}
