import { describe, expect, test } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { asker, bands, idsFor, messagesOf } from "./support.ts";

const ask = bands();

describe("filters", () => {
  test.each<[name: string, where: string, ids: string]>([
    ["where: {} matches everything", "{}", "B4 b1 b2 b3"],
    ["all keys are ANDed", '{ founded: 1990, active: true, name: "Beta" }', "b2"],

    ["equality of String", '{ name: "Beta" }', "b2"],
    ["equality is case-sensitive", '{ name: "beta" }', ""],
    ["equality of ID", '{ id: "b1" }', "b1"],
    ["equality of Int", "{ founded: 1990 }", "B4 b2"],
    ["equality of Boolean", "{ active: false }", "b1"],
    ["equality of BigInt, a number", "{ fans: 9 }", "b1"],
    ["equality of BigInt, in another notation", '{ fans: "+0010" }', "b3"],
    ["equality of BigInt with underscores", '{ fans: "1_0_" }', "b3"],
    ["equality of BigDecimal with underscores", '{ rating: "1_0.0_0" }', "b1"],
    ["equality of BigInt beyond 2^53", '{ fans: "100000000000000000000" }', "b2"],
    ["equality of BigDecimal, in another notation", '{ rating: "1.5" }', "b2"],
    ["equality of BigDecimal, a float", "{ rating: 10.0 }", "b1"],
    ["equality of Int8", '{ plays: "9007199254740993" }', "b2"],
    ["equality of Timestamp", '{ updated: "1700000000000000" }', "b1"],
    ["equality of Bytes, case and 0x ignored", '{ hash: "ABcd12" }', "b2"],
    ["equality of enum", "{ genre: ROCK }", "B4 b1"],
    ["equality with null is IS NULL", "{ nick: null }", "b3"],
    ["equality of lists is ordered", "{ genres: [ROCK, JAZZ] }", ""],
    ["equality of lists", "{ genres: [JAZZ, ROCK] }", "b2"],
    ["equality of an empty list is not null", "{ tags: [] }", "b3"],
    ["equality of a list with null", "{ tags: null }", "B4"],

    ["not: rows with null are not returned", '{ nick_not: "ALPHA" }', "b1 b2"],
    ["not null is IS NOT NULL", "{ nick_not: null }", "B4 b1 b2"],
    ["not of enum", "{ genre_not: ROCK }", "b2 b3"],
    ["not of lists", '{ tags_not: ["loud"] }', "b2 b3"],
    ["not of BigDecimal", '{ rating_not: "1.500" }', "b1 b3"],

    ["gt of BigInt is numeric", '{ fans_gt: "9" }', "b2 b3"],
    ["gte of BigInt", '{ fans_gte: "9" }', "b1 b2 b3"],
    ["lt of BigInt, negative", '{ fans_lt: "-4" }', "B4"],
    ["lte of BigInt", '{ fans_lte: "9" }', "B4 b1"],
    ["gt of BigInt does not lose precision", '{ fans_gt: "99999999999999999999" }', "b2"],
    ["gt of Int8 does not lose precision", '{ plays_gt: "9007199254740992" }', "b2"],
    ["lt excludes nulls", "{ founded_lt: 3000 }", "B4 b1 b2"],
    ["gt of BigDecimal", '{ rating_gt: "1.49999999999" }', "b1 b2"],
    ["gt of String by bytes", '{ name_gt: "Gamma" }', "B4 b1"],
    ["gt of Bytes", '{ hash_gt: "0x12abcd" }', "b2"],
    ["id_gt pages through", '{ id_gt: "b1" }', "b2 b3"],

    ["in", '{ id_in: ["b3", "b1", "b3", "none"] }', "b1 b3"],
    ["in of enum", "{ genre_in: [JAZZ, FOLK] }", "b2 b3"],
    ["in of Bytes", '{ hash_in: ["0x12ABCD"] }', "b1"],
    ["in of BigInt", '{ fans_in: ["10", 9] }', "b1 b3"],
    ["in: [] returns no rows", "{ id_in: [] }", ""],
    ["not_in", '{ id_not_in: ["b1", "b2"] }', "B4 b3"],
    ["not_in excludes nulls", '{ nick_not_in: ["ALPHA"] }', "b1 b2"],
    ["not_in: [] returns no rows", "{ id_not_in: [] }", ""],
    ["in of Boolean", "{ active_in: [false] }", "b1"],

    ["contains", '{ name_contains: "lph" }', "b1"],
    ["contains is case-sensitive", '{ name_contains: "BET" }', ""],
    ["contains_nocase", '{ name_contains_nocase: "BET" }', "b2"],
    ["not_contains", '{ name_not_contains: "a" }', ""],
    ["not_contains excludes nulls", '{ nick_not_contains: "x" }', "B4 b2"],
    ["not_contains_nocase", '{ nick_not_contains_nocase: "ALPHA" }', "b2"],
    ["% in a value is a wildcard", '{ nick_contains: "1%band" }', "b2"],
    ["_ in a value is a wildcard", '{ nick_contains: "alpha__" }', "b1"],
    ["a backslash escapes a wildcard", '{ nick_contains: "00\\\\% b" }', "b2"],
    ["contains with a leading % gets no other wildcards", '{ name_contains: "%a" }', "B4 b1 b2 b3"],
    ["contains with a trailing % gets no other wildcards", '{ name_contains: "a%" }', "b1"],
    ["starts_with", '{ name_starts_with: "al" }', "b1"],
    ["starts_with and a wildcard", '{ name_starts_with: "_eta" }', "b2"],
    ["starts_with_nocase", '{ nick_starts_with_nocase: "alpha" }', "B4 b1"],
    ["not_starts_with", '{ nick_not_starts_with: "alpha" }', "B4 b2"],
    ["not_starts_with_nocase", '{ nick_not_starts_with_nocase: "ALPHA" }', "b2"],
    ["ends_with", '{ name_ends_with: "mma" }', "b3"],
    ["ends_with_nocase", '{ name_ends_with_nocase: "MMA" }', "b3"],
    ["not_ends_with", '{ nick_not_ends_with: "band" }', "B4 b1"],
    ["not_ends_with_nocase", '{ nick_not_ends_with_nocase: "BAND" }', "B4 b1"],
    ["contains of Bytes is a substring of bytes", '{ hash_contains: "0xcd" }', "b1 b2"],
    ["contains of Bytes does not match between bytes", '{ hash_contains: "0xbc" }', ""],
    ["not_contains of Bytes", '{ hash_not_contains: "0xcd12" }', "b1"],

    ["list contains: the column has all values", "{ genres_contains: [ROCK, JAZZ] }", "b2"],
    ["list contains of Bytes", '{ codes_contains: ["0xAB"] }', "b1 b2"],
    ["list contains [] matches every list", "{ tags_contains: [] }", "b1 b2 b3"],
    ["list not_contains: none of the values", "{ genres_not_contains: [JAZZ, FOLK] }", "B4 b1 b3"],
    ["list not_contains excludes nulls", '{ tags_not_contains: ["loud"] }', "b2 b3"],
    ["list contains_nocase: some item matches", '{ tags_contains_nocase: ["LOUD", "x"] }', "b1 b2"],
    ["list contains_nocase adds no wildcards", '{ tags_contains_nocase: ["lou"] }', ""],
    ["list not_contains_nocase matches null", '{ tags_not_contains_nocase: ["LOUD"] }', "B4 b3"],

    ["reference by id", "{ label: 10 }", "b1"],
    ["reference to a Bytes id as hex text", '{ home: "0A" }', "B4 b1"],
    ["reference in", '{ home_in: ["0x0b"] }', "b2"],
    ["reference not", '{ home_not: "0x0b" }', "B4 b1"],
    ["reference is null", "{ home: null }", "b3"],
    ["list of references contains", '{ members_contains: ["m1"] }', "b1 b2"],

    ["child filter", '{ home_: { name: "Rome" } }', "B4 b1"],
    ["child filter {} requires a child", "{ home_: {} }", "B4 b1 b2"],
    ["child filter over a derived list", '{ songs_: { length: "30" } }', "b1 b2"],
    ["child filter over a derived single", '{ manager_: { id: "g3" } }', "b2"],
    ["child filter over a stored list", '{ members_: { name: "Max" } }', "b2"],
    ["and/or inside a child filter", '{ songs_: { or: [{ id: "t2" }, { title: "One" }] } }', "b1 b2"],

    ["_change_block of the first block", "{ _change_block: { number_gte: 5 } }", "B4 b1 b2 b3"],
    ["_change_block of a later block", "{ _change_block: { number_gte: 6 } }", ""],

    ["or", '{ or: [{ id: "b1" }, { founded: 1990, active: true }] }', "B4 b1 b2"],
    ["and", '{ and: [{ founded: 1990 }, { name: "Beta" }] }', "b2"],
    ["or: [] is false", "{ or: [] }", ""],
    ["and: [] is true", "{ and: [] }", "B4 b1 b2 b3"],
    ["or nested in and", '{ and: [{ or: [{ id: "b1" }, { id: "b2" }] }, { founded: 1990 }] }', "b2"],
    ["and together with or", '{ and: [{ founded: 1990 }], or: [{ name: "Beta" }, { active: true }] }', "b2"],
  ])("%s", (_, where, ids) => {
    expect(idsFor(ask, "bands", `where: ${where}`).join(" ")).toBe(ids);
  });

  test.each<[name: string, field: string, where: string, ids: string]>([
    ["a reference with Int8 ids in a list of Int", "bands", "{ label_in: [10, 2] }", "b1 b3"],
    ["ids of type Bytes in any notation", "cities", '{ id_in: ["0A", "0x0b"] }', "0x0a 0x0b"],
    ["a child filter to an interface", "musicians", '{ favourite_: { name: "Ari" } }', "m1"],
    [
      "a child filter to ids of an interface",
      "musicians",
      '{ favourite_: { id_in: ["s1", "b1"] } }',
      "m1 m2",
    ],
    ["a child filter of an interface", "acts", '{ home_: { name: "Oslo" } }', "b2 s1"],
    ["a child filter of an interface by id", "acts", '{ home_: { id: "0x0a" } }', "B4 b1"],
    ["a child filter through a list with a duplicate id", "musicians", '{ bands_: { id: "b2" } }', "m1 m2"],
    ["a child filter of a derived list", "cities", '{ bands_: { name: "Beta" } }', "0x0b"],
    ["_change_block on an interface", "acts", "{ _change_block: { number_gte: 5 } }", "B4 a0 b1 b2 b3 s1"],
    ["_change_block of a later block on an interface", "acts", "{ _change_block: { number_gte: 6 } }", ""],
  ])("%s", (_, field, where, ids) => {
    expect(idsFor(ask, field, `where: ${where}`).join(" ")).toBe(ids);
  });
  test("nested lists are filtered", () => {
    expect(ask('{ band(id: "b1") { songs(where: { length_gt: 30 }) { id } } }')).toEqual({
      data: { band: { songs: [{ id: "t1" }] } },
    });
  });
  test("items of a list of BigInt are compared as numbers", () => {
    const lists = asker("type A @entity { id: ID!  ns: [BigInt!]! }", {
      A: [
        { id: "1", ns: ["7", "10"] },
        { id: "2", ns: ["70"] },
      ],
    });
    for (const where of ['ns_contains: ["+007"]', 'ns: [7, "0010"]', 'ns_not_contains: ["0070"]']) {
      expect(idsFor(lists, "as", `where: { ${where} }`)).toEqual(["1"]);
    }
  });
  test("a pattern that ends in a backslash fails only if a row is matched up to the backslash", () => {
    const message = "Failed to get entities from store: LIKE pattern must not end with escape character";
    const fails = { errors: [{ message }] };
    const where = (filter: string) => ask(`{ bands(where: { ${filter} }) { id } }`);
    expect(where('name_ends_with: "\\\\"')).toEqual(fails);
    expect(where('name_contains: "%et\\\\"')).toEqual(fails);
    expect(where('id: "b3", nick_not_ends_with: "\\\\"')).toEqual({ data: { bands: [] } });
    expect(where('name_contains: "%xyz\\\\"')).toEqual({ data: { bands: [] } });
    expect(where('name_starts_with: "\\\\"')).toEqual({ data: { bands: [] } });
  });
  test("a list for _in has at most 32,766 values", () => {
    const members = (count: number) => ({ ids: Array.from({ length: count }, (_, index) => `b${index}`) });
    const query = "query ($ids: [ID!]) { bands(where: { id_in: $ids }) { id } }";
    expect(ask(query, members(32_766)).data).toEqual({ bands: [{ id: "b1" }, { id: "b2" }, { id: "b3" }] });
    expect(messagesOf(ask(query, members(32_767)))[0]).toMatch(/^Failed to get entities from store: /);
  });
  test("nocase folds ASCII letters only", () => {
    const unicode = asker("type A @entity { id: ID!  s: String }", {
      A: [
        { id: "1", s: "É" },
        { id: "2", s: "é" },
      ],
    });
    expect(idsFor(unicode, "as", 'where: { s_contains_nocase: "é" }')).toEqual(["2"]);
  });
});

