import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { once } from "../../src/base/collections.ts";
import type { RootCause } from "../../src/compare/diff-schemas.ts";
import { findApiNames, renameApi } from "../../src/compare/rename-api.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { multichainModels } from "../dialects/multichain/random-models.ts";
import { subgraphModels } from "../dialects/subgraph/random-models.ts";
import { apiOf, mergedModel, mergeRenames, oldApi } from "../support/merged-indexer.ts";
import { runs } from "../support/runs.ts";
import { causesOf, derive, differences, inStyle } from "./fixtures.ts";
import { edit } from "./impact/fixtures.ts";

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

const entityRename = (from: string, to: string) =>
  ({ kind: "entity", owner: null, from, to, certain: true, why: "structure" }) as const;

const show = ({ severity, change }: RootCause) =>
  `${severity} ${change.kind} ${change.coordinate}: ${change.before} → ${change.after}`;

const RENAMED = renamed(MODEL, "Stream", "LockupStream");

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
    const before = derive(name, MODEL, options);
    const names = findApiNames(before, [entityRename("Stream", "LockupStream")], style);
    const aggregates = options.aggregates?.map((table) => (table === "Stream" ? "LockupStream" : table));
    expect(renameApi(before, names)).toEqual(derive(name, RENAMED, { ...options, aggregates }));
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

describe.each(STYLE_NAMES)("a renamed field: %s", (style) => {
  const QUERIES = {
    multichain: "{ Action(order_by: { amount: asc }, where: { amount: { _gt: 1 } }) { id } }",
    subgraph: "{ actions(orderBy: stream__amount, where: { amount_gt: 1 }) { id } }",
  };
  const find = (name: string) => {
    const after = derive(style, MODEL.replaceAll("amount: BigInt", `${name}: BigInt`));
    return differences(style, { before: derive(style, MODEL), after }, [QUERIES[style]]);
  };

  it("has a fix with the new name, in filters and orders", () => {
    const write = (from: string, to: string) => `write "${to}" in place of "${from}".`;
    const nested = style === "multichain" ? null : write("stream__amount", "stream__Amount");
    expect(find("Amount").map(({ code, coordinate, fix }) => [code, coordinate, fix])).toEqual([
      ["drift/field-renamed", "Action.amount", inStyle(style, write("amount{|_gt}", "Amount{|_gt}"))],
      ["drift/field-renamed", "Stream.amount", nested],
    ]);
  });

  it("is only possible and has no fix if a word was added", () => {
    const possible = { fix: null, isOnlyPossible: true };
    expect(find("depositAmount")).toMatchObject([
      { message: "Action.amount: possibly renamed to depositAmount.", ...possible },
      { message: "Stream.amount: possibly renamed to depositAmount.", ...possible },
    ]);
  });
});

describe.each(STYLE_NAMES)("a renamed entity is one root cause: %s", (style) => {
  it.each<[name: string, changes: string[], ...more: string[]]>([
    ["without other changes", []],
    ["a field is added", ["note: String¦ fee: Int"], "additive field-added LockupStream.fee: null → Int"],
    ["a field is removed", ["note: String →"], "breaking field-removed LockupStream.note: String → null"],
    [
      "a field is renamed",
      ["note: String → noteText: String"],
      "breaking field-renamed LockupStream.note: note → noteText",
    ],
    [
      "a reference becomes nullable",
      ["asset: Asset! → asset: Asset"],
      "breaking field-type-changed LockupStream.asset: Asset! → Asset",
    ],
    [
      "other entities change too",
      ["type Action → type LockupAction", "[Action!]! → [LockupAction!]!", "size: BigInt! →"],
      "breaking field-removed Batch.size: {numeric|BigInt}! → null",
      "breaking type-renamed Action: Action → LockupAction",
    ],
  ])("%s", (_, changes, ...more) => {
    const [a, b] = [derive(style, MODEL), derive(style, edit(RENAMED, changes))];
    const want = ["breaking type-renamed Stream: Stream → LockupStream", ...more];
    expect(causesOf(style, a, b).map(show).sort()).toEqual(want.map((line) => inStyle(style, line)).sort());
    // The reverse change has as many causes.
    const reverse = causesOf(style, b, a).map(({ change }) => change.kind);
    expect(reverse).toContain("type-renamed");
    expect(reverse).toHaveLength(want.length);
  });

  it("is separate from changes of the platform and of the roots", () => {
    const [off, on]: DeriveOptions[] =
      style === "multichain" ? [{}, { aggregates: ["LockupStream"] }] : [{ childSorting: false }, {}];
    const after = derive(style, RENAMED.replace("note: String", "fee: Int"), on);
    const causes = causesOf(style, derive(style, MODEL, off), {
      ...after,
      queryType: "Root",
      types: after.types.map((type) => (type.name === after.queryType ? { ...type, name: "Root" } : type)),
    });
    expect(causes.map(({ change }) => `${change.kind} ${change.coordinate}`).sort()).toEqual([
      "field-added LockupStream.fee",
      "field-removed LockupStream.note",
      inStyle(style, "platform-feature-added {aggregates of LockupStream|nested-order}"),
      "root-renamed query",
      "type-renamed Stream",
    ]);
  });

  it("counts every derived name", () => {
    const [cause] = causesOf(style, derive(style, MODEL), derive(style, RENAMED));
    expect(cause?.derivedChanges.map(({ coordinate }) => coordinate)).toEqual(
      expect.arrayContaining(
        ["{query_root.Stream|Query.streams}", "{query_root.LockupStream_by_pk|Query.lockupStream}"]
          .concat("Stream_{bool_exp|filter}", "Action.stream", "Asset.streams", "LockupStream")
          .map((line) => inStyle(style, line)),
      ),
    );
    expect(cause?.derived).toBeGreaterThan(cause?.derivedChanges.length ?? 0);
    expect(cause?.derivedCoordinates).toHaveLength(cause?.derived ?? 0);
  });

  it("has a fix for each name, and hits only operations that use one", () => {
    const [list, filter] = [inStyle(style, "{Stream|streams}"), inStyle(style, "Stream_{bool_exp|filter}")];
    const after = RENAMED.replace("note: String", "").replace("symbol", "ticker");
    const findings = differences(
      style,
      { before: derive(style, MODEL), after: derive(style, after) },
      [
        `query Notes($where: ${filter}) { ${list}(where: $where) { note } }`,
        `query Kinds { ${list} { ...K } } fragment K on Stream { kind }`,
        `query Days { ${inStyle(style, "{Action|actions}")} { stream { amount } } }`,
        `query Symbols { ${inStyle(style, "{Asset|assets}")} { symbol streams { amount } } }`,
      ],
      {
        locate: (coordinate) =>
          coordinate === "Stream.note" ? { file: "snapshot.graphql", line: 7, column: 1 } : null,
      },
    );
    const broken = findings.flatMap(({ code, coordinate, operations }) =>
      operations
        .filter(({ impact }) => impact === "broken")
        .map(({ name }) => `${code} ${coordinate} ${name}`),
    );
    expect(broken.sort()).toEqual([
      "drift/field-removed Asset.symbol Symbols",
      "drift/field-removed LockupStream.note Notes",
      "drift/type-renamed Stream Kinds",
      "drift/type-renamed Stream Kinds",
      "drift/type-renamed Stream Notes",
      "drift/type-renamed Stream Notes",
    ]);
    const hit = new Set(findings.flatMap(({ operations }) => operations.map(({ name }) => name)));
    expect([...hit].sort()).toEqual(["Kinds", "Notes", "Symbols"]);
    // For each of the root field, the filter and the type; multichain names two of them alike.
    const fixes = findings.find(({ code }) => code === "drift/type-renamed")?.fix?.split("\n");
    const names = [
      [list, inStyle(style, "{L|l}ockupStream{|s}")],
      [filter, filter.replace("Stream", "LockupStream")],
      ["Stream", "LockupStream"],
    ];
    expect(new Set(fixes)).toEqual(
      new Set(names.map(([from, to]) => `write "${to}" in place of "${from}".`)),
    );
    expect(findings.find(({ coordinate }) => coordinate === "LockupStream.note")?.place?.line).toBe(7);
  });
});

