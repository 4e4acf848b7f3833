import { describe, expect, test } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { asker, BAND_ROWS, BANDS, bands, idsFor, messagesOf } from "./support.ts";

const ask = bands();

describe("filters", () => {
  const rows: readonly [name: string, where: string, ids: readonly string[]][] = [
    ["where: {} matches everything", "{}", ["B4", "b1", "b2", "b3"]],
    ["all keys are ANDed", '{ founded: 1990, active: true, name: "Beta" }', ["b2"]],

    ["equality of String", '{ name: "Beta" }', ["b2"]],
    ["equality is case-sensitive", '{ name: "beta" }', []],
    ["equality of ID", '{ id: "b1" }', ["b1"]],
    ["equality of Int", "{ founded: 1990 }", ["B4", "b2"]],
    ["equality of Boolean", "{ active: false }", ["b1"]],
    ["equality of BigInt, a number", "{ fans: 9 }", ["b1"]],
    ["equality of BigInt, in another notation", '{ fans: "+0010" }', ["b3"]],
    ["equality of BigInt with underscores", '{ fans: "1_0_" }', ["b3"]],
    ["equality of BigDecimal with underscores", '{ rating: "1_0.0_0" }', ["b1"]],
    ["equality of BigInt beyond 2^53", '{ fans: "100000000000000000000" }', ["b2"]],
    ["equality of BigDecimal, in another notation", '{ rating: "1.5" }', ["b2"]],
    ["equality of BigDecimal, a float", "{ rating: 10.0 }", ["b1"]],
    ["equality of Int8", '{ plays: "9007199254740993" }', ["b2"]],
    ["equality of Timestamp", '{ updated: "1700000000000000" }', ["b1"]],
    ["equality of Bytes, case and 0x ignored", '{ hash: "ABcd12" }', ["b2"]],
    ["equality of enum", "{ genre: ROCK }", ["B4", "b1"]],
    ["equality with null is IS NULL", "{ nick: null }", ["b3"]],
    ["equality of lists is ordered", "{ genres: [ROCK, JAZZ] }", []],
    ["equality of lists", "{ genres: [JAZZ, ROCK] }", ["b2"]],
    ["equality of an empty list is not null", "{ tags: [] }", ["b3"]],
    ["equality of a list with null", "{ tags: null }", ["B4"]],

    ["not: rows with null are not returned", '{ nick_not: "ALPHA" }', ["b1", "b2"]],
    ["not null is IS NOT NULL", "{ nick_not: null }", ["B4", "b1", "b2"]],
    ["not of enum", "{ genre_not: ROCK }", ["b2", "b3"]],
    ["not of lists", '{ tags_not: ["loud"] }', ["b2", "b3"]],
    ["not of BigDecimal", '{ rating_not: "1.500" }', ["b1", "b3"]],

    ["gt of BigInt is numeric", '{ fans_gt: "9" }', ["b2", "b3"]],
    ["gte of BigInt", '{ fans_gte: "9" }', ["b1", "b2", "b3"]],
    ["lt of BigInt, negative", '{ fans_lt: "-4" }', ["B4"]],
    ["lte of BigInt", '{ fans_lte: "9" }', ["B4", "b1"]],
    ["gt of BigInt does not lose precision", '{ fans_gt: "99999999999999999999" }', ["b2"]],
    ["gt of Int8 does not lose precision", '{ plays_gt: "9007199254740992" }', ["b2"]],
    ["lt excludes nulls", "{ founded_lt: 3000 }", ["B4", "b1", "b2"]],
    ["gt of BigDecimal", '{ rating_gt: "1.49999999999" }', ["b1", "b2"]],
    ["gt of String by bytes", '{ name_gt: "Gamma" }', ["B4", "b1"]],
    ["gt of Bytes", '{ hash_gt: "0x12abcd" }', ["b2"]],
    ["id_gt pages through", '{ id_gt: "b1" }', ["b2", "b3"]],

    ["in", '{ id_in: ["b3", "b1", "b3", "none"] }', ["b1", "b3"]],
    ["in of enum", "{ genre_in: [JAZZ, FOLK] }", ["b2", "b3"]],
    ["in of Bytes", '{ hash_in: ["0x12ABCD"] }', ["b1"]],
    ["in of BigInt", '{ fans_in: ["10", 9] }', ["b1", "b3"]],
    ["in: [] returns no rows", "{ id_in: [] }", []],
    ["not_in", '{ id_not_in: ["b1", "b2"] }', ["B4", "b3"]],
    ["not_in excludes nulls", '{ nick_not_in: ["ALPHA"] }', ["b1", "b2"]],
    ["not_in: [] returns no rows", "{ id_not_in: [] }", []],
    ["in of Boolean", "{ active_in: [false] }", ["b1"]],

    ["contains", '{ name_contains: "lph" }', ["b1"]],
    ["contains is case-sensitive", '{ name_contains: "BET" }', []],
    ["contains_nocase", '{ name_contains_nocase: "BET" }', ["b2"]],
    ["not_contains", '{ name_not_contains: "a" }', []],
    ["not_contains excludes nulls", '{ nick_not_contains: "x" }', ["B4", "b2"]],
    ["not_contains_nocase", '{ nick_not_contains_nocase: "ALPHA" }', ["b2"]],
    ["% in a value is a wildcard", '{ nick_contains: "1%band" }', ["b2"]],
    ["_ in a value is a wildcard", '{ nick_contains: "alpha__" }', ["b1"]],
    ["a backslash escapes a wildcard", '{ nick_contains: "00\\\\% b" }', ["b2"]],
    [
      "contains with a leading % gets no other wildcards",
      '{ name_contains: "%a" }',
      ["B4", "b1", "b2", "b3"],
    ],
    ["contains with a trailing % gets no other wildcards", '{ name_contains: "a%" }', ["b1"]],
    ["starts_with", '{ name_starts_with: "al" }', ["b1"]],
    ["starts_with and a wildcard", '{ name_starts_with: "_eta" }', ["b2"]],
    ["starts_with_nocase", '{ nick_starts_with_nocase: "alpha" }', ["B4", "b1"]],
    ["not_starts_with", '{ nick_not_starts_with: "alpha" }', ["B4", "b2"]],
    ["not_starts_with_nocase", '{ nick_not_starts_with_nocase: "ALPHA" }', ["b2"]],
    ["ends_with", '{ name_ends_with: "mma" }', ["b3"]],
    ["ends_with_nocase", '{ name_ends_with_nocase: "MMA" }', ["b3"]],
    ["not_ends_with", '{ nick_not_ends_with: "band" }', ["B4", "b1"]],
    ["not_ends_with_nocase", '{ nick_not_ends_with_nocase: "BAND" }', ["B4", "b1"]],
    ["contains of Bytes is a substring of bytes", '{ hash_contains: "0xcd" }', ["b1", "b2"]],
    ["contains of Bytes does not match between bytes", '{ hash_contains: "0xbc" }', []],
    ["not_contains of Bytes", '{ hash_not_contains: "0xcd12" }', ["b1"]],

    ["list contains: the column has all values", "{ genres_contains: [ROCK, JAZZ] }", ["b2"]],
    ["list contains of Bytes", '{ codes_contains: ["0xAB"] }', ["b1", "b2"]],
    ["list contains [] matches every list", "{ tags_contains: [] }", ["b1", "b2", "b3"]],
    [
      "list not_contains: the column has none of the values",
      "{ genres_not_contains: [JAZZ, FOLK] }",
      ["B4", "b1", "b3"],
    ],
    ["list not_contains excludes nulls", '{ tags_not_contains: ["loud"] }', ["b2", "b3"]],
    [
      "list contains_nocase: some item matches some value",
      '{ tags_contains_nocase: ["LOUD", "x"] }',
      ["b1", "b2"],
    ],
    ["list contains_nocase adds no wildcards", '{ tags_contains_nocase: ["lou"] }', []],
    ["list not_contains_nocase matches null", '{ tags_not_contains_nocase: ["LOUD"] }', ["B4", "b3"]],

    ["reference by id", '{ label: "10" }'.replace('"10"', "10"), ["b1"]],
    ["reference to a Bytes id as hex text", '{ home: "0A" }', ["B4", "b1"]],
    ["reference in", '{ home_in: ["0x0b"] }', ["b2"]],
    ["reference not", '{ home_not: "0x0b" }', ["B4", "b1"]],
    ["reference is null", "{ home: null }", ["b3"]],
    ["list of references contains", '{ members_contains: ["m1"] }', ["b1", "b2"]],

    ["child filter", '{ home_: { name: "Rome" } }', ["B4", "b1"]],
    ["child filter {} requires a child", "{ home_: {} }", ["B4", "b1", "b2"]],
    ["child filter over a derived list", '{ songs_: { length: "30" } }', ["b1", "b2"]],
    ["child filter over a derived single", '{ manager_: { id: "g3" } }', ["b2"]],
    ["child filter over a stored list", '{ members_: { name: "Max" } }', ["b2"]],
    ["and/or inside a child filter", '{ songs_: { or: [{ id: "t2" }, { title: "One" }] } }', ["b1", "b2"]],

    ["_change_block of the first block", "{ _change_block: { number_gte: 5 } }", ["B4", "b1", "b2", "b3"]],
    ["_change_block of a later block", "{ _change_block: { number_gte: 6 } }", []],

    ["or", '{ or: [{ id: "b1" }, { founded: 1990, active: true }] }', ["B4", "b1", "b2"]],
    ["and", '{ and: [{ founded: 1990 }, { name: "Beta" }] }', ["b2"]],
    ["or: [] is false", "{ or: [] }", []],
    ["and: [] is true", "{ and: [] }", ["B4", "b1", "b2", "b3"]],
    ["or nested in and", '{ and: [{ or: [{ id: "b1" }, { id: "b2" }] }, { founded: 1990 }] }', ["b2"]],
    [
      "and together with or is the AND of both",
      '{ and: [{ founded: 1990 }], or: [{ name: "Beta" }, { active: true }] }',
      ["b2"],
    ],
  ];
  test.each(rows)("%s", (_, where, ids) => expect(idsFor(ask, "bands", `where: ${where}`)).toEqual(ids));

  test("references with Int8 ids accept only an Int", () => {
    expect(idsFor(ask, "bands", "where: { label_in: [10, 2] }")).toEqual(["b1", "b3"]);
    expect(messagesOf(ask('{ bands(where: { label: "10" }) { id } }'))).toEqual([
      'Invalid value provided for argument `where`: Object({"label": String("10")})',
    ]);
  });
  test("ids of type Bytes in any notation", () => {
    expect(idsFor(ask, "cities", 'where: { id_in: ["0A", "0x0b"] }')).toEqual(["0x0a", "0x0b"]);
  });
  test("child filter on an interface", () => {
    expect(idsFor(ask, "musicians", 'where: { favourite_: { name: "Ari" } }')).toEqual(["m1"]);
    expect(idsFor(ask, "acts", 'where: { home_: { name: "Oslo" } }')).toEqual(["b2", "s1"]);
  });
  test("child filter through a list with a duplicate id", () => {
    expect(idsFor(ask, "musicians", 'where: { bands_: { id: "b2" } }')).toEqual(["m1", "m2"]);
  });
  test("child filters to and from an interface", () => {
    expect(idsFor(ask, "cities", 'where: { bands_: { name: "Beta" } }')).toEqual(["0x0b"]);
    expect(idsFor(ask, "acts", 'where: { home_: { id: "0x0a" } }')).toEqual(["B4", "b1"]);
    expect(idsFor(ask, "musicians", 'where: { favourite_: { id_in: ["s1", "b1"] } }')).toEqual(["m1", "m2"]);
  });
  test("_change_block on an interface", () => {
    expect(idsFor(ask, "acts", "where: { _change_block: { number_gte: 5 } }")).toHaveLength(6);
    expect(idsFor(ask, "acts", "where: { _change_block: { number_gte: 6 } }")).toEqual([]);
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
    for (const where of [
      '{ ns_contains: ["+007"] }',
      '{ ns: [7, "0010"] }',
      '{ ns_not_contains: ["0070"] }',
    ]) {
      expect(idsFor(lists, "as", `where: ${where}`)).toEqual(["1"]);
    }
  });
  test("a pattern that ends in a backslash fails only if a row is matched up to the backslash", () => {
    const fails = {
      errors: [
        { message: "Failed to get entities from store: LIKE pattern must not end with escape character" },
      ],
    };
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
  const mixed =
    "Cannot mix column filters with 'or' operator at the same level. Found column filter(s) 'name' alongside 'or' operator.\n\nInstead of:\nwhere: { 'name', or: [...] }\n\nUse:\nwhere: { or: [{ 'name', ... }, { 'name', ... }] }";
  const rows: readonly [name: string, where: string, message: string][] = [
    ["gt null", "{ fans_gt: null }", "Store error: unsupported filter `>` for value `null`"],
    ["lte null", "{ fans_lte: null }", "Store error: unsupported filter `<=` for value `null`"],
    [
      "starts_with null, with the operator of the database",
      "{ name_starts_with: null }",
      "Store error: unsupported filter ` like ` for value `null`",
    ],
    [
      "not_ends_with_nocase null",
      "{ name_not_ends_with_nocase: null }",
      "Store error: unsupported filter ` not ilike ` for value `null`",
    ],
    [
      "not_contains null",
      "{ name_not_contains: null }",
      "Failed to get entities from store: unsupported filter `not_contains` for value `null`",
    ],
    [
      "list contains null",
      "{ tags_contains: null }",
      "Failed to get entities from store: unsupported filter `contains` for value `null`",
    ],
    ["in null", "{ id_in: null }", "Non-list value passed to `_in` filter"],
    ["not_in null", "{ id_not_in: null }", "Non-list value passed to `_not_in` filter"],
    ["odd hex", '{ hash: "0xabc" }', "Failed to decode `Bytes` value: `Odd number of digits`"],
    [
      "invalid hex",
      '{ hash: "0xzz" }',
      "Failed to decode `Bytes` value: `Invalid character 'z' at position 0`",
    ],
    [
      "a BigInt that is not a number",
      '{ fans: "x" }',
      "Failed to decode `BigInt` value: `invalid digit found in string`",
    ],
    [
      "hex as a BigInt",
      '{ fans: "0x10" }',
      "Failed to decode `BigInt` value: `invalid digit found in string`",
    ],
    [
      "a fraction as a BigInt",
      '{ fans: "1.5" }',
      "Failed to decode `BigInt` value: `invalid digit found in string`",
    ],
    [
      "an empty decimal",
      '{ rating: "" }',
      "Failed to decode `BigDecimal` value: `Failed to parse empty string`",
    ],
    [
      "only a sign",
      '{ fans: "-" }',
      "Failed to decode `BigInt` value: `cannot parse integer from empty string`",
    ],
    [
      "only a decimal point",
      '{ rating: "." }',
      "Failed to decode `BigDecimal` value: `cannot parse integer from empty string`",
    ],
    [
      "an empty exponent",
      '{ rating: "1e" }',
      "Failed to decode `BigDecimal` value: `cannot parse integer from empty string`",
    ],
    [
      "only an exponent",
      '{ rating: "e1" }',
      "Failed to decode `BigDecimal` value: `Failed to parse empty string`",
    ],
    [
      "an exponent that is not a number",
      '{ rating: "eé" }',
      "Failed to decode `BigDecimal` value: `invalid digit found in string`",
    ],
    [
      "only the sign of an exponent",
      '{ rating: "xe+" }',
      "Failed to decode `BigDecimal` value: `cannot parse integer from empty string`",
    ],
    [
      "an exponent of more than 64 bits",
      '{ rating: "1e-9223372036854775809" }',
      "Failed to decode `BigDecimal` value: `number too small to fit in target type`",
    ],
    [
      "a float beyond 64 bits",
      "{ rating: 1e400 }",
      "Failed to decode `BigDecimal` value: `invalid digit found in string`",
    ],
    [
      "a BigDecimal that is not a number",
      '{ rating: "x" }',
      "Failed to decode `BigDecimal` value: `invalid digit found in string`",
    ],
    [
      "nocase on a Bytes reference",
      '{ home_contains_nocase: "zz" }',
      "Store error: unsupported filter `contains_nocase` for value `zz`",
    ],
    ["or together with a column", '{ name: "x", or: [] }', mixed],
    ["and together with a column", '{ name: "x", and: [] }', "Filter must by an object"],
    [
      "_change_block together with or",
      "{ _change_block: { number_gte: 1 }, or: [] }",
      "Filter must by an object",
    ],
    ["and: null", "{ and: null }", "Filter must by an object"],
    ["or: null", "{ or: null }", "Filter must by an object"],
    ["a null element", "{ or: [null] }", "Filter must by an object"],
    ["ref_: null", "{ label_: null }", "Query contains value with invalid type `Label!`: `null`"],
  ];
  test.each(rows)("%s", (_, where, message) => {
    expect(ask(`{ bands(where: ${where}) { id } }`)).toEqual({ errors: [{ message }] });
  });

  test("several columns together with or are all listed", () => {
    expect(messagesOf(ask('{ bands(where: { or: [], name: "x", id_gt: "y" }) { id } }'))[0]).toContain(
      "Found column filter(s) 'id_gt', 'name' alongside 'or' operator.",
    );
  });
  const pattern = (operator: string) =>
    `Failed to get entities from store: operator does not exist: bytea ${operator} text`;
  const ids: readonly [where: string, message: string][] = [
    ['{ home: "abc" }', "Store error: store error: Odd number of digits"],
    ['{ home_in: ["zz"] }', "Store error: store error: Invalid character 'z' at position 0"],
    ['{ home_contains: "zz" }', "Store error: store error: Invalid character 'z' at position 0"],
    ['{ home_starts_with: "zz" }', pattern("~~")],
    ['{ home_not_starts_with: "zz" }', pattern("!~~")],
    ['{ home_ends_with_nocase: "zz" }', pattern("~~*")],
    ['{ home_not_ends_with_nocase: "zz" }', pattern("!~~*")],
    ["{ home_starts_with: null }", "Store error: unsupported filter ` like ` for value `null`"],
  ];
  test.each(ids)(
    "an invalid operand for a reference with a Bytes id returns an error of the store: %s",
    (where, message) => {
      expect(ask(`{ bands(where: ${where}) { id } }`)).toEqual({ errors: [{ message }] });
    },
  );

  const first: readonly [name: string, where: string, message: string][] = [
    [
      "the store's errors are reported before an unsupported null",
      '{ and: [{ name_contains: null }, { home: "abc" }] }',
      "Store error: store error: Odd number of digits",
    ],
    [
      "an invalid scalar is reported before the store's errors",
      '{ home: "abc", rating: "x" }',
      "Failed to decode `BigDecimal` value: `invalid digit found in string`",
    ],
    [
      "an invalid list is reported before the store's errors",
      '{ home: "abc", id_in: null }',
      "Non-list value passed to `_in` filter",
    ],
    [
      "an invalid type is reported before the store's errors",
      '{ home: "abc", label_: null }',
      "Query contains value with invalid type `Label!`: `null`",
    ],
  ];
  test.each(first)("of several errors, %s", (_, where, message) => {
    expect(ask(`{ bands(where: ${where}) { id } }`)).toEqual({ errors: [{ message }] });
  });

  const nested: readonly [inside: string, shown: string][] = [
    ['{ name_gt: "x" }', "name > x"],
    ['{ name: "x", id_not: 7 }', "id != 7 and name = x"],
    ["{ or: [{ id_in: [1, 2] }, { id_not_in: [3] }] }", "id in (1,2) or id not in (3)"],
    ['{ name_contains: "x", name_not_ends_with_nocase: "y" }', "name ~ *x* and name !~ *y$i"],
    ['{ name_starts_with: "x", name: null }', "name = null and name ~ ^x*"],
    ["{ _change_block: { number_gte: 5 } }", "block >= 5"],
  ];
  test.each(nested)("a nested child filter is reported in the notation of the store: %s", (inside, shown) => {
    expect(messagesOf(ask(`{ cities(where: { bands_: { label_: ${inside} } }) { id } }`))).toEqual([
      `Child filter nesting not supported by value \`label\`: \`join on label with Label(${shown})\``,
    ]);
  });
  const zero = 'Failed to get entities from store: invalid byte sequence for encoding "UTF8": 0x00';
  const zeros: readonly [query: string, message: string][] = [
    ['{ bands(where: { name: "a\\u0000" }) { id } }', zero],
    ['{ bands(where: { name_not_contains_nocase: "\\u0000" }) { id } }', zero],
    ['{ bands(where: { id_in: ["b1", "\\u0000"] }) { id } }', zero],
    ['{ bands(where: { tags_contains: ["\\u0000"] }) { id } }', zero],
    ['{ bands(where: { or: [{ label_: { name: "\\u0000" } }, { name: "x" }] }) { id } }', zero],
    ['{ acts(where: { name: "\\u0000" }, first: 1) { id } }', zero],
    ['{ band(id: "\\u0000") { id } }', zero],
    ['{ bands { members(where: { name: "\\u0000" }) { id } } }', zero],
    [
      '{ bands(where: { name: "\\u0000", nick_contains: null }) { id } }',
      "Failed to get entities from store: unsupported filter `contains` for value `null`",
    ],
    [
      '{ bands(where: { name: "\\u0000", home_starts_with: "0a" }) { id } }',
      "Failed to get entities from store: operator does not exist: bytea ~~ text",
    ],
    [
      '{ acts(where: { name: "\\u0000" }, orderBy: home__id) { id } }',
      'Failed to get entities from store: missing FROM-clause entry for table "i1"',
    ],
    ['{ bands(where: { home: "\\u0000" }) { id } }', "Store error: store error: Odd number of digits"],
  ];
  test.each(zeros)("a string with a zero byte is refused, after other errors: %s", (query, message) => {
    expect(messagesOf(ask(query))).toEqual([message]);
  });
  test("a zero byte in the filter of an empty stored list is not refused", () => {
    const query = '{ bands(where: { id: "b3" }) { members(where: { name: "\\u0000" }) { id } } }';
    expect(ask(query)).toEqual({ data: { bands: [{ members: [] }] } });
  });
  const joins: readonly [where: string, attribute: string, shown: string][] = [
    ["{ pet_: { toy_: { price: 1 } } }", "toy", "join on toy with Yoyo(price = 1)"],
    [
      '{ pet_: { toy_: { pet_: { name: "x" } } } }',
      "toy",
      "join on toy with Yoyo(join on pet with Zebra(name = x) or join on pet with Ant(name = x))",
    ],
    [
      '{ pet_: { toy_: { owner_: { name: "x" }, price: 1 } } }',
      "toy",
      "join on toy with Yoyo(join on owner with Owner(name = x) or join on owner with Owner(name = x) and price = 1)",
    ],
    [
      '{ pet_: { owner_: { pets_: { name: "x" } } } }',
      "owner",
      "join on owner with Owner(join on owner with Zebra(name = x) or join on owner with Ant(name = x))",
    ],
  ];
  test.each(joins)(
    "a nested child filter lists the implementers of an interface in file order: %s",
    (where, on, shown) => {
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
      expect(messagesOf(pets(`{ owners(where: ${where}) { id } }`))).toEqual([
        `Child filter nesting not supported by value \`${on}\`: \`${shown}\``,
      ]);
    },
  );
  test("nesting is reported before invalid ids", () => {
    const where = '{ band_: { members_: { favourite_: { home: "zz" } } } }';
    expect(messagesOf(ask(`{ songs(where: ${where}) { id } }`))).toEqual([
      "Child filter nesting not supported by value `members`: `join on members with Musician(join on favourite with Band(home = zz) or join on favourite with Solo(home = zz))`",
    ]);
  });
  test("a field whose name ends in an operator cannot be filtered by equality", () => {
    const odd = asker("type A @entity { id: ID!  amount_in: BigInt }", { A: [] });
    expect(messagesOf(odd("{ as(where: { amount_in: 1 }) { id } }"))).toEqual([
      "Entity `A` has no attribute `amount`",
    ]);
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
  const wheres: readonly [where: string, keep: (row: Row) => boolean][] = [
    ['{ kind: "7" }', (row) => row["kind"] === "7"],
    ['{ kind_in: ["7", "8", "7"] }', (row) => row["kind"] === "7" || row["kind"] === "8"],
    ['{ id: "r010" }', (row) => row["id"] === "r010"],
    ['{ id_in: ["r011", "r010", "r010"] }', (row) => row["id"] === "r010" || row["id"] === "r011"],
    [
      '{ and: [{ kind: "7" }, { rank_gt: "100" }] }',
      (row) => row["kind"] === "7" && Number(row["rank"]) > 100,
    ],
    ['{ or: [{ kind: "7" }, { kind: "9" }] }', (row) => row["kind"] === "7" || row["kind"] === "9"],
  ];
  test.each(wheres)("%s", (where, keep) => {
    const expected = rows
      .filter(keep)
      .sort((a, b) => Number(b["rank"]) - Number(a["rank"]))
      .map((row) => row["id"]);
    expect(idsFor(many, "rs", `where: ${where}, orderBy: rank, orderDirection: desc`)).toEqual(expected);
    expect(
      idsFor(many, "rs", `where: ${where}, orderBy: rank, orderDirection: desc, skip: 1, first: 1`),
    ).toEqual(expected.slice(1, 2));
  });
});

test("every row of the test model is served", () => {
  expect(idsFor(asker(BANDS, BAND_ROWS), "songs")).toEqual(["t1", "t2", "t3"]);
});
