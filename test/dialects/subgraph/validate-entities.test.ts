import { describe, expect, test } from "vitest";
import { SchemaError } from "../../../src/base/errors.ts";
import { DEFAULT_RELEASE, type GraphNodeRelease } from "../../../src/dialects/subgraph/release.ts";
import { validateSubgraphEntities } from "../../../src/dialects/subgraph/validate-entities.ts";

/** Returns the reasons without their numbers. */
function reasonsOf(sdl: string, release: GraphNodeRelease = DEFAULT_RELEASE): string[] {
  try {
    validateSubgraphEntities(sdl, "schema.graphql", { release });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    expect(error.code).toBe("SCHEMA_ENTITIES_INVALID");
    return error.context.map((line) => line.replace(/^\(\d+\) - /, ""));
  }
  return [];
}

const SERIES =
  "type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! price: BigDecimal! sym: Bytes }";
const aggregation = (head: string, fields: string) =>
  `${SERIES}\ntype Stats ${head} { id: Int8! timestamp: Timestamp! ${fields} }`;
const HEAD = '@aggregation(source: "Data", intervals: ["hour", "day"])';
const SUM = 'sum: BigDecimal! @aggregate(fn: "sum", arg: "price")';

const fulltext = (args: string) =>
  `type _Schema_ @fulltext(${args})\ntype Stream @entity { id: ID! label: String! size: Int! }`;
const INCLUDE = 'include: [{ entity: "Stream", fields: [{ name: "label" }] }]';
const BAD_INCLUDE = "object must contain 'entity' (String) and 'fields' (List) attributes";
const search = (name: string) => fulltext(`name: "${name}" language: en algorithm: rank ${INCLUDE}`);

/** Compares the ends of graph-node's sentences, because one test has a whole error. */
function expectReasons(reasons: readonly string[], ends: readonly string[]): void {
  expect(reasons.map((reason, at) => (reason.endsWith(ends[at] ?? "") ? ends[at] : reason))).toEqual(ends);
}

describe("graph-node accepts", () => {
  test.each([
    "enum Kind { A }",
    ...["ID!", "String!", "Bytes!", "Int8!", "ID"].map((type) => `type A @entity { id: ${type} }`),
    `enum Kind { A } interface Party { x: Int }
     type Stream @entity(immutable: true, skipDuplicates: true) {
       id: ID! a: Boolean b: Int c: Int8 d: BigInt e: BigDecimal f: String g: ID h: Bytes i: Timestamp
       j: Kind k: Party l: Stream m: [[Stream!]!]!
     }`,
    "interface Party { name: String! }",
    // A field derived from a reference to a shared interface.
    `type Item @entity { id: ID! from: Party! }
     interface Party { items: [Item!]! @derivedFrom(field: "from") }
     type Account implements Party @entity { id: ID! items: [Item!]! @derivedFrom(field: "from") }`,
    'type A @entity { id: ID! b: B @derivedFrom(field: "id") } type B @entity { id: ID! }',
    // Ids of type ID and String are of one type.
    `interface P { x: Int } type A implements P @entity { id: ID! x: Int }
     type B implements P @entity { id: String! x: Int }`,
    aggregation(HEAD, `${SUM} sym: Bytes n: Int! @aggregate(fn: "count")`),
    aggregation(HEAD, 'sym1: Bytes @aggregate(fn: "last", arg: "sym")'),
    aggregation(HEAD, 's: BigDecimal! @aggregate(fn: "sum", arg: "price * 2", cumulative: true)'),
    fulltext(`name: "find" language: en algorithm: proximityRank ${INCLUDE}`),
    // It ignores scalars, unions, schema definitions and type extensions.
    `scalar Odd union U = A schema { query: Q } extend type A { x: Odd } type A @entity { id: ID! }`,
  ])("%s", (sdl) => {
    expect(reasonsOf(sdl)).toEqual([]);
  });
});

