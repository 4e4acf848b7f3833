import fc from "fast-check";
import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { diffSchemas, type RootCause } from "../../src/compare/diff-schemas.ts";
import { findApiRenames } from "../../src/compare/find-api-renames.ts";
import { findDifferences } from "../../src/compare/find-differences.ts";
import { findApiNames, renameApi } from "../../src/compare/rename-api.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { multichainModels } from "../dialects/multichain/random-models.ts";
import { subgraphModels } from "../dialects/subgraph/random-models.ts";
import { apiOf, mergedModel, mergeRenames, oldApi } from "../support/merged-indexer.ts";
import { runs } from "../support/runs.ts";

const MODEL = `
  enum Kind { A B }
  type Asset @entity { id: ID! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Batch @entity { id: ID! size: BigInt! streams: [Stream!]! @derivedFrom(field: "batch") }
  "What pays."
  type Stream @entity {
    id: ID! asset: Asset! batch: Batch kind: Kind! amount: BigInt! ratio: Float startTime: BigInt! note: String
    parent: Stream open: Boolean! actions: [Action!]! @derivedFrom(field: "stream")
  }
  type StreamDay @entity { id: ID! stream: Stream! day: Int! }
  type Action @entity { id: ID! stream: Stream! amount: BigInt }`;

const renamed = (model: string, from: string, to: string) =>
  model.replace(new RegExp(`\\b${from}\\b`, "g"), to);

const modelOf = (entities: string) => parseEntities(entities, "entities.graphql");

function schemaOf(style: StyleName, entities: string, options?: DeriveOptions): ApiSchema {
  return canonicalize(styles[style].deriver.derive(modelOf(entities), options));
}

const entityRename = (from: string, to: string) =>
  ({ kind: "entity", owner: null, from, to, certain: true, why: "structure" }) as const;

const show = ({ severity, change }: RootCause) =>
  `${severity} ${change.kind} ${change.coordinate}: ${change.before} → ${change.after}`;

const diff = (style: StyleName, before: ApiSchema, after: ApiSchema) =>
  diffSchemas({ before, after }, styles[style], { exhaustiveEnums: false }).causes;

const STYLES = ["multichain", "subgraph"] as const;

describe("derived names follow a renamed entity", () => {
  it.each<[StyleName, DeriveOptions]>([
    ["multichain", {}],
    ["multichain", { aggregates: ["Stream", "Asset"] }],
    ["multichain", { release: "3.8", aggregates: ["Stream"], perChainEntities: true }],
    ["subgraph", {}],
    ["subgraph", { release: "0.34" }],
    ["subgraph", { release: "0.44" }],
  ])("%s %j", (name, options) => {
    const style = styles[name];
    const before = schemaOf(name, MODEL, options);
    const names = findApiNames(before, [entityRename("Stream", "LockupStream")], style);
    const aggregates = options.aggregates?.map((table) => (table === "Stream" ? "LockupStream" : table));
    expect(renameApi(before, names)).toEqual(
      schemaOf(name, renamed(MODEL, "Stream", "LockupStream"), { ...options, aggregates }),
    );
  });

  it.each([
    ["multichain", multichainModels],
    ["subgraph", subgraphModels],
  ] as const)("in any model: %s", (name, models) => {
    const style = styles[name];
    const derived = (model: EntityModel) => canonicalize(style.deriver.derive(model, { asRead: true }));
    const bare = (schema: ApiSchema): unknown =>
      JSON.parse(JSON.stringify(schema, (key, value) => (key === "description" ? null : value)));
    let count = 0;
    fc.assert(
      fc.property(models, fc.nat(), (model, at) => {
        const read = style.schemas.read(derived(model));
        const rows = read.definitions.filter(({ kind }) => kind === "entity" || kind === "interface");
        const from = rows[at % Math.max(rows.length, 1)]?.name;
        // A field or an enum value with the name of an entity is not renamed.
        const members = read.definitions.flatMap((each) =>
          "fields" in each ? [...each.fields] : each.kind === "enum" ? [...(each.values ?? [])] : [],
        );
        if (from === undefined || members.some(({ name: member }) => member === from)) return;
        count++;
        const text = JSON.stringify(model).replace(new RegExp(`\\b${from}\\b`, "g"), "Other");
        const before = derived(model);
        const names = findApiNames(before, [entityRename(from, "Other")], style);
        expect(bare(renameApi(before, names))).toEqual(bare(derived(JSON.parse(text))));
      }),
      { numRuns: runs(6, 15), seed: 20_263 },
    );
    expect(count).toBeGreaterThan(5);
  });
});

