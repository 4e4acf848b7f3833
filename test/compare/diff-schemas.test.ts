import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import type { RootCause } from "../../src/compare/diff-schemas.ts";
import type { ApiSchema, ApiType } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { BytesType } from "../../src/dialects/protocol.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { addPlatformColumn } from "../support/platform-column.ts";
import { readRepositoryFile } from "../support/repository.ts";
import { causesOf, derive, differences, inStyle } from "./fixtures.ts";
import { edit } from "./impact/fixtures.ts";

const MODEL = `
  enum Kind { A B }
  type Asset @entity {
    id: ID! symbol: String! name: String! decimals: BigInt! address: Bytes!
    streams: [Stream!]! @derivedFrom(field: "asset")
  }
  type Batch @entity { id: ID! size: BigInt! label: String! tags: [Bytes!]! }
  type Stream @entity { id: ID! asset: Asset! batch: Batch kind: Kind! amount: BigInt! note: String }
  type Action @entity { id: ID! stream: Stream asset: Asset! kind: Kind! }`;

const show = ({ layer, severity, change, derived }: RootCause) =>
  `${layer} ${severity} ${change.kind} ${change.coordinate}: ${change.before} → ${change.after} +${derived}`;

const ofEntities = (causes: readonly RootCause[]) =>
  causes.filter(({ layer }) => layer === "entity").map(show);

type Derived = readonly [entities: string, options?: DeriveOptions];

const multichainCauses = (...[before, after]: readonly [Derived, Derived]) =>
  causesOf("multichain", derive("multichain", ...before), derive("multichain", ...after));

const changesOf = (causes: readonly RootCause[]) =>
  causes.map(({ change }) => `${change.kind} ${change.coordinate}`);

/** Edits one type of a schema, as no platform would. */
function editType(schema: ApiSchema, name: string, change: (type: ApiType) => ApiType): ApiSchema {
  return { ...schema, types: schema.types.map((type) => (type.name === name ? change(type) : type)) };
}

const withoutField =
  (name: string) =>
  (type: ApiType): ApiType =>
    "fields" in type
      ? ({ ...type, fields: type.fields.filter((field) => field.name !== name) } as ApiType)
      : type;

describe("a change of an entity model is one root cause", () => {
  it.each<[name: string, change: string, ...want: string[]]>([
    [
      "a text column is removed",
      "symbol: String! →",
      "breaking field-removed Asset.symbol: String! → null +{4|23}",
    ],
    [
      "a text column is added",
      "symbol: String!¦ extra: String",
      "additive field-added Asset.extra: null → String +{4|23}",
    ],
    [
      "a number is added",
      "symbol: String!¦ extra: BigInt!",
      "additive field-added Asset.extra: null → {numeric|BigInt}! +{4|11}",
    ],
    [
      "the type of a column changes",
      "size: BigInt! → size: String!",
      "breaking field-type-changed Batch.size: {numeric|BigInt}! → String! +{2|20}",
    ],
    ["a reference is removed", "batch: Batch →", "breaking field-removed Stream.batch: Batch → null +{9|25}"],
    [
      // A multichain relation is always nullable; only the column of its id changes.
      "a reference becomes nullable",
      "asset: Asset! batch → asset: Asset batch",
      "breaking field-type-changed Stream.asset: Asset! → Asset +{1|0}",
    ],
    [
      "a list is removed",
      'streams: [Stream!]! @derivedFrom(field: "asset") →',
      "breaking field-removed Asset.streams: [Stream!]! → null +{44|2}",
    ],
    [
      "an entity is added",
      "type Action @entity → type Fresh @entity { id: ID! a: String b: BigInt } type Action @entity",
      "additive type-added Fresh: null → type +{30|49}",
    ],
    ["an enum gets a member", "{ A B } → { A B C }", "{|risky enum-value-added Kind.C: null → C +0}"],
    [
      "a field is renamed",
      "symbol: String! → tokenSymbol: String!",
      "breaking field-renamed Asset.symbol: symbol → tokenSymbol +{9|47}",
    ],
    [
      "a field is replaced by one that has only the type in common",
      "symbol: String! → version: String!",
      "breaking field-removed Asset.symbol: String! → null +{4|23}",
      "additive field-added Asset.version: null → String! +{4|23}",
    ],
    [
      "a list is renamed",
      "streams: [Stream!]! → flows: [Stream!]!",
      "breaking field-renamed Asset.streams: streams → flows +5",
    ],
    [
      "a field is replaced by one of another type",
      "symbol: String! → ticker: Int!",
      "breaking field-removed Asset.symbol: String! → null +{4|23}",
      "additive field-added Asset.ticker: null → Int! +{4|11}",
    ],
    ["nothing changes", "symbol → symbol"],
  ])("%s", (_, change, ...want) => {
    for (const style of STYLE_NAMES) {
      const [before, after] = [derive(style, MODEL), derive(style, edit(MODEL, change))];
      const causes = causesOf(style, before, after);
      const wanted = want.map((line) => inStyle(style, line)).filter((line) => line !== "");
      expect(causes.map(show).sort(), style).toEqual(wanted.map((line) => `entity ${line}`).sort());
      // No change is reported twice.
      const reported = causes.flatMap((cause) => cause.derivedChanges).length;
      expect(reported, style).toBeLessThanOrEqual(compareSchemas(before, after).length);
    }
  });

  it("lists every derived change", () => {
    const after = derive("multichain", MODEL.replace("symbol: String! ", ""));
    const [cause] = causesOf("multichain", derive("multichain", MODEL), after);
    expect(cause?.origin).toEqual({ kind: "field", entity: "Asset", field: "symbol" });
    expect(cause?.derivedChanges.map((change) => `${change.kind} ${change.coordinate}`)).toEqual([
      "input-field-removed Asset_bool_exp.symbol",
      "input-field-removed Asset_order_by.symbol",
      "enum-value-removed Asset_select_column.symbol",
      "input-field-removed Asset_stream_cursor_value_input.symbol",
    ]);
  });
});

