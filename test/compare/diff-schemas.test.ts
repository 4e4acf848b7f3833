import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { diffSchemas, type RootCause } from "../../src/compare/diff-schemas.ts";
import { findDifferences } from "../../src/compare/find-differences.ts";
import type { ApiSchema, ApiType } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { BytesType } from "../../src/dialects/protocol.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import type { AssessedOperation } from "../../src/operations/operation-set.ts";
import { addPlatformColumn } from "../support/platform-column.ts";
import { readRepositoryFile } from "../support/repository.ts";

const MODEL = `
  enum Kind { A B }
  type Asset @entity {
    id: ID! symbol: String! name: String! decimals: BigInt! address: Bytes!
    streams: [Stream!]! @derivedFrom(field: "asset")
  }
  type Batch @entity { id: ID! size: BigInt! label: String! tags: [Bytes!]! }
  type Stream @entity { id: ID! asset: Asset! batch: Batch kind: Kind! amount: BigInt! note: String }
  type Action @entity { id: ID! stream: Stream asset: Asset! kind: Kind! }`;

function schemaOf(style: StyleName, entities: string, options?: DeriveOptions): ApiSchema {
  return canonicalize(styles[style].deriver.derive(parseEntities(entities, "entities.graphql"), options));
}

function diff(style: StyleName, before: ApiSchema, after: ApiSchema): RootCause[] {
  return diffSchemas({ before, after }, styles[style], { exhaustiveEnums: false }).causes;
}

const show = ({ layer, severity, change, derived }: RootCause) =>
  `${layer} ${severity} ${change.kind} ${change.coordinate}: ${change.before} → ${change.after} +${derived}`;

/** Edits one type of a schema, as no platform would. */
function edit(schema: ApiSchema, name: string, change: (type: ApiType) => ApiType | null): ApiSchema {
  return {
    ...schema,
    types: schema.types.flatMap((type) => {
      if (type.name !== name) return [type];
      const edited = change(type);
      return edited ? [edited] : [];
    }),
  };
}

const without =
  (...names: string[]) =>
  (type: ApiType): ApiType => {
    if (type.kind === "ENUM")
      return { ...type, values: type.values.filter((one) => !names.includes(one.name)) };
    if (type.kind === "INPUT_OBJECT") {
      return { ...type, fields: type.fields.filter((one) => !names.includes(one.name)) };
    }
    return type.kind === "OBJECT"
      ? { ...type, fields: type.fields.filter((one) => !names.includes(one.name)) }
      : type;
  };

type Case = [name: string, from: string, to: string, multichain: string[], subgraph: string[]];