describe("certain and possible renames of entities", () => {
  const find = (before: string, after: string) =>
    findApiRenames(modelOf(before), modelOf(after))
      .filter(({ kind }) => kind === "entity")
      .map(({ from, to, certain }) => `${from} ${certain ? "→" : "→?"} ${to}`);
  const MANY = "a: Int b: Int c: Int d: String e: String f: BigInt g: BigInt h: Boolean";
  const FEWER = MANY.replace("h: Boolean", "");
  const one = (name: string, fields: string, more = "") =>
    `type ${name} @entity { id: ID! ${fields} } ${more}`;

  it.each<[string, string[], string[]]>([
    [
      "a shared word in the names",
      find(MODEL, renamed(MODEL, "Stream", "LockupStream")),
      ["Stream → LockupStream"],
    ],
    [
      "a reference whose type has the new name",
      find(MODEL, renamed(MODEL, "Batch", "Series")),
      ["Batch → Series"],
    ],
    [
      "most of many fields equal",
      find(one("Foo", `${MANY} i: Int`), one("Bar", `${MANY} j: Int`)),
      ["Foo →? Bar"],
    ],
    [
      "only half of many fields equal",
      find(one("Foo", MANY), one("Bar", MANY.replace("a: Int b: Int c: Int", ""))),
      [],
    ],
    ["as many equal fields as required", find(one("Foo", MANY), one("Bar", MANY)), ["Foo →? Bar"]],
    ["one equal field fewer than required", find(one("Foo", FEWER), one("Bar", FEWER)), []],
    [
      "three quarters of the larger entity equal",
      find(one("Foo", `${MANY} i: Int`), one("Bar", `${MANY} i: Int j: Int k: Int l: Int`)),
      ["Foo →? Bar"],
    ],
    [
      "less than three quarters of the larger entity equal",
      find(one("Foo", MANY), one("Bar", `${MANY} j: Int k: Int l: Int`)),
      [],
    ],
    [
      "a shared word and half of the fields",
      find(one("Farm", "a: Int b: Int"), one("FarmLot", "a: Int c: Int")),
      ["Farm →? FarmLot"],
    ],
    [
      "a shared word and less than half of the fields",
      find(one("Farm", "a: Int b: Int c: Int"), one("FarmLot", "a: Int d: Int e: Int")),
      [],
    ],
    [
      "equal fields, but too few",
      find(one("Deposit", "amount: BigInt!"), one("Refund", "amount: BigInt!")),
      [],
    ],
    ["a shared word but no shared field", find(one("Farm", "a: Int"), one("FarmLot", "fee: Int")), []],
    ["opposite words", find(one("MinPrice", "a: Int"), one("MaxPrice", "a: Int")), []],
    [
      "two renamed entities that refer to each other",
      find(MODEL, renamed(renamed(MODEL, "Stream", "LockupStream"), "Batch", "LockupBatch")),
      ["Batch → LockupBatch", "Stream → LockupStream"],
    ],
    [
      "split in two, only one of them referred to",
      find(
        `${one("Stream", MANY)} type Asset @entity { id: ID! stream: Stream! }`,
        `${one("LockupStream", MANY)} ${one("FlowStream", MANY)} type Asset @entity { id: ID! stream: FlowStream! }`,
      ),
      ["Stream → FlowStream"],
    ],
    [
      "split in two equal entities",
      find(one("Stream", MANY), `${one("LockupStream", MANY)} ${one("FlowStream", MANY)}`),
      [],
    ],
    ["an entity that still exists", find(one("Foo", MANY), `${one("Foo", MANY)} ${one("FooBar", MANY)}`), []],
  ])("%s", (_, found, want) => {
    expect(found).toEqual(want);
  });
});