describe("a roll-up is checked, not assumed", () => {
  const before = derive("subgraph", MODEL);
  const gone = derive("subgraph", MODEL.replace("symbol: String! ", ""));
  const nullable = derive("subgraph", MODEL.replace("symbol: String!", "symbol: String"));
  const NO_FILTER = withoutField("symbol_contains");

  it.each<[name: string, before: ApiSchema, after: ApiSchema, ...want: string[]]>([
    [
      "a derived value that was not removed with its field",
      before,
      editType(
        gone,
        "Asset_orderBy",
        ({ name }) => before.types.find((type) => type.name === name) as ApiType,
      ),
      "entity breaking field-removed Asset.symbol: String! → null +22",
      "platform risky change-missing Asset_orderBy.symbol: symbol → null +0",
    ],
    [
      "a derived filter that was not added with its field",
      gone,
      editType(before, "Asset_filter", NO_FILTER),
      "entity additive field-added Asset.symbol: null → String! +22",
      "platform risky change-missing Asset_filter.symbol_contains: null → String +0",
    ],
    [
      "a derived change without a change of the entity",
      before,
      editType(before, "Asset_filter", NO_FILTER),
      "platform breaking input-field-removed Asset_filter.symbol_contains: String → null +0",
    ],
    [
      "a change that does not follow from the change of its field",
      before,
      editType(nullable, "Asset_filter", NO_FILTER),
      "entity breaking field-type-changed Asset.symbol: String! → String +0",
      "platform breaking input-field-removed Asset_filter.symbol_contains: String → null +0",
    ],
    [
      "an interface once that a server lists twice",
      before,
      editType(before, "Asset", (type) => ({ ...type, interfaces: ["Party", "Party"] }) as ApiType),
      "entity risky interface-added Asset: null → Party +0",
    ],
    [
      "a feature that only one type lost, as a removed input field",
      before,
      editType(before, "Batch_filter", withoutField("and")),
      "platform breaking input-field-removed Batch_filter.and: [Batch_filter] → null +0",
    ],
  ])("reports %s", (_, one, other, ...want) => {
    expect(causesOf("subgraph", one, other).map(show)).toEqual(want);
  });

  it("reports a type that is not derived from an entity", () => {
    const types: ApiType[] = [...before.types, { kind: "SCALAR", name: "Zebra", description: null }];
    const causes = causesOf("subgraph", before, { ...before, types });
    expect(causes.map(show)).toEqual(["platform additive type-added Zebra: null → scalar +0"]);
    expect(causes[0]?.origin).toBeNull();
  });
});