const REFUSED: readonly (readonly [sdl: string, ...ends: string[]])[] = [
  [
    "type A @entity { id: ID! }\ntype X { id: ID! }\ntype Y { id: ID! }",
    "@entity directive missing on the following types: `X, Y` (line 2)",
  ],
  [
    'type A @entity(immutable: "yes") { id: ID! }',
    "`immutable` argument of the @entity directive must be a boolean (line 1)",
  ],
  [
    "type A @entity(timeseries: true, immutable: false) { id: Int8! timestamp: Timestamp! }",
    "A is marked as mutable, it must be immutable (line 1)",
  ],
  [
    "type A @entity(timeseries: true) {\n  id: ID!\n  timestamp: Timestamp! }",
    "`A` must have an `id` field of type `Int8` (line 2)",
  ],
  ["type A @entity(timeseries: true) { id: Int8! }", "A is missing a `timestamp` field (line 1)"],
  [
    "type A @entity(timeseries: true) { id: Int8! timestamp: Int8! }",
    "field of type Int8, but it must be of type Timestamp (line 1)",
  ],
  [
    "type A @entity(skipDuplicates: true) { id: ID! }",
    "is not immutable; skipDuplicates requires immutable: true (line 1)",
  ],
  // Of two types with one name, only the last is checked.
  [
    "type A @entity { id: ID! x: Nope } type A @entity { id: ID! y: None }",
    "Type `A`, field `y`: type `None` is not defined (line 1)",
  ],
  // One reason of each of two rules.
  [
    "type A @entity(timeseries: true) { timestamp: Timestamp! }",
    "Type A is missing an `id` field (line 1)",
    "Type A is missing an `id` field (line 1)",
  ],
  // One reason of each of three rules.
  [
    aggregation(HEAD, 'x: Nope @aggregate(fn: "sum", arg: "price")'),
    "field `x`: type `Nope` is not defined (line 2)",
    "field `x`: type `Nope` is not defined (line 2)",
    "fieldx: aggregates must use a numeric type, one of Int, Int8, BigInt, and BigDecimal (line 2)",
  ],
  // Missing fields of an interface end the check.
  [
    "interface P { x: Int! }\ninterface Q { y: Int }\ntype A implements P & Q @entity { id: ID! }\ntype B { x: Float }",
    "does not satisfy interface `P` because it is missing the following fields: x: Int! (line 3)",
  ],
  // Only the first @derivedFrom is reported.
  [
    "type A @entity { id: ID!\n  b: B @derivedFrom\n  c: B @derivedFrom }\ntype B @entity { id: ID! }",
    "`b` in type `A` has invalid @derivedFrom: the @derivedFrom directive must have a `field` argument (line 2)",
  ],
  ["type A @entity { x: Int }", "Type A is missing an `id` field (line 1)"],
  ['type A @entity {\n  "the id"\n  id: BigInt!\n}', "A uses illegal type BigInt for id column (line 3)"],
  [
    "input In { x: Int } scalar Odd\ninterface P { f: Nope }\ntype A @entity {\n  id: ID!\n  g: [Float!]\n  h: In i: Odd }",
    "Type `A`, field `g`: type `Float` is not defined (line 5)",
    "Type `A`, field `h`: type `In` is not defined (line 6)",
    "Type `A`, field `i`: type `Odd` is not defined (line 6)",
    "Type `P`, field `f`: type `Nope` is not defined (line 2)",
  ],
  [
    "scalar BigInt type A @entity { id: ID! } enum A_filter { X } interface A_orderBy { x: Int } type Query @entity { id: ID! }",
    "type names are reserved: `BigInt, Query, A_filter, A_orderBy` (line 1)",
  ],
  ["type A implements P @entity { id: ID! }", "Interface `P` not defined (line 1)"],
  [
    'interface P { x: Int! "doc" y: [Int!]! z: ID }\ntype A implements P @entity { id: ID! x: Int y: [Int!]! }',
    "`A` does not satisfy interface `P` because it is missing the following fields: x: Int!, z: ID (line 2)",
  ],
  [
    'interface P {\n  """one"""\n  x(a: Int): Int!\n  """\n  two\n    lines\n  """\n  y: ID @deprecated\n}\ntype A implements P @entity { id: ID! }',
    'following fields: """one"""\nx(a: Int): Int!, """\ntwo\n  lines\n"""\ny: ID @deprecated (line 10)',
  ],
  [
    "interface P { x: Int }\ntype A implements P @entity { id: ID! x: Int }\ntype B implements P @entity { id: Bytes! x: Int }",
    "`P` use different id types `String, Bytes`. They must all use the same type (line 1)",
  ],
  [
    "type _Schema_ @odd { x: Int }",
    "_Schema_ type is only for @fulltext and must not have any fields (line 1)",
    "The _Schema_ type only allows @fulltext directives (line 1)",
  ],
  [
    "enum E { A }\ntype A @entity { id: ID! Id: E }",
    "store error: Type not available in this context: E (line 2)",
  ],
  [search("vid"), 'column "vid" specified more than once (line 1)'],
  [search(""), "can not use an empty name for a attribute (line 1)"],
  [
    fulltext("x: 1"),
    "Fulltext directive name undefined (line 1)",
    "Fulltext language is undefined (line 1)",
    "Fulltext algorithm is undefined (line 1)",
    "Fulltext directive requires an 'include' list (line 1)",
  ],
  [
    fulltext(`name: "label" language: xx algorithm: best include: [1]`),
    "name overlaps with an existing entity field or a top-level query field: label (line 1)",
    "Fulltext language is invalid: xx (line 1)",
    "Fulltext algorithm is invalid: best (line 1)",
    "Fulltext 'include' list must contain an object (line 1)",
  ],
  [search("labels"), "a top-level query field: labels (line 1)"],
  [
    search("find").replace(/(@fulltext.*)/, "\n$1\n$1"),
    "Fulltext directive name overlaps with type: find (line 2)",
    "Fulltext directive name overlaps with type: find (line 3)",
  ],
  ...[
    ["[{ entity: Stream, fields: [] }]", BAD_INCLUDE],
    ['[{ entity: "Stream", fields: ["label"] }]', BAD_INCLUDE],
    ['[{ entity: "Nope", fields: [] }]', "includes an entity not found on the subgraph schema"],
    ['[{ entity: "Stream", fields: [{ x: 1 }] }]', "Fulltext include field must have a 'name' attribute"],
    ['[{ entity: "Stream", fields: [{ name: "size" }] }]', "entity field, size, not found or not a string"],
  ].map(([include, end]): [string, string] => [
    fulltext(`name: "find" language: en algorithm: rank include: ${include}`),
    `${end} (line 1)`,
  ]),
];