describe("a change of an entity model is one root cause", () => {
  const cases: Case[] = [
    [
      "a text column is removed",
      "symbol: String! ",
      "",
      ["entity breaking field-removed Asset.symbol: String! → null +4"],
      ["entity breaking field-removed Asset.symbol: String! → null +23"],
    ],
    [
      "a text column is added",
      "symbol: String! ",
      "symbol: String! extra: String ",
      ["entity additive field-added Asset.extra: null → String +4"],
      ["entity additive field-added Asset.extra: null → String +23"],
    ],
    [
      "a number is added",
      "symbol: String! ",
      "symbol: String! extra: BigInt! ",
      ["entity additive field-added Asset.extra: null → numeric! +4"],
      ["entity additive field-added Asset.extra: null → BigInt! +11"],
    ],
    [
      "the type of a column changes",
      "size: BigInt!",
      "size: String!",
      ["entity breaking field-type-changed Batch.size: numeric! → String! +2"],
      ["entity breaking field-type-changed Batch.size: BigInt! → String! +20"],
    ],
    [
      "a reference is removed",
      "batch: Batch ",
      "",
      ["entity breaking field-removed Stream.batch: Batch → null +9"],
      ["entity breaking field-removed Stream.batch: Batch → null +25"],
    ],
    [
      // A multichain relation is always nullable; only the column of its id changes.
      "a reference becomes nullable",
      "id: ID! asset: Asset! batch",
      "id: ID! asset: Asset batch",
      ["entity breaking field-type-changed Stream.asset: Asset! → Asset +1"],
      ["entity breaking field-type-changed Stream.asset: Asset! → Asset +0"],
    ],
    [
      "a list is removed",
      `streams: [Stream!]! @derivedFrom(field: "asset")`,
      "",
      ["entity breaking field-removed Asset.streams: [Stream!]! → null +44"],
      ["entity breaking field-removed Asset.streams: [Stream!]! → null +2"],
    ],
    [
      "an entity is added",
      "type Action @entity",
      "type Fresh @entity { id: ID! a: String b: BigInt } type Action @entity",
      ["entity additive type-added Fresh: null → type +30"],
      ["entity additive type-added Fresh: null → type +49"],
    ],
    [
      "an enum gets a member",
      "{ A B }",
      "{ A B C }",
      [],
      ["entity risky enum-value-added Kind.C: null → C +0"],
    ],
    [
      "a field is renamed",
      "symbol: String!",
      "tokenSymbol: String!",
      ["entity breaking field-renamed Asset.symbol: symbol → tokenSymbol +9"],
      ["entity breaking field-renamed Asset.symbol: symbol → tokenSymbol +47"],
    ],
    [
      "a field is replaced by one that has only the type in common",
      "symbol: String!",
      "version: String!",
      [
        "entity breaking field-removed Asset.symbol: String! → null +4",
        "entity additive field-added Asset.version: null → String! +4",
      ],
      [
        "entity breaking field-removed Asset.symbol: String! → null +23",
        "entity additive field-added Asset.version: null → String! +23",
      ],
    ],
    [
      "a list is renamed",
      'streams: [Stream!]! @derivedFrom(field: "asset")',
      'flows: [Stream!]! @derivedFrom(field: "asset")',
      ["entity breaking field-renamed Asset.streams: streams → flows +5"],
      ["entity breaking field-renamed Asset.streams: streams → flows +5"],
    ],
    [
      "a field is replaced by one of another type",
      "symbol: String!",
      "ticker: Int!",
      [
        "entity breaking field-removed Asset.symbol: String! → null +4",
        "entity additive field-added Asset.ticker: null → Int! +4",
      ],
      [
        "entity breaking field-removed Asset.symbol: String! → null +23",
        "entity additive field-added Asset.ticker: null → Int! +11",
      ],
    ],
  ];
  it.each(cases)("%s", (_, from, to, multichain, subgraph) => {
    const changed = MODEL.replace(from, to);
    expect(changed).not.toBe(MODEL);
    for (const [style, want] of [
      ["multichain", multichain],
      ["subgraph", subgraph],
    ] as const) {
      const [before, after] = [schemaOf(style, MODEL), schemaOf(style, changed)];
      const causes = diff(style, before, after);
      expect(causes.map(show).sort(), style).toEqual([...want].sort());
      // No change is reported twice.
      const reported = causes.flatMap((cause) => cause.derivedChanges).length;
      expect(reported, style).toBeLessThanOrEqual(compareSchemas(before, after).length);
    }
  });

  it("lists every derived change", () => {
    const [cause] = diff(
      "multichain",
      schemaOf("multichain", MODEL),
      schemaOf("multichain", MODEL.replace("symbol: String! ", "")),
    );
    expect(cause?.origin).toEqual({ kind: "field", entity: "Asset", field: "symbol" });
    expect(cause?.derivedChanges.map((change) => `${change.kind} ${change.coordinate}`)).toEqual([
      "input-field-removed Asset_bool_exp.symbol",
      "input-field-removed Asset_order_by.symbol",
      "enum-value-removed Asset_select_column.symbol",
      "input-field-removed Asset_stream_cursor_value_input.symbol",
    ]);
  });

  it("equal schemas have no causes", () => {
    for (const style of ["multichain", "subgraph"] as const) {
      expect(diff(style, schemaOf(style, MODEL), schemaOf(style, MODEL))).toEqual([]);
    }
  });
});