describe.each(STYLES)("a renamed field: %s", (style) => {
  const find = (name: string) => {
    const [list, filter] =
      style === "multichain"
        ? ["Action", "order_by: { amount: asc }, where: { amount: { _gt: 1 } }"]
        : ["actions", "orderBy: stream__amount, where: { amount_gt: 1 }"];
    return findDifferences({
      before: schemaOf(style, MODEL),
      after: schemaOf(style, MODEL.replaceAll("amount: BigInt", `${name}: BigInt`)),
      style: styles[style],
      where: null,
      operations: [{ name: "Ordered", document: parse(`{ ${list}(${filter}) { id } }`) }],
      exhaustiveEnums: false,
      locate: () => null,
      fix: null,
    }).findings;
  };

  it("has a fix with the new name, in filters and orders", () => {
    expect(find("Amount").map(({ code, coordinate, fix }) => [code, coordinate, fix])).toEqual([
      [
        "drift/field-renamed",
        "Action.amount",
        style === "multichain"
          ? 'write "Amount" in place of "amount".'
          : 'write "Amount_gt" in place of "amount_gt".',
      ],
      [
        "drift/field-renamed",
        "Stream.amount",
        style === "multichain" ? null : 'write "stream__Amount" in place of "stream__amount".',
      ],
    ]);
  });

  it("is only possible and has no fix if a word was added", () => {
    expect(
      find("depositAmount").map(({ message, fix, isOnlyPossible }) => ({ message, fix, isOnlyPossible })),
    ).toEqual(
      ["Action", "Stream"].map((entity) => ({
        message: `${entity}.amount: possibly renamed to depositAmount.`,
        ...{ fix: null, isOnlyPossible: true },
      })),
    );
  });
});