describe("a change of the platform is one root cause", () => {
  const before = derive("subgraph", MODEL);

  it.each<[name: string, options: DeriveOptions, entities: string, ...want: string[]]>([
    [
      "no and/or filters",
      { boolFilters: false },
      MODEL,
      "platform breaking platform-feature-removed and-or: and-or → null +8",
    ],
    [
      "no ordering by fields of a reference",
      { childSorting: false },
      MODEL,
      "platform breaking platform-feature-removed nested-order: nested-order → null +17",
    ],
    [
      "separate from a change of an entity that shares coordinates",
      { childSorting: false },
      MODEL.replace("symbol: String! ", ""),
      "entity breaking field-removed Asset.symbol: String! → null +23",
      "platform breaking platform-feature-removed nested-order: nested-order → null +15",
    ],
  ])("%s", (_, options, entities, ...want) => {
    expect(causesOf("subgraph", before, derive("subgraph", entities, options)).map(show)).toEqual(want);
  });

  it("is additive if it only adds aggregates", () => {
    const causes = multichainCauses([MODEL], [MODEL, { aggregates: ["Stream", "Asset"] }]);
    expect(causes.map(show)).toEqual([
      expect.stringMatching(/^platform additive .* aggregates of Asset:/),
      expect.stringMatching(/^platform additive .* aggregates of Stream:/),
    ]);
  });

  const PUBLIC = { aggregates: ["Stream"] };
  it.each<[name: string, change: string, ...causes: string[]]>([
    ["a number is added", "note: String¦ fee: BigInt!", "field-added Stream.fee"],
    ["a float is added", "note: String¦ fee: Float", "field-added Stream.fee"],
    ["a boolean is added", "note: String¦ paid: Boolean!", "field-added Stream.paid"],
    ["a number is removed", "amount: BigInt! →", "field-removed Stream.amount"],
    ["a text is removed", "note: String →", "field-removed Stream.note"],
    ["the type of a number changes", "amount: BigInt! → amount: Int!", "field-type-changed Stream.amount"],
    ["a number becomes text", "amount: BigInt! → amount: String!", "field-type-changed Stream.amount"],
    ["a field is renamed", "note: String → noteText: String", "field-renamed Stream.note"],
    [
      "several fields of several entities change",
      "type Asset @entity { → type Fresh @entity { id: ID! } type Asset @entity { supply: BigInt! share: Float",
      "field-added Asset.share",
      "field-added Asset.supply",
      "type-added Fresh",
    ],
  ])("switched aggregates are separate from a change of an entity: %s", (_, change, ...causes) => {
    const one = MODEL.replace("note: String", "note: String startTime: BigInt! ratio: Float");
    const other = edit(one, change);
    for (const [from, to, ...features] of [
      [{}, PUBLIC, "added aggregates of Stream"],
      [PUBLIC, {}, "removed aggregates of Stream"],
      [PUBLIC, { aggregates: ["Asset"] }, "added aggregates of Asset", "removed aggregates of Stream"],
    ] as const) {
      const found = multichainCauses([one, from], [other, to]);
      const want = [...causes, ...features.map((feature) => `platform-feature-${feature}`)];
      expect(changesOf(found).sort()).toEqual(want.sort());
    }
  });

  it("an operation is hit only by causes whose coordinates it names", () => {
    const grown = MODEL.replace("note: String", "note: String fee: BigInt! tax: BigInt!");
    const sides = { before: derive("multichain", grown, PUBLIC), after: derive("multichain", MODEL) };
    const hits = differences("multichain", sides, [
      "query Sums { Stream_aggregate { aggregate { sum { amount } } } }",
      "query Fees { Stream { id fee } }",
      "query Both { Stream_aggregate { aggregate { sum { tax } } } Stream { tax } }",
    ]).map(({ subject, operations }) => [subject, operations.map(({ name }) => name)]);
    expect(hits).toEqual([
      ["Stream.fee", ["Fees"]],
      ["Stream.tax", ["Both"]],
      ["aggregates of Stream", ["Both", "Sums"]],
    ]);
  });

  it.each([
    ...["0.34", "0.38", "0.42", "0.44"].map((release) => ["subgraph", release] as const),
    ...["2.28", "2.31", "3.1", "3.8"].map((release) => ["multichain", release] as const),
  ])("another release changes only the platform: %s %s", (style, release) => {
    const causes = causesOf(style, derive(style, MODEL), derive(style, MODEL, { release }));
    expect(ofEntities(causes)).toEqual([]);
    expect(causes.every(({ change }) => change.kind.startsWith("platform-"))).toBe(true);
  });
});