describe("a roll-up is checked, not assumed", () => {
  const before = schemaOf("subgraph", MODEL);
  const gone = schemaOf("subgraph", MODEL.replace("symbol: String! ", ""));

  it("reports a derived value that was not removed with its field", () => {
    const after = {
      ...gone,
      types: gone.types.map((type) =>
        type.name === "Asset_orderBy" ? (before.types.find(({ name }) => name === type.name) ?? type) : type,
      ),
    };
    expect(diff("subgraph", before, after).map(show)).toEqual([
      "entity breaking field-removed Asset.symbol: String! → null +22",
      "platform risky change-missing Asset_orderBy.symbol: symbol → null +0",
    ]);
  });

  it("reports a derived filter that was not added with its field", () => {
    const after = edit(before, "Asset_filter", without("symbol_contains"));
    expect(diff("subgraph", gone, after).map(show)).toEqual([
      "entity additive field-added Asset.symbol: null → String! +22",
      "platform risky change-missing Asset_filter.symbol_contains: null → String +0",
    ]);
  });

  it("reports a derived change without a change of the entity", () => {
    const after = edit(before, "Asset_filter", without("symbol_contains"));
    expect(diff("subgraph", before, after).map(show)).toEqual([
      "platform breaking input-field-removed Asset_filter.symbol_contains: String → null +0",
    ]);
  });

  it("reports a change that does not follow from the change of its field", () => {
    const nullable = schemaOf("subgraph", MODEL.replace("symbol: String!", "symbol: String"));
    const after = edit(nullable, "Asset_filter", without("symbol_contains"));
    expect(diff("subgraph", before, after).map(show)).toEqual([
      "entity breaking field-type-changed Asset.symbol: String! → String +0",
      "platform breaking input-field-removed Asset_filter.symbol_contains: String → null +0",
    ]);
  });

  it("reports a type that is not derived from an entity", () => {
    const after = {
      ...before,
      types: [...before.types, { kind: "SCALAR", name: "Zebra", description: null } as const],
    };
    const causes = diff("subgraph", before, after);
    expect(causes.map(show)).toEqual(["platform additive type-added Zebra: null → scalar +0"]);
    expect(causes[0]?.origin).toBeNull();
  });

  it("reports an interface once that a server lists twice", () => {
    const model = schemaOf("subgraph", MODEL);
    const twice = edit(model, "Asset", (type) => ({ ...type, interfaces: ["Party", "Party"] }) as ApiType);
    expect(diff("subgraph", model, twice).map(show)).toEqual([
      "entity risky interface-added Asset: null → Party +0",
    ]);
  });

  it("reports a feature that only one type lost as a removed input field", () => {
    expect(diff("subgraph", before, edit(before, "Batch_filter", without("and"))).map(show)).toEqual([
      "platform breaking input-field-removed Batch_filter.and: [Batch_filter] → null +0",
    ]);
  });
});