describe.each(STYLES)("a renamed entity is one root cause: %s", (style) => {
  const own = "breaking type-renamed Stream: Stream → LockupStream";

  it.each<[name: string, edit: (model: string) => string, more: string[]]>([
    ["without other changes", (model) => model, []],
    [
      "a field is added",
      (model) => model.replace("note: String", "note: String fee: Int"),
      ["additive field-added LockupStream.fee: null → Int"],
    ],
    [
      "a field is removed",
      (model) => model.replace("note: String", ""),
      ["breaking field-removed LockupStream.note: String → null"],
    ],
    [
      "a field is renamed",
      (model) => model.replace("note: String", "noteText: String"),
      ["breaking field-renamed LockupStream.note: note → noteText"],
    ],
    [
      "a reference becomes nullable",
      (model) => model.replace("asset: Asset!", "asset: Asset"),
      ["breaking field-type-changed LockupStream.asset: Asset! → Asset"],
    ],
    [
      "other entities change too",
      (model) => renamed(model, "Action", "LockupAction").replace("size: BigInt!", ""),
      ["breaking field-removed Batch.size: ", "breaking type-renamed Action: Action → LockupAction"],
    ],
  ])("%s", (_, edit, more) => {
    const [a, b] = [schemaOf(style, MODEL), schemaOf(style, edit(renamed(MODEL, "Stream", "LockupStream")))];
    const causes = diff(style, a, b).map(show);
    expect(causes.map((line) => line.replace(/(Batch\.size: ).*/, "$1")).sort()).toEqual(
      [own, ...more].sort(),
    );
    // The reverse change has as many causes.
    expect(diff(style, b, a).map(({ change }) => change.kind)).toContain("type-renamed");
    expect(diff(style, b, a)).toHaveLength(causes.length);
  });

  it("is separate from changes of the platform and of the roots", () => {
    const [off, on]: DeriveOptions[] =
      style === "multichain" ? [{}, { aggregates: ["LockupStream"] }] : [{ childSorting: false }, {}];
    const after = schemaOf(
      style,
      renamed(MODEL, "Stream", "LockupStream").replace("note: String", "fee: Int"),
      on,
    );
    const { queryType } = after;
    const causes = diff(style, schemaOf(style, MODEL, off), {
      ...after,
      queryType: "Root",
      types: after.types.map((type) => (type.name === queryType ? { ...type, name: "Root" } : type)),
    });
    expect(causes.map(({ change }) => `${change.kind} ${change.coordinate}`).sort()).toEqual([
      "field-added LockupStream.fee",
      "field-removed LockupStream.note",
      style === "multichain"
        ? "platform-feature-added aggregates of LockupStream"
        : "platform-feature-added nested-order",
      "root-renamed query",
      "type-renamed Stream",
    ]);
  });

  it("counts every derived name", () => {
    const [a, b] = [schemaOf(style, MODEL), schemaOf(style, renamed(MODEL, "Stream", "LockupStream"))];
    const [cause] = diff(style, a, b);
    const coordinates = new Set(cause?.derivedChanges.map(({ coordinate }) => coordinate));
    const wanted =
      style === "multichain"
        ? ["query_root.Stream", "query_root.LockupStream_by_pk", "Stream_bool_exp", "Action.stream"]
        : ["Query.streams", "Query.lockupStream", "Stream_filter", "Action.stream"];
    for (const coordinate of [...wanted, "Asset.streams", "LockupStream"]) {
      expect(coordinates).toContain(coordinate);
    }
    expect(cause?.derived).toBeGreaterThan(cause?.derivedChanges.length ?? 0);
    expect(cause?.derivedCoordinates).toHaveLength(cause?.derived ?? 0);
  });

  it("has a fix for each name, and hits only operations that use one", () => {
    const list = style === "multichain" ? "Stream" : "streams";
    const filter = style === "multichain" ? "Stream_bool_exp" : "Stream_filter";
    const assets = style === "multichain" ? "Asset" : "assets";
    const after = renamed(MODEL, "Stream", "LockupStream")
      .replace("note: String", "")
      .replace("symbol", "ticker");
    const { findings } = findDifferences({
      before: schemaOf(style, MODEL),
      after: schemaOf(style, after),
      style: styles[style],
      where: null,
      operations: [
        {
          name: "Notes",
          document: parse(`query Notes($where: ${filter}) { ${list}(where: $where) { note } }`),
        },
        {
          name: "Kinds",
          document: parse(`query Kinds { ${list} { ...K } } fragment K on Stream { kind }`),
        },
        {
          name: "Days",
          document: parse(`{ ${style === "multichain" ? "Action" : "actions"} { stream { amount } } }`),
        },
        { name: "Symbols", document: parse(`query Symbols { ${assets} { symbol streams { amount } } }`) },
      ],
      exhaustiveEnums: false,
      locate: (coordinate) =>
        coordinate === "Stream.note" ? { file: "snapshot.graphql", line: 7, column: 1 } : null,
      fix: null,
    });
    const broken = findings.flatMap(({ code, coordinate, operations }) =>
      operations
        .filter(({ impact }) => impact === "broken")
        .map(({ name, line, column }) => `${code} ${coordinate} ${name} ${line}:${column}`),
    );
    expect(broken.sort()).toEqual(
      [
        "drift/field-removed Asset.symbol Symbols 1:",
        "drift/field-removed LockupStream.note Notes 1:",
        "drift/type-renamed Stream Kinds 1:",
        "drift/type-renamed Stream Kinds 1:",
        "drift/type-renamed Stream Notes 1:",
        "drift/type-renamed Stream Notes 1:",
      ].map((line) => expect.stringContaining(line)),
    );
    const hit = new Set(findings.flatMap(({ operations }) => operations.map(({ name }) => name)));
    expect([...hit].sort()).toEqual(["Kinds", "Notes", "Symbols"]);
    const rename = findings.find(({ code }) => code === "drift/type-renamed");
    // For each of the root field, the filter and the type; multichain names two of them alike.
    const renamedList = style === "multichain" ? "LockupStream" : "lockupStreams";
    expect(new Set(rename?.fix?.split("\n"))).toEqual(
      new Set([
        `write "${renamedList}" in place of "${list}".`,
        `write "${filter.replace("Stream", "LockupStream")}" in place of "${filter}".`,
        'write "LockupStream" in place of "Stream".',
      ]),
    );
    expect(findings.find(({ coordinate }) => coordinate === "LockupStream.note")?.place?.line).toBe(7);
  });
});