describe("the tables of the multichain platform", () => {
  const sdl = renderSdl(derive("multichain", MODEL, { release: "3.8" }));
  const known = canonicalize(parseSdl(sdl, "snapshot"));
  const changed = (text: string) => canonicalize(parseSdl(text, "snapshot"));
  const newer = changed(addPlatformColumn(sdl, "_meta", "progressHash: String"));
  const bigint = changed(sdl.replaceAll(/(chainId|chain_id): Int/g, "$1: bigint"));
  const retyped = changed(
    sdl.replace("type _meta {\n  bufferBlock: Int", "type _meta {\n  bufferBlock: bigint"),
  );

  it.each([
    ["an unknown column", known, newer, "platform additive platform-feature-added _meta.progressHash"],
    ["a column that is gone", newer, known, "platform breaking platform-feature-removed _meta.progressHash"],
    ["large chain ids", known, bigint, "platform breaking platform-feature-added chain ids as bigint"],
    ["another type", known, retyped, "platform breaking platform-feature-changed _meta.bufferBlock"],
  ])("are one change of the platform with %s", (_, before, after, want) => {
    expect(causesOf("multichain", before, after).map(show)).toEqual([expect.stringContaining(want)]);
  });
});

describe("lists of big numbers, whose items Envio 2.31 changed from numeric to text", () => {
  const LISTS = `type Depot @entity { id: ID! sizes: [BigInt!]! prices: [BigDecimal!] worth: Int tags: [String!]! }
    type Yard @entity { id: ID! areas: [BigInt!]! depth: BigInt! }`;
  const causesFrom = ([from, to]: readonly [string, string], one = LISTS, other = one) =>
    multichainCauses([one, { release: from }], [other, { release: to }]);
  const bigNumbers = (causes: readonly RootCause[]) =>
    causes.find(({ change }) => change.coordinate === "lists of big numbers");

  it.each([
    ["2.29", "2.31", "numeric → String"],
    ["2.31", "2.29", "String → numeric"],
    ["2.28", "3.0", "numeric → String"],
    ["2.27", "3.8", "numeric → String"],
    ["3.0", "2.28", "String → numeric"],
  ])("are one change of the platform from %s to %s", (from, to, items) => {
    const causes = causesFrom([from, to]);
    expect(ofEntities(causes)).toEqual([]);
    const found = causes.filter(({ change }) => change.coordinate === "lists of big numbers");
    expect(found.map(show)).toEqual([
      expect.stringMatching(`^platform breaking platform-feature-changed lists of big numbers: ${items} `),
    ]);
    expect(found[0]?.derivedCoordinates).toEqual(
      expect.arrayContaining(["Depot.prices", "Depot.sizes", "Depot_bool_exp.sizes", "Yard.areas"]),
    );
  });

  it("do not include lists with a precision", () => {
    const precise = LISTS.replace("prices: [BigDecimal!]", "prices: [BigDecimal!] @config(precision: 10)");
    const causes = causesFrom(["2.28", "3.0"], precise);
    expect(ofEntities(causes)).toEqual([]);
    const coordinates = bigNumbers(causes)?.derivedCoordinates ?? [];
    expect(coordinates.filter((coordinate) => /^(Depot|Yard)\.\w+$/.test(coordinate))).toEqual([
      "Depot.sizes",
      "Yard.areas",
    ]);
  });

  const NINE = LISTS.replace("BigDecimal!]", "BigDecimal!] @config(precision: 9)");
  it.each<[name: string, releases: [string, string], one: string, changes: string[], ...want: string[]]>([
    [
      "other fields change at the same time",
      ["2.29", "2.31"],
      LISTS,
      ["worth: Int →", "areas: [BigInt!]!¦ more: [BigInt!]"],
      "field-removed Depot.worth",
      "field-added Yard.more",
    ],
    [
      "the release stays the same",
      ["3.0", "3.0"],
      NINE,
      ["prices: [BigDecimal!] @config(precision: 9) → prices: [String!]"],
      "field-type-changed Depot.prices",
    ],
    [
      "another list stays numeric",
      ["2.29", "2.29"],
      LISTS,
      ["prices: [BigDecimal!] → prices: [String!]"],
      "field-type-changed Depot.prices",
    ],
    [
      "the list also becomes nullable",
      ["2.29", "2.31"],
      LISTS,
      ["sizes: [BigInt!]! → sizes: [BigInt!]"],
      "field-type-changed Depot.sizes",
    ],
  ])("do not hide a change of the entity if %s", (_, releases, one, changes, ...want) => {
    const causes = causesFrom(releases, one, edit(one, changes));
    expect(ofEntities(causes)).toEqual(want.map((line) => expect.stringContaining(line)));
  });
});