describe("a change of the platform is one root cause", () => {
  const before = schemaOf("subgraph", MODEL);

  it.each<[string, DeriveOptions, string[]]>([
    [
      "no and/or filters",
      { boolFilters: false },
      ["platform breaking platform-feature-removed and-or: and-or → null +8"],
    ],
    [
      "no ordering by fields of a reference",
      { childSorting: false },
      ["platform breaking platform-feature-removed nested-order: nested-order → null +17"],
    ],
  ])("%s", (_, options, want) => {
    expect(diff("subgraph", before, schemaOf("subgraph", MODEL, options)).map(show)).toEqual(want);
  });

  it("is separate from a change of an entity that shares coordinates", () => {
    const after = schemaOf("subgraph", MODEL.replace("symbol: String! ", ""), { childSorting: false });
    expect(diff("subgraph", before, after).map(show)).toEqual([
      "entity breaking field-removed Asset.symbol: String! → null +23",
      "platform breaking platform-feature-removed nested-order: nested-order → null +15",
    ]);
  });

  it("is additive if it only adds aggregates", () => {
    const plain = schemaOf("multichain", MODEL);
    const causes = diff(
      "multichain",
      plain,
      schemaOf("multichain", MODEL, { aggregates: ["Stream", "Asset"] }),
    );
    expect(causes.map((cause) => [cause.layer, cause.severity, cause.change.coordinate])).toEqual([
      ["platform", "additive", "aggregates of Asset"],
      ["platform", "additive", "aggregates of Stream"],
    ]);
  });

  const PUBLIC = { aggregates: ["Stream"] };
  it.each<[name: string, from: string, to: string, causes: string[]]>([
    ["a number is added", "note: String", "note: String fee: BigInt!", ["field-added Stream.fee"]],
    ["a float is added", "note: String", "note: String fee: Float", ["field-added Stream.fee"]],
    ["a boolean is added", "note: String", "note: String paid: Boolean!", ["field-added Stream.paid"]],
    ["a number is removed", "amount: BigInt! ", "", ["field-removed Stream.amount"]],
    ["a text is removed", "note: String", "", ["field-removed Stream.note"]],
    ["the type of a number changes", "amount: BigInt!", "amount: Int!", ["field-type-changed Stream.amount"]],
    ["a number becomes text", "amount: BigInt!", "amount: String!", ["field-type-changed Stream.amount"]],
    ["a field is renamed", "note: String", "noteText: String", ["field-renamed Stream.note"]],
    [
      "several fields of several entities change",
      "type Asset @entity {",
      "type Fresh @entity { id: ID! a: BigInt! } type Asset @entity { supply: BigInt! share: Float",
      ["field-added Asset.share", "field-added Asset.supply", "type-added Fresh"],
    ],
  ])("switched aggregates are separate from a change of an entity: %s", (_, from, to, causes) => {
    const one = MODEL.replace("note: String", "note: String startTime: BigInt! ratio: Float");
    const other = one.replace(from, to);
    expect(other).not.toBe(one);
    for (const [a, b, feature] of [
      [{}, PUBLIC, "platform-feature-added aggregates of Stream"],
      [PUBLIC, {}, "platform-feature-removed aggregates of Stream"],
      [PUBLIC, { aggregates: ["Asset"] }, null],
    ] as const) {
      const found = diff("multichain", schemaOf("multichain", one, a), schemaOf("multichain", other, b));
      const features =
        feature === null
          ? ["platform-feature-added aggregates of Asset", "platform-feature-removed aggregates of Stream"]
          : [feature];
      expect(found.map(({ change }) => `${change.kind} ${change.coordinate}`).sort()).toEqual(
        [...causes, ...features].sort(),
      );
    }
  });

  it("an operation is hit only by causes whose coordinates it names", () => {
    const operation = (name: string, selection: string): AssessedOperation => ({
      name,
      document: parse(`query ${name} { ${selection} }`),
    });
    const grown = MODEL.replace("note: String", "note: String fee: BigInt! tax: BigInt!");
    const hits = findDifferences({
      before: schemaOf("multichain", grown, PUBLIC),
      after: schemaOf("multichain", MODEL),
      style: styles.multichain,
      where: null,
      operations: [
        operation("Sums", "Stream_aggregate { aggregate { sum { amount } } }"),
        operation("Fees", "Stream { id fee }"),
        operation("Both", "Stream_aggregate { aggregate { sum { tax } } } Stream { tax }"),
      ],
      exhaustiveEnums: false,
      locate: () => null,
      fix: null,
    }).findings.map(({ subject, operations }) => [subject, operations.map(({ name }) => name)]);
    expect(hits).toEqual([
      ["Stream.fee", ["Fees"]],
      ["Stream.tax", ["Both"]],
      ["aggregates of Stream", ["Both", "Sums"]],
    ]);
  });

  it.each(["0.34", "0.38", "0.42", "0.44"])("another release changes only the platform: %s", (release) => {
    const causes = diff("subgraph", before, schemaOf("subgraph", MODEL, { release }));
    expect(causes.filter(({ layer }) => layer !== "platform").map(show)).toEqual([]);
    expect(causes.every(({ change }) => change.kind.startsWith("platform-"))).toBe(true);
  });

  it.each(["2.28", "2.31", "3.1", "3.8"])(
    "another release changes only the platform: Envio %s",
    (release) => {
      const causes = diff(
        "multichain",
        schemaOf("multichain", MODEL),
        schemaOf("multichain", MODEL, { release }),
      );
      expect(causes.filter(({ layer }) => layer === "entity").map(show)).toEqual([]);
      expect(causes.every(({ change }) => change.kind.startsWith("platform-"))).toBe(true);
    },
  );
});

describe("the tables of the multichain platform", () => {
  const sdl = renderSdl(schemaOf("multichain", MODEL, { release: "3.8" }));
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
    const causes = diff("multichain", before, after).map(show);
    expect(causes).toEqual([expect.stringContaining(want)]);
  });
});