describe("graph-node refuses", () => {
  test.each(REFUSED)("%s", (sdl, ...ends) => {
    expectReasons(reasonsOf(sdl), ends);
  });

  const G_TYPES = "`a` on type `G` must have one of the following types: A, A!, [A!], [A!]!";
  test.each([
    ["b: B @derivedFrom", "the @derivedFrom directive must have a `field` argument"],
    ['b: B @derivedFrom(attr: "a")', "the @derivedFrom directive must have a `field` argument"],
    ["b: B @derivedFrom(field: 123)", "the @derivedFrom `field` argument must be a string"],
    ['b: [B!]! @derivedFrom(field: "a")', "field `a` does not exist on type `B`"],
    ['g: G @derivedFrom(field: "a")', `field ${G_TYPES}`],
    ['p: G @derivedFrom(field: "a")', `field ${G_TYPES}, P, P!, [P!], [P!]!`],
    ['k: K @derivedFrom(field: "a")', "type must be an existing entity or interface"],
  ])("%s", (field, fault) => {
    const name = field.slice(0, 1);
    const sdl = `
      type A implements P & Q @entity {
        id: ID! q: Int ${name === "p" ? "" : "p: G"}
        ${field}
      }
      interface P { p: G } interface Q { q: Int } enum K { X }
      type B @entity { id: ID! } type G @entity { id: ID! a: BigInt }`;
    expectReasons(reasonsOf(sdl), [`\`${name}\` in type \`A\` has invalid @derivedFrom: ${fault} (line 4)`]);
  });

  test.each([
    ['intervals: ["hour"]', "is missing the `source` argument"],
    ['source: 1, intervals: ["hour"]', "argument for `source`: it must be the name of a timeseries"],
    ['source: "Nope", intervals: ["hour"]', "Nope as the source, but there is no timeseries of that name"],
    ['source: "Plain", intervals: ["hour"]', "Plain as the source, but that type is not a timeseries"],
    ['source: "Data"', "is missing an `intervals` argument for the timeseries directive"],
    ['source: "Data", intervals: []', "for `intervals`: it must be a non-empty list of strings"],
    ['source: "Data", intervals: ["hour", day]', "for `intervals`: it must be a non-empty list of strings"],
    ['source: "Data", intervals: ["week"]', "Stats: the interval week is not supported"],
  ])("@aggregation(%s)", (args, end) => {
    const sdl = `${aggregation(`@aggregation(${args})`, SUM)} type Plain @entity { id: ID! }`;
    expectReasons(reasonsOf(sdl), [`${end} (line 2)`]);
  });

  test.each([
    ["sym: Bytes", "Aggregation Stats has no @aggregate fields"],
    [`${SUM} nope: Int`, "uses Data as the source, but that does not have a field nope"],
    [`${SUM} sym: String`, "sym in aggregation Stats has type String but its type in the source is Bytes"],
    ['x: Int @aggregate(arg: "price")', "x in aggregation Stats is missing the `fn` argument"],
    ['x: Int @aggregate(fn: "avg", arg: "price")', "uses the unknown aggregation function `avg`"],
    ['x: Int @aggregate(fn: 1, arg: "price")', "uses the unknown aggregation function `1`"],
    ['x: Int @aggregate(fn: "max")', "is missing the `arg` argument since the function max requires it"],
    ['x: Int @aggregate(fn: "max", arg: price)', "an invalid argument for `arg`: it must be a string"],
    [
      'x: Int @aggregate(fn: "max", arg: "price", cumulative: 1)',
      "has an invalid value for `cumulative`. It needs to be a boolean",
    ],
    [
      'x: Int @aggregate(fn: "max", arg: "nope")',
      "`arg` nope but the source type does not have such a field",
    ],
    ['x: Bytes @aggregate(fn: "max", arg: "1")', "numeric type, one of Int, Int8, BigInt, and BigDecimal"],
    ["x: Int @aggregate(fn: count)", "needs quotation marks around its function count"],
    ['x: Boolean @aggregate(fn: "last", arg: "1")', "numeric, byte array, string or a reference type"],
    [
      'x: Int @aggregate(fn: "max", arg: "price")',
      "`arg` price of type BigDecimal but it is of the wider type Int in the source",
    ],
    [
      'x: BigDecimal @aggregate(fn: "max", arg: "price + sym")',
      "arg `price + sym` but that is not a numeric field in Data",
    ],
    [
      'x: BigDecimal @aggregate(fn: "max", arg: "price + nope")',
      "`arg` price + nope but the source type does not have such a field",
    ],
    [
      `${SUM} sym: Bytes @derivedFrom(field: "id")`,
      "has a derived field sym but fields in aggregations can not be derived",
    ],
  ])("an aggregation with %s", (fields, end) => {
    expectReasons(reasonsOf(aggregation(HEAD, fields)), [`${end} (line 2)`]);
  });

  test.each([
    ["timestamp: Timestamp!", "Type Stats does not have an `id` field"],
    ["id: ID! timestamp: Timestamp!", "Stats must be Int8, the same as in the source, but is String"],
    ["id: BigInt! timestamp: Timestamp!", "type Stats uses illegal type BigInt for id column"],
    ["id: Int8!", "Timeseries Stats is missing a `timestamp` field"],
  ])("type Stats %s", (fields, end) => {
    expectReasons(reasonsOf(`${SERIES}\ntype Stats ${HEAD} { ${fields} ${SUM} }`), [`${end} (line 2)`]);
  });
});

