import { describe, expect, test } from "vitest";
import { asker, BAND_ROWS, BANDS, bands, idsFor, messagesOf } from "./support.ts";

const ask = bands();
const STORE = "Failed to get entities from store:";
const padded = (index: number) => String(index).padStart(4, "0");

describe("range", () => {
  const many = asker(
    `type A @entity { id: ID!  bs: [B!]! @derivedFrom(field: "a") }
     type B @entity { id: ID!  a: A! }`,
    {
      A: [{ id: "a1" }, { id: "a2" }],
      B: Array.from({ length: 1200 }, (_, index) => ({ id: padded(index), a: index < 150 ? "a1" : "a2" })),
    },
  );
  const ids = (args: string) => idsFor(many, "bs", args);

  test("first is 100 by default", () => {
    expect(ids("")).toHaveLength(100);
    expect(ids("").at(-1)).toBe(padded(99));
  });
  test("first may be up to 1000", () => expect(ids("first: 1000")).toHaveLength(1000));
  test("skip", () => expect(ids("first: 1, skip: 1199")).toEqual([padded(1199)]));
  test("skip beyond the end returns no rows", () => expect(ids("first: 1, skip: 5000")).toEqual([]));
  test("skip in descending order", () => {
    const want = [padded(1198), padded(1197)];
    expect(ids("first: 2, skip: 1, orderBy: id, orderDirection: desc")).toEqual(want);
  });
  test("first and skip apply at every level, per parent", () => {
    const answer = many('{ a1: a(id: "a1") { bs { id } } a2: a(id: "a2") { bs(first: 2, skip: 1) { id } } }');
    const { a1, a2 } = answer.data as Record<string, { bs: readonly { id: string }[] }>;
    expect(a1?.bs).toHaveLength(100);
    expect(a2?.bs).toEqual([{ id: padded(151) }, { id: padded(152) }]);
  });

  test.each<[args: string, name: string, limit: number, value: number]>([
    ["first: 0", "first", 1000, 0],
    ["first: -1", "first", 1000, -1],
    ["first: 1001", "first", 1000, 1001],
    ["skip: 5001", "skip", 5000, 5001],
    ["skip: -1", "skip", 5000, -1],
    ["first: 0, skip: -1", "first", 1000, 0],
  ])("%s is refused, without a location", (args, name, limit, value) => {
    const message = `The \`${name}\` argument must be between 0 and ${limit}, but is ${value}`;
    expect(many(`{ bs(${args}) { id } }`)).toEqual({ errors: [{ message }] });
    expect(many(`{ a(id: "a1") { bs(${args}) { id } } }`)).toEqual({ errors: [{ message }] });
  });
  test("a nested range is validated once, and only if there is a parent row", () => {
    expect(messagesOf(ask("{ bands { songs(first: 0) { id } } }"))).toHaveLength(1);
    expect(ask('{ band(id: "none") { songs(first: 0) { id } } }')).toEqual({ data: { band: null } });
  });
  test.each(["b1", "b3"])("the range of a stored list is validated even if the list is empty: %s", (id) => {
    expect(messagesOf(ask(`{ band(id: "${id}") { members(first: 0) { id } } }`))).toEqual([
      "The `first` argument must be between 0 and 1000, but is 0",
    ]);
  });
  test("errors of the database are reported only if the list has an id", () => {
    const packs = ["none", "one"].map((id) => ({ id, pets: id === "one" ? ["p"] : [] }));
    const asked = asker(
      `type Pack @entity { id: ID! pets: [Pet!]! }
       type Home @entity { id: Bytes! }
       type Pet @entity { id: ID! home: Home }`,
      { Pack: packs, Home: [], Pet: [{ id: "p", home: null }] },
    );
    const pets = (id: string) =>
      asked(`{ pack(id: "${id}") { pets(where: { home_ends_with: "x" }) { id } } }`);
    expect(pets("none")).toEqual({ data: { pack: { pets: [] } } });
    expect(messagesOf(pets("one"))).toEqual([`${STORE} operator does not exist: bytea ~~ text`]);
  });
});