describe("lists of big numbers, whose items Envio 2.31 changed from numeric to text", () => {
  const LISTS = `type Depot @entity { id: ID! sizes: [BigInt!]! prices: [BigDecimal!] worth: Int tags: [String!]! }
    type Yard @entity { id: ID! areas: [BigInt!]! depth: BigInt! }`;
  const PRECISE = LISTS.replace("prices: [BigDecimal!]", "prices: [BigDecimal!] @config(precision: 10)");
  const causesOf = (...sides: readonly (readonly [entities: string, release: string])[]) => {
    const [before, after] = sides.map(([text, release]) => schemaOf("multichain", text, { release }));
    if (before === undefined || after === undefined) throw new TypeError("Two sides are compared.");
    return diff("multichain", before, after);
  };
  const ofEntities = (causes: readonly RootCause[]) =>
    causes.filter(({ layer }) => layer === "entity").map(show);

  it.each([
    ["2.29", "2.31", "numeric → String"],
    ["2.31", "2.29", "String → numeric"],
    ["2.28", "3.0", "numeric → String"],
    ["2.27", "3.8", "numeric → String"],
    ["3.0", "2.28", "String → numeric"],
  ])("are one change of the platform from %s to %s", (from, to, items) => {
    const causes = causesOf([LISTS, from], [LISTS, to]);
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
    const causes = causesOf([PRECISE, "2.28"], [PRECISE, "3.0"]);
    expect(ofEntities(causes)).toEqual([]);
    const found = causes.find(({ change }) => change.coordinate === "lists of big numbers");
    expect(found?.derivedCoordinates.filter((one) => /^(Depot|Yard)\.\w+$/.test(one))).toEqual([
      "Depot.sizes",
      "Yard.areas",
    ]);
  });

  it("are separate from changes of the entities at the same time", () => {
    const edited = LISTS.replace("worth: Int", "").replace(
      "areas: [BigInt!]!",
      "areas: [BigInt!]! more: [BigInt!]",
    );
    const causes = causesOf([LISTS, "2.29"], [edited, "2.31"]);
    expect(ofEntities(causes)).toEqual([
      expect.stringContaining("field-removed Depot.worth"),
      expect.stringContaining("field-added Yard.more"),
    ]);
  });

  it.each([
    [
      "the release stays the same",
      LISTS.replace("BigDecimal!]", "BigDecimal!] @config(precision: 9)"),
      "3.0",
    ],
    ["another list stays numeric", LISTS, "2.29"],
  ])("are a change of the entity if %s", (_, text, release) => {
    const edited = text.replace(/prices: \[BigDecimal!\](?: @config\(precision: 9\))?/, "prices: [String!]");
    const causes = causesOf([text, release], [edited, release]);
    expect(ofEntities(causes)).toEqual([expect.stringContaining("field-type-changed Depot.prices")]);
  });

  it("are a change of the entity if the list also becomes nullable", () => {
    const edited = LISTS.replace("sizes: [BigInt!]!", "sizes: [BigInt!]");
    expect(ofEntities(causesOf([LISTS, "2.29"], [edited, "2.31"]))).toEqual([
      expect.stringContaining("field-type-changed Depot.sizes"),
    ]);
  });
});

describe("the bytes_type setting of Envio 3.10", () => {
  const BYTES = `type Depot @entity { id: ID! hash: Bytes! codes: [Bytes!] sizes: [BigInt!] yard: Yard! }
    type Yard @entity { id: ID! code: Bytes depots: [Depot!]! @derivedFrom(field: "yard") }`;
  const settings = (bytesType: BytesType, release = "3.10") => ({
    release,
    bytesType,
    aggregates: ["Depot"],
  });
  const causesOf = (before: DeriveOptions, after: DeriveOptions, edited = BYTES) =>
    diff("multichain", schemaOf("multichain", BYTES, before), schemaOf("multichain", edited, after));

  it.each([
    ["string", "uint8array", "String → bytea"],
    ["uint8array", "string", "bytea → String"],
  ] as const)("is one change of the platform from %s to %s", (from, to, change) => {
    const causes = causesOf(settings(from), settings(to));
    expect(causes.filter(({ change: { kind } }) => kind !== "platform-release-changed").map(show)).toEqual([
      expect.stringMatching(`^platform breaking platform-feature-changed bytes_type: ${change} `),
    ]);
    expect(causes.flatMap(({ derivedCoordinates }) => derivedCoordinates)).toEqual(
      expect.arrayContaining(["Depot.hash", "Depot.codes", "Yard.code", "Depot_max_fields.hash", "bytea"]),
    );
  });

  it("is separate from the change of lists of big numbers", () => {
    const causes = causesOf({ release: "2.28" }, { release: "3.10", bytesType: "uint8array" });
    const kinds = causes.filter(({ change: { kind } }) => kind === "platform-feature-changed");
    expect(kinds.map(({ change: { coordinate } }) => coordinate).sort()).toEqual([
      "bytes_type",
      "lists of big numbers",
    ]);
    expect(causes.filter(({ layer }) => layer === "entity").map(show)).toEqual([]);
  });

  it("is separate from changes of the entities", () => {
    const edited = BYTES.replace("hash: Bytes!", "hash: Bytes").replace("code: Bytes ", "");
    const ofEntities = (causes: readonly RootCause[]) =>
      causes.filter(({ layer }) => layer === "entity").map(show);
    expect(ofEntities(causesOf(settings("string"), settings("uint8array"), edited))).toEqual([
      expect.stringContaining("field-type-changed Depot.hash"),
      expect.stringContaining("field-removed Yard.code"),
    ]);
    const text = BYTES.replace("hash: Bytes!", "hash: String!");
    expect(ofEntities(causesOf(settings("uint8array"), settings("uint8array"), text))).toEqual([
      expect.stringContaining("field-type-changed Depot.hash"),
    ]);
  });
});