describe.each(STYLES)("after a merge of both built-in protocols: %s", (style) => {
  const find = (text: string) =>
    findDifferences({
      before: oldApi("lockup", style),
      after: apiOf(style, mergedModel(style)),
      style: styles[style],
      where: null,
      operations: [{ name: "Q", document: parse(text) }],
      exhaustiveEnums: false,
      locate: () => null,
      fix: null,
    }).findings;
  it("all causes are renames, but for additions", () => {
    const causes = find("{ __typename }").filter(({ severity }) => severity !== "additive");
    expect(causes.map(({ coordinate, after }) => `${coordinate} → ${after}`).sort()).toEqual(
      mergeRenames("Lockup", style)
        .map(({ owner, from, to }) => `${owner === null ? "" : `${owner}.`}${from} → ${to}`)
        .sort(),
    );
    expect(causes.filter(({ isOnlyPossible }) => isOnlyPossible)).toEqual([]);
  });

  it("every broken place has the name to write", () => {
    const text =
      style === "multichain"
        ? "query Q($c: streamcategory) { Stream(where: { category: { _eq: $c }, asset: { streams: {} } }) { id } Watcher { actionCounter } }"
        : "query Q($c: StreamCategory) { streams(where: { category: $c, asset_: { streams_: {} } }) { id } watchers { actionCounter } }";
    const broken = find(text).filter(({ operations }) => operations.length > 0);
    const fixes =
      style === "multichain"
        ? [
            'Asset.streams write "lockupStreams" in place of "streams".',
            'Stream write "LockupStream" in place of "Stream".',
            'Watcher.actionCounter write "lockupActionCounter" in place of "actionCounter".',
            'streamcategory write "lockupstreamcategory" in place of "streamcategory".',
          ]
        : [
            'Asset.streams write "lockupStreams_" in place of "streams_".',
            'Stream write "lockupStreams" in place of "streams".',
            'StreamCategory write "LockupStreamCategory" in place of "StreamCategory".',
            'Watcher.actionCounter write "lockupActionCounter" in place of "actionCounter".',
          ];
    expect(broken.map(({ coordinate, fix }) => `${coordinate} ${fix}`)).toEqual(fixes);
  });
});

describe("a renamed enum value", () => {
  const find = (after: string, text: string) =>
    findDifferences({
      before: schemaOf("subgraph", MODEL.replace("A B", "Linear B")),
      after: schemaOf("subgraph", MODEL.replace("A B", after)),
      style: styles.subgraph,
      where: null,
      operations: [{ name: "Q", document: parse(text) }],
      exhaustiveEnums: false,
      locate: () => null,
      fix: null,
    }).findings.map(({ code, severity, coordinate, fix }) => [code, severity, coordinate, fix].join(" "));

  it.each([
    [
      "LINEAR B",
      "{ streams(where: { kind: Linear }) { id } }",
      ['drift/enum-value-renamed breaking Kind.Linear write "LINEAR" in place of "Linear".'],
    ],
    [
      "Tranched B",
      "{ streams(where: { kind: Linear }) { id } }",
      [
        "drift/enum-value-removed breaking Kind.Linear send another value of Kind instead of Linear.",
        "drift/enum-value-added risky Kind.Tranched ",
      ],
    ],
  ])("%s: %s", (after, text, want) => {
    expect(find(after, text)).toEqual(want);
  });
});

describe.each(STYLES)("an entity that was possibly renamed: %s", (style) => {
  it("is one finding without a name to write, and its fields are not compared", () => {
    const text = style === "multichain" ? "{ Token { symbol } }" : "{ tokens { symbol } }";
    const { findings } = findDifferences({
      before: schemaOf(style, "type Token @entity { id: ID! address: Bytes! symbol: String! }"),
      after: schemaOf(style, "type TokenHolder @entity { id: ID! address: Bytes! balance: BigInt! }"),
      style: styles[style],
      where: null,
      operations: [{ name: "Q", document: parse(text) }],
      exhaustiveEnums: false,
      locate: () => null,
      fix: null,
    });
    expect(
      findings.map(({ code, message, fix, isOnlyPossible, operations }) => [
        ...[code, message, fix, isOnlyPossible],
        operations.map(({ impact }) => impact),
      ]),
    ).toEqual([["drift/type-renamed", "Token: possibly renamed to TokenHolder.", null, true, ["broken"]]]);
  });
});