/** Observed with graph-node 0.45.0 on PostgreSQL 18. */
describe("the database refuses", () => {
  const twice = (column: string) => `column "${column}" specified more than once`;
  const system = (column: string) => `column name "${column}" conflicts with a system column name`;
  const ofId = "The `id` field has type `Int` but only `String`, `Bytes`, `Int8`, and `ID` are allowed";
  const unindexed = (type: string) =>
    `data type ${type}[] has no default operator class for access method "gist"`;
  const long = "a".repeat(63);
  test.each([
    ["xY: Int\n x_y: Int", twice("x_y")],
    ["b: Int\n b_: Int", twice("b")],
    ["a__b: Int\n a_b: Int", twice("a_b")],
    ["a1: Int\n a_1: Int", twice("a_1")],
    ["a1b: Int\n a1B: Int", twice("a_1b")],
    ["ABc: Int\n a_bc: Int", twice("a_bc")],
    ["HTTPServer: Int\n http_server: Int", twice("http_server")],
    ["x: Int\n x: String", twice("x")],
    [`${long}a: Int\n ${long}b: Int`, twice(long)],
    ["xY: Int x_y: Int\n vid: Int", twice("vid")],
    ["\n Vid: Int", twice("vid")],
    ["\n blockRange: Int", twice("block_range")],
    ["\n Id: ID", twice("id")],
    ["\n Id: Int", ofId],
    ["\n ctid: Int", system("ctid")],
    ["\n __: Int", 'zero-length delimited identifier at or near """"'],
  ])("fields { id: ID! %s }", (fields, reason) => {
    expect(reasonsOf(`type A @entity { id: ID! ${fields} }`)).toEqual([`store error: ${reason} (line 2)`]);
  });

  test.each([
    ["type A @entity {\n id: [ID!]! }", unindexed("text")],
    ["type A @entity {\n id: [Bytes!]! }", unindexed("bytea")],
    ["type A @entity {\n id: [[Int8!]!]! }", unindexed("bigint")],
    ["type AB @entity { id: ID! }\ntype Ab @entity { id: ID! }", 'relation "ab" already exists'],
    ["enum xY { A }\nenum x_y { A }", 'type "x_y" already exists'],
    ["enum xY { A }\ntype x_y @entity { id: ID! }", 'type "x_y" already exists'],
    [aggregation(HEAD, 'vid: Int! @aggregate(fn: "count")'), twice("vid")],
  ])("%s", (sdl, reason) => {
    expect(reasonsOf(sdl)).toEqual([`store error: ${reason} (line 2)`]);
  });

  test.each([
    'type A @entity { id: ID! vid: [A!]! @derivedFrom(field: "id") }',
    "type A @entity(immutable: true) { id: ID! block_range: Int }",
    "type A @entity(immutable: true) { id: [ID!]! }",
    "type A @entity { id: ID! a1B: Int a1_b: Int aBC: Int a_b_c: Int }",
    "type A @entity { id: ID! A1: Int a1: Int HTTPServer: Int httpserver: Int }",
    "enum K { A } enum K { B } type A @entity { id: ID! }",
  ])("but accepts %s", (sdl) => {
    expect(reasonsOf(sdl)).toEqual([]);
  });
});