describe("refused filters", () => {
  /** Each filter of bands is refused with its message. */
  function refuses(name: string, rows: readonly (readonly [where: string, message: string])[]): void {
    test.each(rows)(`${name}: %s`, (where, message) => {
      expect(ask(`{ bands(where: ${where}) { id } }`)).toEqual({ errors: [{ message }] });
    });
  }
  const STORE = "Failed to get entities from store:";
  const mixed =
    "Cannot mix column filters with 'or' operator at the same level. Found column filter(s) 'name' alongside 'or' operator.\n\nInstead of:\nwhere: { 'name', or: [...] }\n\nUse:\nwhere: { or: [{ 'name', ... }, { 'name', ... }] }";
  refuses("an operand or a structure of the wrong kind", [
    ["{ fans_gt: null }", "Store error: unsupported filter `>` for value `null`"],
    ["{ fans_lte: null }", "Store error: unsupported filter `<=` for value `null`"],
    ["{ name_starts_with: null }", "Store error: unsupported filter ` like ` for value `null`"],
    ["{ home_starts_with: null }", "Store error: unsupported filter ` like ` for value `null`"],
    ["{ name_not_ends_with_nocase: null }", "Store error: unsupported filter ` not ilike ` for value `null`"],
    ["{ name_not_contains: null }", `${STORE} unsupported filter \`not_contains\` for value \`null\``],
    ["{ tags_contains: null }", `${STORE} unsupported filter \`contains\` for value \`null\``],
    ['{ home_contains_nocase: "zz" }', "Store error: unsupported filter `contains_nocase` for value `zz`"],
    ["{ id_in: null }", "Non-list value passed to `_in` filter"],
    ["{ id_not_in: null }", "Non-list value passed to `_not_in` filter"],
    ['{ name: "x", or: [] }', mixed],
    ['{ name: "x", and: [] }', "Filter must by an object"],
    ["{ _change_block: { number_gte: 1 }, or: [] }", "Filter must by an object"],
    ["{ and: null }", "Filter must by an object"],
    ["{ or: null }", "Filter must by an object"],
    ["{ or: [null] }", "Filter must by an object"],
    ["{ label_: null }", "Query contains value with invalid type `Label!`: `null`"],
  ]);

  const scalars: readonly [operand: string, type: string, reason: string][] = [
    ['hash: "0xabc"', "Bytes", "Odd number of digits"],
    ['hash: "0xzz"', "Bytes", "Invalid character 'z' at position 0"],
    ['fans: "x"', "BigInt", "invalid digit found in string"],
    ['fans: "0x10"', "BigInt", "invalid digit found in string"],
    ['fans: "1.5"', "BigInt", "invalid digit found in string"],
    ['fans: "-"', "BigInt", "cannot parse integer from empty string"],
    ['rating: ""', "BigDecimal", "Failed to parse empty string"],
    ['rating: "e1"', "BigDecimal", "Failed to parse empty string"],
    ['rating: "."', "BigDecimal", "cannot parse integer from empty string"],
    ['rating: "1e"', "BigDecimal", "cannot parse integer from empty string"],
    ['rating: "xe+"', "BigDecimal", "cannot parse integer from empty string"],
    ['rating: "eé"', "BigDecimal", "invalid digit found in string"],
    ['rating: "x"', "BigDecimal", "invalid digit found in string"],
    ["rating: 1e400", "BigDecimal", "invalid digit found in string"],
    ['rating: "1e-9223372036854775809"', "BigDecimal", "number too small to fit in target type"],
    // An invalid scalar is reported before errors of the store.
    ['home: "abc", rating: "x"', "BigDecimal", "invalid digit found in string"],
  ];
  refuses(
    "an invalid scalar",
    scalars.map(([operand, type, reason]) => [
      `{ ${operand} }`,
      `Failed to decode \`${type}\` value: \`${reason}\``,
    ]),
  );

  const pattern = (operator: string) => `${STORE} operator does not exist: bytea ${operator} text`;
  refuses("an invalid operand for a reference with a Bytes id", [
    ['{ home: "abc" }', "Store error: store error: Odd number of digits"],
    ['{ home_in: ["zz"] }', "Store error: store error: Invalid character 'z' at position 0"],
    ['{ home_contains: "zz" }', "Store error: store error: Invalid character 'z' at position 0"],
    ['{ home_starts_with: "zz" }', pattern("~~")],
    ['{ home_not_starts_with: "zz" }', pattern("!~~")],
    ['{ home_ends_with_nocase: "zz" }', pattern("~~*")],
    ['{ home_not_ends_with_nocase: "zz" }', pattern("!~~*")],
  ]);

  refuses("of several errors one", [
    ['{ and: [{ name_contains: null }, { home: "abc" }] }', "Store error: store error: Odd number of digits"],
    ['{ home: "abc", id_in: null }', "Non-list value passed to `_in` filter"],
    ['{ home: "abc", label_: null }', "Query contains value with invalid type `Label!`: `null`"],
  ]);

  test("several columns together with or are all listed", () => {
    expect(messagesOf(ask('{ bands(where: { or: [], name: "x", id_gt: "y" }) { id } }'))[0]).toContain(
      "Found column filter(s) 'id_gt', 'name' alongside 'or' operator.",
    );
  });
  test("a reference with Int8 ids accepts only an Int", () => {
    expect(messagesOf(ask('{ bands(where: { label: "10" }) { id } }'))).toEqual([
      'Invalid value provided for argument `where`: Object({"label": String("10")})',
    ]);
  });

  test.each<[inside: string, shown: string]>([
    ['{ name_gt: "x" }', "name > x"],
    ['{ name: "x", id_not: 7 }', "id != 7 and name = x"],
    ["{ or: [{ id_in: [1, 2] }, { id_not_in: [3] }] }", "id in (1,2) or id not in (3)"],
    ['{ name_contains: "x", name_not_ends_with_nocase: "y" }', "name ~ *x* and name !~ *y$i"],
    ['{ name_starts_with: "x", name: null }', "name = null and name ~ ^x*"],
    ["{ _change_block: { number_gte: 5 } }", "block >= 5"],
  ])("a nested child filter is reported in the notation of the store: %s", (inside, shown) => {
    expect(messagesOf(ask(`{ cities(where: { bands_: { label_: ${inside} } }) { id } }`))).toEqual([
      `Child filter nesting not supported by value \`label\`: \`join on label with Label(${shown})\``,
    ]);
  });

  const zero = `${STORE} invalid byte sequence for encoding "UTF8": 0x00`;
  test.each<[field: string, message: string]>([
    ['bands(where: { name: "a\\u0000" })', zero],
    ['bands(where: { name_not_contains_nocase: "\\u0000" })', zero],
    ['bands(where: { id_in: ["b1", "\\u0000"] })', zero],
    ['bands(where: { tags_contains: ["\\u0000"] })', zero],
    ['bands(where: { or: [{ label_: { name: "\\u0000" } }, { name: "x" }] })', zero],
    ['acts(where: { name: "\\u0000" }, first: 1)', zero],
    ['band(id: "\\u0000")', zero],
    [
      'bands(where: { name: "\\u0000", nick_contains: null })',
      `${STORE} unsupported filter \`contains\` for value \`null\``,
    ],
    ['bands(where: { name: "\\u0000", home_starts_with: "0a" })', pattern("~~")],
    [
      'acts(where: { name: "\\u0000" }, orderBy: home__id)',
      `${STORE} missing FROM-clause entry for table "i1"`,
    ],
    ['bands(where: { home: "\\u0000" })', "Store error: store error: Odd number of digits"],
  ])("a string with a zero byte is refused, after other errors: %s", (field, message) => {
    expect(messagesOf(ask(`{ ${field} { id } }`))).toEqual([message]);
  });
  test("a zero byte in the filter of a stored list is refused if the list has an id", () => {
    const members = (id: string) =>
      ask(`{ band(id: "${id}") { members(where: { name: "\\u0000" }) { id } } }`);
    expect(messagesOf(members("b1"))).toEqual([zero]);
    expect(members("b3")).toEqual({ data: { band: { members: [] } } });
  });

  const pets = asker(
    `interface Pet { id: ID! name: String toy: Toy owner: Owner }
     interface Toy { id: ID! price: Int pet: Pet owner: Owner }
     type Owner @entity { id: ID! name: String pet: Pet pets: [Pet!]! @derivedFrom(field: "owner") }
     type Zebra implements Pet @entity { id: ID! name: String toy: Toy owner: Owner }
     type Ant implements Pet @entity { id: ID! name: String toy: Toy owner: Owner }
     type Yoyo implements Toy @entity { id: ID! price: Int pet: Pet owner: Owner }
     type Ball implements Toy @entity { id: ID! price: Int pet: Pet owner: Owner }`,
    {},
  );
  test.each<[where: string, attribute: string, shown: string]>([
    ["{ toy_: { price: 1 } }", "toy", "Yoyo(price = 1)"],
    [
      '{ toy_: { pet_: { name: "x" } } }',
      "toy",
      "Yoyo(join on pet with Zebra(name = x) or join on pet with Ant(name = x))",
    ],
    [
      '{ toy_: { owner_: { name: "x" }, price: 1 } }',
      "toy",
      "Yoyo(join on owner with Owner(name = x) or join on owner with Owner(name = x) and price = 1)",
    ],
    [
      '{ owner_: { pets_: { name: "x" } } }',
      "owner",
      "Owner(join on owner with Zebra(name = x) or join on owner with Ant(name = x))",
    ],
  ])("a nested child filter lists implementers in file order: %s", (where, on, shown) => {
    expect(messagesOf(pets(`{ owners(where: { pet_: ${where} }) { id } }`))).toEqual([
      `Child filter nesting not supported by value \`${on}\`: \`join on ${on} with ${shown}\``,
    ]);
  });

  test("nesting is reported before invalid ids", () => {
    const where = '{ band_: { members_: { favourite_: { home: "zz" } } } }';
    expect(messagesOf(ask(`{ songs(where: ${where}) { id } }`))).toEqual([
      "Child filter nesting not supported by value `members`: `join on members with Musician(join on favourite with Band(home = zz) or join on favourite with Solo(home = zz))`",
    ]);
  });
  test("a field whose name ends in an operator cannot be filtered by equality", () => {
    const odd = asker("type A @entity { id: ID!  amount_in: BigInt }", { A: [] });
    const message = "Entity `A` has no attribute `amount`";
    expect(messagesOf(odd("{ as(where: { amount_in: 1 }) { id } }"))).toEqual([message]);
  });
});