describe("order", () => {
  const fansDown = "orderBy: fans, orderDirection: desc";
  test.each<[name: string, args: string, ids: string]>([
    ["by id ascending by default, in byte order", "", "B4 b1 b2 b3"],
    ["orderDirection without orderBy is ignored", "orderDirection: desc", "B4 b1 b2 b3"],
    ["id descending", "orderBy: id, orderDirection: desc", "b3 b2 b1 B4"],
    ["text by bytes", "orderBy: name", "b2 b3 b1 B4"],
    ["BigInt numerically and exactly", "orderBy: fans", "B4 b1 b3 b2"],
    ["BigInt descending", fansDown, "b2 b3 b1 B4"],
    ["nulls last when ascending", "orderBy: rating", "b3 b2 b1 B4"],
    ["nulls first when descending", "orderBy: rating, orderDirection: desc", "B4 b1 b2 b3"],
    ["ties by id ascending", "orderBy: founded", "B4 b2 b1 b3"],
    ["ties by id in the same direction", "orderBy: founded, orderDirection: desc", "b3 b1 b2 B4"],
    ["false before true", "orderBy: active", "b1 B4 b2 b3"],
    ["Int8 beyond 2^53", "orderBy: plays", "b1 b2 B4 b3"],
    ["Timestamp", "orderBy: updated", "b1 b2 B4 b3"],
    ["Bytes", "orderBy: hash", "b1 b2 B4 b3"],
    ["by a child field, parents without a child last", "orderBy: home__name", "b2 B4 b1 b3"],
    ["by a child field descending", "orderBy: home__name, orderDirection: desc", "b3 b1 B4 b2"],
    ["by the id of the child, numerically", "orderBy: label__id", "B4 b2 b3 b1"],
    ["by a derived single child, with a parent for each child", "orderBy: manager__id", "b1 b2 b2 B4 b3"],
    ["repeated parents count for first and skip", "orderBy: manager__id, skip: 1, first: 3", "b2 b2 B4"],
    ["a range of the order field", "orderBy: fans, where: { fans_gt: 9, fans_lt: 11 }", "b3"],
    ["contradicting bounds", "orderBy: fans, where: { fans_gt: 50, fans_lt: 5 }", ""],
    ["contradicting bounds, descending", `${fansDown}, where: { fans_gt: 50, fans_lt: 5 }`, ""],
    ["a range of decimals", "orderBy: rating, where: { rating_lte: 2 }", "b3 b2"],
    ["null of the order field", "orderBy: rating, orderDirection: desc, where: { rating: null }", "B4"],
  ])("%s", (_, args, ids) => expect(idsFor(ask, "bands", args).join(" ")).toBe(ids));

  test.each<[args: string, ids: string]>([
    ["", "B4 a0 b1 b2 b3 s1"],
    ["orderBy: name, first: 3", "s1 b2 b3"],
    ["orderBy: home__name, first: 3", "b2 s1 B4"],
    ["orderBy: name, orderDirection: desc, first: 2, skip: 1", "b1 a0"],
  ])("an interface orders the rows of its implementers together: %s", (args, ids) => {
    expect(idsFor(ask, "acts", args).join(" ")).toBe(ids);
  });
  test("a derived single field is ambiguous once per repeated row", () => {
    const answer = ask("{ bands(orderBy: manager__id) { manager { id } } }");
    const message =
      "Ambiguous result for derived field `manager`: Multiple `Manager` entities refer back via `band`";
    expect(messagesOf(answer)).toEqual([message, message]);
  });
  test("an interface by the id of a reference fails", () => {
    const message = `${STORE} missing FROM-clause entry for table "i1"`;
    expect(messagesOf(ask("{ acts(orderBy: home__id) { id } }"))).toEqual([message]);
  });
  test("an interface by a reference to an interface fails if both have several types", () => {
    const types = (name: string, keeper: string) =>
      `type ${name} implements Pet @entity { id: ID!  keeper: ${keeper}  name: String }`;
    const pets = (keeper: string, more: string) =>
      asker(
        `interface Pet { id: ID!  keeper: ${keeper}  name: String }
         interface Keeper { id: Bytes!  name: String }
         type Zoo implements Keeper @entity { id: Bytes!  name: String }
         type Home implements Keeper @entity { id: Bytes!  name: String }
         ${types("Cat", keeper)} ${more}`,
        {},
      );
    const many = pets("Keeper", types("Dog", "Keeper"));
    const missing = [`${STORE} missing FROM-clause entry for table "i1"`];
    expect(messagesOf(many("{ pets(orderBy: keeper__name) { id } }"))).toEqual(missing);
    expect(messagesOf(many("{ pets(orderBy: keeper__id) { id } }"))).toEqual(missing);
    const filtered = '{ pets(orderBy: keeper__name, where: { keeper_starts_with: "x" }) { id } }';
    expect(messagesOf(many(filtered))).toEqual([`${STORE} operator does not exist: bytea ~~ text`]);
    const single = pets("Zoo", types("Dog", "Zoo"));
    expect(messagesOf(single("{ pets(orderBy: keeper__id) { id } }"))).toEqual(missing);
    const only = pets("Keeper", "type Ward @entity { id: ID!  pet: Pet }");
    expect(only("{ pets(orderBy: keeper__name) { id } wards(orderBy: pet__id) { id } }")).toEqual({
      data: { pets: [], wards: [] },
    });
  });
  test("by the id of an interface with mutable and immutable types fails for mutable rows", () => {
    const type = (name: string, of: string, more = "", args = "") =>
      `type ${name} implements ${of} @entity${args} { id: ID! ${more} }`;
    const refs = "moving: Moving fixed: Fixed mixed: Mixed";
    const fixed = "(immutable: true)";
    const mixed = asker(
      `interface Moving { id: ID! } interface Fixed { id: ID! } interface Mixed { id: ID! }
       ${type("A", "Moving", refs)} ${type("B", "Moving & Mixed")}
       ${type("C", "Fixed", refs, fixed)} ${type("D", "Fixed & Mixed", "", "(timeseries: true)")}`,
      {},
    );
    const orders = ["moving", "fixed", "mixed"].map((field) => `orderBy: ${field}__id`);
    expect(orders.map((order) => idsFor(mixed, "cs", order))).toEqual([[], [], []]);
    expect(orders.slice(0, 2).map((order) => idsFor(mixed, "as", order))).toEqual([[], []]);
    expect(messagesOf(mixed("{ as(orderBy: mixed__id) { id } }"))).toEqual([
      `${STORE} COALESCE types int4range and integer cannot be matched`,
    ]);
  });
  test("an interface also repeats rows", () => {
    const tagged = ["d1", "c1", "d1"].map((pet, number) => ({ id: `${9 - number}`, number, pet }));
    const pets = asker(
      `interface Pet { id: ID!  tag: Tag @derivedFrom(field: "pet") }
       type Cat implements Pet @entity { id: ID!  tag: Tag @derivedFrom(field: "pet") }
       type Dog implements Pet @entity { id: ID!  tag: Tag @derivedFrom(field: "pet") }
       type Tag @entity { id: ID!  number: Int!  pet: Pet! }`,
      { Cat: [{ id: "c1" }], Dog: [{ id: "d1" }, { id: "d2" }], Tag: tagged },
    );
    const byNumber = "orderBy: tag__number";
    expect(idsFor(pets, "pets", byNumber)).toEqual(["d1", "c1", "d1", "d2"]);
    expect(idsFor(pets, "pets", `${byNumber}, orderDirection: desc, first: 2`)).toEqual(["d2", "d1"]);
  });
  test("through a reference to an interface", () => {
    expect(idsFor(ask, "musicians", "orderBy: favourite__name")).toEqual(["m1", "m2"]);
    expect(idsFor(ask, "musicians", "orderBy: favourite__name, orderDirection: desc")).toEqual(["m2", "m1"]);
  });
  test("nested lists are ordered", () => {
    expect(ask('{ band(id: "b1") { songs(orderBy: length, orderDirection: desc) { id } } }')).toEqual({
      data: { band: { songs: [{ id: "t1" }, { id: "t3" }] } },
    });
  });
  test("big numbers are compared exactly", () => {
    const big = "10000000000000000000000000000000000000";
    const close = asker("type A @entity { id: ID!  n: BigInt!  d: BigDecimal! }", {
      A: ["3", "1", "2"].map((digit, index) => ({
        id: `a${index}`,
        n: `${big}${digit}`,
        d: `100000000000000000000.${digit}`,
      })),
    });
    expect(idsFor(close, "as", "orderBy: n")).toEqual(["a1", "a2", "a0"]);
    expect(idsFor(close, "as", "orderBy: d, orderDirection: desc")).toEqual(["a0", "a2", "a1"]);
  });
  test("text compares by bytes of UTF-8, not by UTF-16 units", () => {
    const unicode = asker("type A @entity { id: ID! }", {
      A: [{ id: "\u{10000}" }, { id: "\uffff" }, { id: "é" }],
    });
    expect(idsFor(unicode, "as")).toEqual(["é", "\uffff", "\u{10000}"]);
  });

  test.each<[args: string, field: string, type: string]>([
    ["orderBy: genre", "genre", "Band"],
    ["orderBy: genres", "genres", "Band"],
    ["orderBy: tags", "tags", "Band"],
    ["orderBy: home", "home", "Band"],
    ["orderBy: members", "members", "Band"],
    ["orderBy: songs", "songs", "Band"],
    ["orderBy: label__kind", "kind", "Label"],
    ["orderBy: genre, first: 0", "genre", "Band"],
  ])("%s is refused", (args, field, type) => {
    const message = `Ordering by \`${field}\` is not supported for type \`${type}\``;
    expect(ask(`{ bands(${args}) { id } }`)).toEqual({ errors: [{ message }] });
  });
  const CHILD_KEY = "SortKey::ChildKey cannot be used for parent ordering (yet)";
  test.each([
    ["", CHILD_KEY],
    ["where: { genre: null }", CHILD_KEY],
    ["where: { name_contains: null }", "unsupported filter `contains` for value `null`"],
  ])("by a child field in a nested collection fails: %s", (where, reason) => {
    const asked = `{ cities { bands(orderBy: label__name, ${where}) { id } } }`;
    expect(messagesOf(ask(asked))).toEqual([`${STORE} ${reason}`]);
  });
  test.each([
    ["several implementers", "type Dog implements Pet @entity { id: ID!  home: Home!  owner: Owner }"],
    ["one implementer", ""],
  ])("by a child field in a nested collection of an interface with %s fails", (_, more) => {
    const nested = asker(
      `interface Pet { id: ID!  home: Home!  owner: Owner }
       type Home @entity { id: ID!  pets: [Pet!]! @derivedFrom(field: "home") }
       type Owner @entity { id: ID!  name: String! }
       type Cat implements Pet @entity { id: ID!  home: Home!  owner: Owner } ${more}`,
      { Home: [{ id: "h" }], Cat: [{ id: "c1", home: "h", owner: null }] },
    );
    const answer = nested("{ homes { pets(orderBy: owner__name) { id } } }");
    expect(messagesOf(answer)).toEqual([`${STORE} ${CHILD_KEY}`]);
  });
  // A field name with `__` is split.
  test.each([
    ["x: Int  x__y: Int", "Failed to resolve named type `Int`"],
    ["x__y: Int", "Entity `A` has no attribute `x`"],
  ])("by a field of a column that is not a reference fails: %s", (fields, message) => {
    const odd = asker(`type A @entity { id: ID!  ${fields} }`, { A: [{ id: "1", x: 1, x__y: 1 }] });
    expect(messagesOf(odd("{ as(orderBy: x__y) { id } }"))).toEqual([message]);
  });
  test("the rows of the store are not sorted in place", () => {
    const before = JSON.stringify(BAND_ROWS);
    asker(BANDS, BAND_ROWS)("{ bands(orderBy: name) { id } }");
    expect(JSON.stringify(BAND_ROWS)).toBe(before);
  });
});