/** Observed with graph-node 0.45.0. */
describe("the SQL of an aggregate", () => {
  const sumOf = (arg: string) =>
    reasonsOf(aggregation(HEAD, `x: BigDecimal @aggregate(fn: "sum", arg: ${JSON.stringify(arg)})`));

  test.each([
    ..."1|- price|price * 2 + 1.5e3|price ^ 2|price <=> 1|price and 1|true|null|$1|'x'|abs(price)".split("|"),
    ...'ABS(price)|"abs"(price)|greatest(price, 1)|ceiling(price)|abs()|"price"|cast(price as int)'.split(
      "|",
    ),
    ...["case when price > 1 then price else 0 end", "case price when 1 then 2 end"],
    ...["price::numeric(10, 2)", "price is not null", "price is distinct from 1", "(price)", "not price"],
    // graph-node ignores the text after an expression.
    ...["price price", "price at x", "price)", "price; select 1", "price -- c", "/* c */ price"],
  ])("may be %s", (arg) => {
    expect(sumOf(arg)).toEqual([]);
  });

  const unread = (expected: string, found: string) =>
    `Failed to parse expression: sql parser error: Expected: ${expected}, found: ${found}`;
  const unsupported = (construct: string) => `Expressions using ${construct} are not supported`;
  const unknown = (arg: string) => `has \`arg\` ${arg} but the source type does not have such a field`;
  test.each([
    ["", unread("an expression", "EOF")],
    ["price +", unread("an expression", "EOF")],
    ["(price", unread(")", "EOF")],
    ["abs(,)", unread("an expression", ", at Line: 1, Column: 5")],
    ["price::", unread("a data type name", "EOF")],
    ["now()", "Function now is not supported"],
    ['"ABS"(price)', 'Function "ABS" is not supported'],
    ["count(*)", "Function count is not supported"],
    ["abs(*)", "Illegal function: call to abs uses a wildcard argument"],
    ["abs(price) over ()", "Illegal function: call to abs uses an illegal feature"],
    ["current_date", "Function current_date is not supported"],
    ["price || 1", "binary operator || is not supported"],
    ["price ->> 'x'", "binary operator ->> is not supported"],
    ["~ price", "unary operator ~ is not supported"],
    ["price not in (1, 2)", unsupported("InList")],
    ["price between 1 and 2", unsupported("Between")],
    ["price is unknown", unsupported("IsUnknown")],
    ["(select 1)", unsupported("Subquery")],
    ["(1, 2)", unsupported("Tuple")],
    ["floor(price)", unsupported("Floor")],
    ["data.price", unsupported("CompoundIdentifier")],
    ['price collate "C"', unsupported("Collate")],
    ['nope collate "C"', unsupported("Collate")],
    ["nope +", unread("an expression", "EOF")],
    ["price at time zone 'UTC'", unsupported("AtTimeZone")],
    ["(price at x)", unread(")", "at at Line: 1, Column: 8")],
    ["date '2020-01-01'", unsupported("TypedString")],
    ["case when", unread("an expression", "EOF")],
    ["PRICE", unknown("PRICE")],
  ])("cannot be %s", (arg, reason) => {
    expectReasons(sumOf(arg), [`${reason} (line 2)`]);
  });

  test("is parsed up to a limited depth", () => {
    expectReasons(sumOf("(".repeat(10_000)), ["sql parser error: recursion limit exceeded (line 2)"]);
    expect(sumOf(`price${" + price".repeat(10_000)}`)).toEqual([]);
  });
});