test("repeated operator suffixes are all stripped", () => {
  const odd = asker("type A @entity { id: ID!  x: Int  x_not: Int }", {
    A: [
      { id: "1", x: 1, x_not: 2 },
      { id: "2", x: 2, x_not: 1 },
    ],
  });
  expect(idsFor(odd, "as", "where: { x_not_not: 1 }")).toEqual(["2"]);
});

describe("lookups return the same rows as a scan", () => {
  const rows: readonly Row[] = Array.from({ length: 200 }, (_, index) => ({
    id: `r${String(index).padStart(3, "0")}`,
    kind: String(index % 40),
    rank: String((index * 37) % 200),
  }));
  const many = asker("type R @entity { id: ID!  kind: BigInt!  rank: BigInt! }", { R: rows });
  const isKind = (row: Row, ...kinds: string[]) => kinds.includes(String(row["kind"]));
  test.each<[where: string, keep: (row: Row) => boolean]>([
    ['{ kind: "7" }', (row) => isKind(row, "7")],
    ['{ kind_in: ["7", "8", "7"] }', (row) => isKind(row, "7", "8")],
    ['{ id: "r010" }', (row) => row["id"] === "r010"],
    ['{ id_in: ["r011", "r010", "r010"] }', (row) => row["id"] === "r010" || row["id"] === "r011"],
    ['{ and: [{ kind: "7" }, { rank_gt: "100" }] }', (row) => isKind(row, "7") && Number(row["rank"]) > 100],
    ['{ or: [{ kind: "7" }, { kind: "9" }] }', (row) => isKind(row, "7", "9")],
  ])("%s", (where, keep) => {
    const sorted = rows.filter(keep).sort((a, b) => Number(b["rank"]) - Number(a["rank"]));
    const ids = sorted.map((row) => row["id"]);
    const args = `where: ${where}, orderBy: rank, orderDirection: desc`;
    expect(idsFor(many, "rs", args)).toEqual(ids);
    expect(idsFor(many, "rs", `${args}, skip: 1, first: 1`)).toEqual(ids.slice(1, 2));
  });
});