describe("the bytes_type setting of Envio 3.10", () => {
  const BYTES = `type Depot @entity { id: ID! hash: Bytes! codes: [Bytes!] sizes: [BigInt!] yard: Yard! }
    type Yard @entity { id: ID! code: Bytes depots: [Depot!]! @derivedFrom(field: "yard") }`;
  const settings = (bytesType: BytesType) => ({ release: "3.10", bytesType, aggregates: ["Depot"] });
  const causesFrom = (from: DeriveOptions, to: DeriveOptions, changes: readonly string[] = []) =>
    multichainCauses([BYTES, from], [edit(BYTES, changes), to]);

  it.each([
    ["string", "uint8array", "String → bytea"],
    ["uint8array", "string", "bytea → String"],
  ] as const)("is one change of the platform from %s to %s", (from, to, change) => {
    const causes = causesFrom(settings(from), settings(to));
    expect(causes.filter(({ change: { kind } }) => kind !== "platform-release-changed").map(show)).toEqual([
      expect.stringMatching(`^platform breaking platform-feature-changed bytes_type: ${change} `),
    ]);
    expect(causes.flatMap(({ derivedCoordinates }) => derivedCoordinates)).toEqual(
      expect.arrayContaining(["Depot.hash", "Depot.codes", "Yard.code", "Depot_max_fields.hash", "bytea"]),
    );
  });

  it("is separate from the change of lists of big numbers", () => {
    const causes = causesFrom({ release: "2.28" }, { release: "3.10", bytesType: "uint8array" });
    expect(changesOf(causes).filter((line) => line.startsWith("platform-feature-changed"))).toEqual([
      "platform-feature-changed bytes_type",
      "platform-feature-changed lists of big numbers",
    ]);
    expect(ofEntities(causes)).toEqual([]);
  });

  it.each<[from: BytesType, changes: string[], ...want: string[]]>([
    [
      "string",
      ["hash: Bytes! → hash: Bytes", "code: Bytes →"],
      "field-type-changed Depot.hash",
      "field-removed Yard.code",
    ],
    ["uint8array", ["hash: Bytes! → hash: String!"], "field-type-changed Depot.hash"],
  ])("is separate from changes of the entities: from %s, %j", (from, changes, ...want) => {
    const causes = causesFrom(settings(from), settings("uint8array"), changes);
    expect(ofEntities(causes)).toEqual(want.map((line) => expect.stringContaining(line)));
  });
});

describe("descriptions", () => {
  it("are in the docs layer, one cause per described part", () => {
    const described = edit(MODEL, [
      'type Asset → "What is streamed." type Asset',
      'symbol: → "Short." symbol:',
    ]);
    expect(causesOf("subgraph", derive("subgraph", MODEL), derive("subgraph", described)).map(show)).toEqual([
      "docs cosmetic description-changed Asset: null → What is streamed. +0",
      "docs cosmetic description-changed Asset.symbol: null → Short. +0",
    ]);
  });

  it("of a column are one cause, however many types show the column", () => {
    const at = { release: "3.8", aggregates: ["Asset"] };
    const causes = multichainCauses([MODEL, at], [MODEL.replace("symbol:", '"Short." symbol:'), at]);
    expect(causes.map(show)).toEqual([expect.stringMatching(/^docs .* Asset\.symbol:/)]);
  });
});