describe.each(STYLE_NAMES)("after a merge of both built-in protocols: %s", (style) => {
  const sides = once(() => ({ before: oldApi("lockup", style), after: apiOf(style, mergedModel(style)) }));
  const find = (text: string) => differences(style, sides(), [text]);

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
    const text = {
      multichain: `query Q($c: streamcategory) {
        Stream(where: { category: { _eq: $c }, asset: { streams: {} } }) { id } Watcher { actionCounter } }`,
      subgraph: `query Q($c: StreamCategory) {
        streams(where: { category: $c, asset_: { streams_: {} } }) { id } watchers { actionCounter } }`,
    };
    const broken = find(text[style]).filter(({ operations }) => operations.length > 0);
    expect(broken.map(({ coordinate, fix }) => `${coordinate} ${fix}`).sort()).toEqual(
      [
        'Asset.streams write "lockupStreams{|_}" in place of "streams{|_}".',
        'Stream write "{L|l}ockupStream{|s}" in place of "{S|s}tream{|s}".',
        '{streamcategory|StreamCategory} write "{lockupstream|LockupStream}{c|C}ategory" in place of "{s|S}tream{c|C}ategory".',
        'Watcher.actionCounter write "lockupActionCounter" in place of "actionCounter".',
      ]
        .map((line) => inStyle(style, line))
        .sort(),
    );
  });
});

it.each([
  ["LINEAR", 'drift/enum-value-renamed breaking Kind.Linear write "LINEAR" in place of "Linear".'],
  [
    "Tranched",
    "drift/enum-value-removed breaking Kind.Linear send another value of Kind instead of Linear.",
    "drift/enum-value-added risky Kind.Tranched ",
  ],
])("an enum value Linear may be renamed: %s", (name, ...want) => {
  const of = (value: string) => derive("subgraph", MODEL.replace("A B", `${value} B`));
  const text = "{ streams(where: { kind: Linear }) { id } }";
  const findings = differences("subgraph", { before: of("Linear"), after: of(name) }, [text]);
  expect(
    findings.map(({ code, severity, coordinate, fix }) => [code, severity, coordinate, fix].join(" ")),
  ).toEqual(want);
});

it.each(STYLE_NAMES)(
  "a possible rename is one finding without a name, and its fields are not compared: %s",
  (style) => {
    const before = derive(style, "type Token @entity { id: ID! address: Bytes! symbol: String! }");
    const after = derive(style, "type TokenHolder @entity { id: ID! address: Bytes! balance: BigInt! }");
    expect(
      differences(style, { before, after }, [inStyle(style, "{ {Token|tokens} { symbol } }")]),
    ).toMatchObject([
      {
        code: "drift/type-renamed",
        message: "Token: possibly renamed to TokenHolder.",
        fix: null,
        isOnlyPossible: true,
        operations: [{ impact: "broken" }],
      },
    ]);
  },
);