describe("features that a release does not have are refused", () => {
  test.each<[GraphNodeRelease, string, ...ends: string[]]>([
    ["0.34", "type A @entity { id: ID! at: Timestamp }", "type `Timestamp` is not defined (line 1)"],
    ["0.35", "type A @entity { id: ID! at: Timestamp }"],
    [
      "0.34",
      aggregation(HEAD, SUM),
      "@entity directive missing on the following types: `Stats` (line 2)",
      "`Data`, field `timestamp`: type `Timestamp` is not defined (line 1)",
      "`Stats`, field `timestamp`: type `Timestamp` is not defined (line 2)",
    ],
    ["0.35", aggregation(HEAD, SUM)],
    // A release ignores unknown arguments of `@entity`.
    ["0.34", "type A @entity(timeseries: true) { id: ID! }"],
  ])("graph-node %s: %s", (release, sdl, ...ends) => {
    expectReasons(reasonsOf(sdl, release), ends);
  });
});

test("one error contains all reasons, numbered", () => {
  const noEntity = "@entity directive missing on the following types: `A`";
  const noId = "Type B is missing an `id` field";
  const undefinedType = "Type `A`, field `x`: type `Float` is not defined";
  expect(() =>
    validateSubgraphEntities("type A { x: Float }\ntype B @entity { y: Int }", "src/schema.graphql", {}),
  ).toThrow(
    new SchemaError({
      code: "SCHEMA_ENTITIES_INVALID",
      sentence: "Validation errors in subgraph `src/schema.graphql`:",
      context: [`(1) - ${noEntity} (line 1)`, `(2) - ${noId} (line 2)`, `(3) - ${undefinedType} (line 1)`],
      hint: "correct the file; a multichain indexer may accept it as it is.",
      problems: [
        { reason: noEntity, line: 1, column: null },
        { reason: noId, line: 2, column: null },
        { reason: undefinedType, line: 1, column: null },
      ],
    }),
  );
});

test("a syntax error throws SCHEMA_SDL_SYNTAX without validation", () => {
  expect(() => validateSubgraphEntities("type A @entity {", "schema.graphql", {})).toThrow(
    expect.objectContaining({ code: "SCHEMA_SDL_SYNTAX" }),
  );
});