describe("the fan-out in a real model", () => {
  const sdl = readRepositoryFile("generated/schemas/lockup/subgraph.graphql");
  const { deriver, schemas } = styles.subgraph;
  const model = schemas.read(parseSdl(sdl, "subgraph.graphql"));
  const before = canonicalize(deriver.derive(model));
  const definitions = model.definitions.map((definition) =>
    definition.kind === "entity" && definition.name === "Asset"
      ? { ...definition, fields: definition.fields.filter(({ name }) => name !== "symbol") }
      : definition,
  );

  it.each([
    ["one removed column", deriver.derive({ ...model, definitions }), "Asset.symbol", 21, 25],
    ["child sorting switched off", deriver.derive(model, { childSorting: false }), "nested-order", 100, 1000],
  ])("of %s is one cause with many derived changes", (_, after, want, least, most) => {
    const [cause, ...others] = causesOf("subgraph", before, canonicalize(after));
    expect([cause?.change.coordinate, others]).toEqual([want, []]);
    expect(cause?.derived).toBeGreaterThanOrEqual(least);
    expect(cause?.derived).toBeLessThanOrEqual(most);
  });
});

describe("a field of an interface and its implementers is one cause", () => {
  const PARTIES = `
    interface Party { id: ID! address: Bytes! note: String }
    type Farm implements Party @entity { id: ID! address: Bytes! note: String size: Int! soil: Int! }
    type Roaster implements Party @entity { id: ID! address: Bytes! note: String grade: Int! kind: Int! }`;

  it.each<[name: string, after: string, ...want: string[]]>([
    [
      "renamed, although too few other fields stay to detect it",
      PARTIES.replaceAll("address:", "ownerAddress:").replaceAll(" note: String", ""),
      "field-renamed Party.address: address → ownerAddress +71",
      "field-removed Party.note: String → null +65",
    ],
    ["removed", PARTIES.replaceAll(" note: String", ""), "field-removed Party.note: String → null +65"],
    ["added", PARTIES.replaceAll("note:", "note: String more:"), "field-added Party.more: null → String +65"],
    [
      "of another type in one implementer",
      PARTIES.replace("size: Int!", "size: BigInt!"),
      "field-type-changed Farm.size: Int! → BigInt! +8",
    ],
  ])("%s", (_, after, ...want) => {
    const causes = causesOf("subgraph", derive("subgraph", PARTIES), derive("subgraph", after));
    expect(causes.map((cause) => show(cause).replace(/^entity \w+ /, ""))).toEqual(want);
  });
});

it.each<[name: string, style: StyleName, before: string, after: string]>([
  ["of a column, on subgraphs", "subgraph", "String!", "Int!"],
  ["of a column, on multichain", "multichain", "String!", "Int!"],
  // Multichain shows this nullability at `field_id` only, so the field itself has no change but its deprecation.
  ["of a relation, on multichain", "multichain", "Asset!", "Asset"],
])("a deprecated field whose type also changes has the type as its cause: %s", (_, style, before, after) => {
  const of = (type: string) =>
    derive(style, `type Asset @entity { id: ID! } type Stream @entity { id: ID! field: ${type} }`);
  const deprecated = editType(of(after), "Stream", (type) => {
    if (type.kind !== "OBJECT") return type;
    const old = (name: string) => (name === "field" ? { deprecationReason: "old" } : {});
    return { ...type, fields: type.fields.map((field) => ({ ...field, ...old(field.name) })) };
  });
  const place = { coordinate: "Stream.field" };
  const deprecation = { kind: "field-deprecation-changed", ...place, before: null, after: "old" };
  expect(causesOf(style, of(before), deprecated)).toEqual([
    expect.objectContaining({
      change: { kind: "field-type-changed", ...place, before, after },
      severity: "breaking",
      derivedChanges: expect.arrayContaining([deprecation]),
    }),
  ]);
});