describe("descriptions (9, 31, 40, 45, 56)", () => {
  it("are in the docs layer, one cause per described part", () => {
    const described = MODEL.replace("type Asset", '"What is streamed." type Asset').replace(
      "symbol:",
      '"Short." symbol:',
    );
    const causes = diff("subgraph", schemaOf("subgraph", MODEL), schemaOf("subgraph", described));
    expect(causes.map(show)).toEqual([
      "docs cosmetic description-changed Asset: null → What is streamed. +0",
      "docs cosmetic description-changed Asset.symbol: null → Short. +0",
    ]);
  });

  it("of a column are one cause, however many types show the column", () => {
    const described = MODEL.replace("symbol:", '"Short." symbol:');
    const at = { release: "3.8", aggregates: ["Asset"] };
    const causes = diff(
      "multichain",
      schemaOf("multichain", MODEL, at),
      schemaOf("multichain", described, at),
    );
    expect(causes.map((cause) => [cause.change.coordinate, cause.layer])).toEqual([["Asset.symbol", "docs"]]);
  });
});

describe("the fan-out in a real model", () => {
  const sdl = readRepositoryFile("generated/schemas/lockup/subgraph.graphql");
  const { derive } = styles.subgraph.deriver;
  const model = styles.subgraph.schemas.read(parseSdl(sdl, "subgraph.graphql"));
  const before = canonicalize(derive(model));

  it("of one removed column is 23 derived changes, give or take two", () => {
    const after = canonicalize(
      derive({
        ...model,
        definitions: model.definitions.map((definition) =>
          definition.kind === "entity" && definition.name === "Asset"
            ? { ...definition, fields: definition.fields.filter(({ name }) => name !== "symbol") }
            : definition,
        ),
      }),
    );
    const causes = diff("subgraph", before, after);
    expect(causes.map((cause) => cause.change.coordinate)).toEqual(["Asset.symbol"]);
    expect(Math.abs((causes[0]?.derived ?? 0) - 23)).toBeLessThanOrEqual(2);
  });

  it("of child sorting switched off is one cause with more than 100 derived changes", () => {
    const causes = diff("subgraph", before, canonicalize(derive(model, { childSorting: false })));
    expect(causes.map((cause) => cause.change.coordinate)).toEqual(["nested-order"]);
    expect(causes[0]?.derived).toBeGreaterThan(100);
  });
});

describe("a field of an interface and its implementers is one cause", () => {
  const PARTIES = `
    interface Party { id: ID! address: Bytes! note: String }
    type Farm implements Party @entity { id: ID! address: Bytes! note: String size: Int! soil: Int! }
    type Roaster implements Party @entity { id: ID! address: Bytes! note: String grade: Int! kind: Int! }`;

  it.each<[name: string, edit: (model: string) => string, want: string[]]>([
    [
      "renamed, although too few other fields stay to detect it",
      (model) => model.replaceAll("address:", "ownerAddress:").replaceAll(" note: String", ""),
      [
        "field-renamed Party.address: address → ownerAddress +71",
        "field-removed Party.note: String → null +65",
      ],
    ],
    [
      "removed",
      (model) => model.replaceAll(" note: String", ""),
      ["field-removed Party.note: String → null +65"],
    ],
    [
      "added",
      (model) => model.replaceAll("note:", "note: String more:"),
      ["field-added Party.more: null → String +65"],
    ],
    [
      "of another type in one implementer",
      (model) => model.replace("size: Int!", "size: BigInt!"),
      ["field-type-changed Farm.size: Int! → BigInt! +8"],
    ],
  ])("%s", (_, change, want) => {
    const causes = diff("subgraph", schemaOf("subgraph", PARTIES), schemaOf("subgraph", change(PARTIES)));
    expect(causes.map((cause) => show(cause).replace(/^entity \w+ /, ""))).toEqual(want);
  });
});
