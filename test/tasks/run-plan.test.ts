import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLOW_ENTITIES, FLOW_MULTICHAIN_ENTITIES } from "../../emulator/dataset/entities/flow.ts";
import { PUBLIC_AGGREGATES } from "../../emulator/dataset/entities/index.ts";
import { LOCKUP_ENTITIES, LOCKUP_MULTICHAIN_ENTITIES } from "../../emulator/dataset/entities/lockup.ts";
import { cached } from "../../src/base/collections.ts";
import { applyBaseline } from "../../src/compare/apply-baseline.ts";
import { acceptFindings, parseReportedRun } from "../../src/compare/edit-baseline.ts";
import { resolveJudging } from "../../src/compare/judge-run.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { deriveEntities } from "../../src/dialects/derive-entities.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { DeriveOptions } from "../../src/dialects/platform.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { changeOf } from "../../src/report/describe-finding.ts";
import { json } from "../../src/report/forms/json.ts";
import type { SurfacePlan } from "../../src/tasks/plan/plan-surface.ts";
import { type PlanRun, type PlanRunRules, runPlan } from "../../src/tasks/plan.ts";
import { type Snapshot, snapshotPath } from "../../src/workspace/snapshot.ts";
import { renderSnapshot } from "../../src/workspace/snapshot-schema.ts";
import { type Edits, edit } from "../compare/impact/fixtures.ts";
import { model, render } from "../compare/random-entities.ts";
import { PLAIN } from "../report/fixtures.ts";
import { AIRDROPS, AIRDROPS_MULTICHAIN, SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { runs } from "../support/runs.ts";
import { placedOperation } from "./drift/fixtures.ts";

const FILE = "entities.graphql";

/** Returns the snapshot of an indexer of these entities. */
function snapshotOf(style: StyleName, entities: string, options: DeriveOptions = {}): Snapshot {
  return cached(snapshots, JSON.stringify([style, entities, options]), () => {
    const { deriver } = styles[style];
    return snapshotOfSchema(style, deriver.derive(parseEntities(entities, FILE), options));
  });
}

const snapshots = new Map<string, Snapshot>();

function snapshotOfSchema(style: StyleName, derived: ApiSchema): Snapshot {
  const schema = canonicalize(derived);
  const surface = { protocol: "auctions", style };
  const hashes = hashSchema(schema);
  const text = renderSnapshot(schema, surface);
  return { ...surface, base: { path: snapshotPath(surface), text, hash: hashes.schema }, variants: [] };
}

type Planned = Partial<Omit<SurfacePlan, "entities" | "operations">> & {
  readonly operations?: readonly string[];
};

/** Plans an entity schema for the given surfaces and their options. */
function planOf(
  text: string,
  surfaces: { readonly [S in StyleName]?: Planned },
  rules: Partial<PlanRunRules> = {},
): Promise<PlanRun> {
  const entities = {
    name: FILE,
    file: FILE,
    path: `/${FILE}`,
    text,
    model: parseEntities(text, FILE),
    problems: [],
  };
  const plans = Object.entries(surfaces).map(
    ([style, { operations = [], ...planned }]): SurfacePlan => ({
      protocol: "auctions",
      style: style as StyleName,
      entities,
      snapshot: null,
      variants: [],
      earlier: null,
      authored: entities,
      release: null,
      usualRelease: null,
      operations: operations.map((operation) => placedOperation(operation)),
      isOnlyStyle: Object.keys(surfaces).length === 1,
      ...planned,
    }),
  );
  return runPlan(
    { files: [entities], surfaces: plans, unknownNames: [] },
    {
      ...resolveJudging({}),
      startedAt: 0,
      command: "plan",
      entries: [],
      output: "generated",
      ...rules,
    },
  );
}

/** Each finding as `severity code coordinate: before → after; styles; operations with their places`. */
function summarize({ report }: PlanRun): string[] {
  return report.findings.map(
    ({ severity, code, coordinate, message, before, after, where, elsewhere = [], operations }) =>
      [
        `${severity} ${code.replace("drift/", "")} ${coordinate === null ? message : `${coordinate}: ${before} → ${after}`}`,
        [where, ...elsewhere.map((one) => one.where)].map((one) => one?.style ?? "no style").join(),
        ...operations.map(({ name, impact, line, column }) => `${impact} ${name} ${line}:${column}`),
      ].join("; "),
  );
}

/** Accepts a finding of a report, as `accept --from` does. */
function acceptFrom(report: PlanRun["report"], fingerprint = "") {
  const { findings, places } = parseReportedRun(json.render(report, PLAIN), "report.json", new Set());
  const today = "2026-11-22";
  const held = applyBaseline(findings, [], { today, answered: new Set(), covers: () => false });
  const request = { fingerprints: [fingerprint], reason: "meant", until: null, scope: null, today };
  return acceptFindings([], held.findings, { ...request, ...(places && { places }) });
}

const AUCTIONS = `
"How an auction runs."
enum Kind { English Dutch }
type Auction @entity(immutable: false) {
  id: ID!
  "What the seller wants at least."
  price: BigInt!
  kind: Kind!
  note: String
  seller: Account!
  bids: [Bid!]! @derivedFrom(field: "auction")
}
type Bid @entity(immutable: true) { id: ID! auction: Auction! amount: BigInt! }
type Account @entity(immutable: false) { id: ID! address: Bytes! }
`;

const NO_BIDS: Edits = [
  ["type Bid @entity(immutable: true) { id: ID! auction: Auction! amount: BigInt! }", ""],
  ['  bids: [Bid!]! @derivedFrom(field: "auction")\n', ""],
];

const both = (options: DeriveOptions = {}, entities = AUCTIONS) => ({
  multichain: { snapshot: snapshotOf("multichain", entities, options) },
  subgraph: { snapshot: snapshotOf("subgraph", entities) },
});

describe("a plan of the deployed entities", () => {
  const LISTS = "type A @entity { id: ID! sums: [BigInt!]! rates: [BigDecimal!] names: [String!]! }";
  const MODELS: Readonly<Record<string, { readonly [S in StyleName]?: string }>> = {
    lockup: { multichain: LOCKUP_MULTICHAIN_ENTITIES, subgraph: LOCKUP_ENTITIES },
    flow: { multichain: FLOW_MULTICHAIN_ENTITIES, subgraph: FLOW_ENTITIES },
    airdrops: { multichain: AIRDROPS_MULTICHAIN, subgraph: AIRDROPS },
    small: { multichain: SMALL_ENTITIES, subgraph: SMALL_ENTITIES },
    auctions: { multichain: AUCTIONS, subgraph: AUCTIONS },
    "lists of big numbers": { multichain: LISTS, subgraph: LISTS },
    "ids that are numbers": {
      multichain: "type A @entity { id: BigInt! b: B! } type B @entity { id: Int! }",
    },
    "entities of all chains": {
      multichain: "type A @entity @crossChain { id: ID! b: B! } type B @entity @internal { id: ID! }",
    },
    "time series": {
      subgraph: `
        type Trade @entity(timeseries: true) { id: Int8! timestamp: Timestamp! price: BigDecimal! }
        type Day @aggregation(intervals: ["day"], source: "Trade") {
          id: Int8! timestamp: Timestamp! high: BigDecimal! @aggregate(fn: "max", arg: "price")
        }`,
    },
    "interfaces and searches": {
      subgraph: `
        type _Schema_ @fulltext(
          name: "find", language: en, algorithm: rank, include: [{ entity: "Cat", fields: [{ name: "name" }] }]
        )
        interface Animal { id: ID! name: String! }
        "It is called\\n'Cat'."
        type Cat implements Animal @entity { id: ID! name: String! owner: Owner }
        type Owner @entity { id: ID! """  Block\n    strings.  """ cats: [Cat!]! @derivedFrom(field: "owner") }`,
    },
  };
  const SETTINGS: { readonly [S in StyleName]: readonly DeriveOptions[] } = {
    multichain: [{}, { aggregates: PUBLIC_AGGREGATES }, { perChainEntities: true }],
    subgraph: [{}, { boolFilters: false }, { childSorting: false, boolFilters: false }],
  };
  const cases = Object.entries(MODELS)
    // By default without flow, whose entities resemble those of lockup.
    .filter(([name]) => IS_THOROUGH || name !== "flow")
    .flatMap(([name, texts]) =>
      (Object.entries(texts) as [StyleName, string][]).map(([style, text]) => [name, style, text] as const),
    );

  it.each(cases)("has no findings, for any release and settings: %s, %s", async (name, style, text) => {
    const { releases } = styles[style].platform;
    let deployed = 0;
    // Releases with the same API have the same snapshot and the same plan.
    const planned = new Set<string>();
    for (const [index, release] of releases.entries()) {
      // By default the first and the last release.
      if (!IS_THOROUGH && index > 0 && index < releases.length - 1) continue;
      const { aggregates, ...settings } = SETTINGS[style][index % SETTINGS[style].length] ?? {};
      const shown = aggregates?.filter((entity) => text.includes(`type ${entity} `));
      const options = { ...settings, ...(shown && { aggregates: shown }), release };
      const schema = await deriveEntities(style, { name: FILE, text }, options).catch(() => null);
      if (schema === null) continue;
      deployed++;
      const snapshot = snapshotOfSchema(style, schema);
      if (planned.has(snapshot.base.text)) continue;
      planned.add(snapshot.base.text);
      // Some releases use texts for lists of big numbers, which no other member of a schema shows.
      const named = name === "lists of big numbers" ? ({ name: release, from: "definition" } as const) : null;
      const run = await planOf(text, { [style]: { snapshot, release: named } });
      expect({ options, found: summarize(run) }).toEqual({ options, found: [] });
    }
    expect(deployed).toBeGreaterThanOrEqual(IS_THOROUGH ? 3 : 1);
  });

  const RANDOM: readonly (readonly [StyleName, DeriveOptions])[] = [
    ["subgraph", {}],
    ["subgraph", { release: "0.35" }],
    ["subgraph", { release: "0.44", childSorting: false }],
    ["multichain", {}],
    ["multichain", { release: "2.31" }],
    ["multichain", { release: "3.6", perChainEntities: true }],
    ["multichain", { release: "3.8", aggregates: ["Root"] }],
  ];

  it.each(RANDOM)(
    "has no findings for equal entities, and none of the platform for others: %s %j",
    (style, options) =>
      fc.assert(
        fc.asyncProperty(model, model, async (one, other) => {
          const snapshot = snapshotOf(style, render(one), options);
          expect(summarize(await planOf(render(one), { [style]: { snapshot } }))).toEqual([]);
          const { report } = await planOf(render(other), { [style]: { snapshot } });
          expect(report.findings.filter(({ layer }) => layer === "platform")).toEqual([]);
        }),
        { numRuns: runs(1, 20), seed: 20_261 },
      ),
  );
});

describe("a plan of a change", () => {
  const OPERATIONS = {
    multichain: ["query Auctions { Auction(order_by: { price: asc }) { id note } }"],
    subgraph: ["query Auctions($min: BigInt) { auctions(where: { price_gte: $min }) { id note } }"],
  };
  const change = (...edits: Edits) =>
    planOf(edit(AUCTIONS, edits), {
      multichain: { ...both().multichain, operations: OPERATIONS.multichain },
      subgraph: { ...both().subgraph, operations: OPERATIONS.subgraph },
    });

  it.each<[edits: string, ...want: string[]]>([
    [
      "price: BigInt! → lowestPrice: BigInt!",
      "breaking field-renamed Auction.price: price → lowestPrice; multichain,subgraph; broken Auctions 1:38; broken Auctions 1:50",
    ],
    // The types are those of the entity schema.
    [
      "price: BigInt! → price: BigInt",
      "breaking field-type-changed Auction.price: BigInt! → BigInt; subgraph,multichain",
    ],
    // One style shows neither members of enums nor enums, and one release no descriptions.
    ["English Dutch → English Dutch Sealed", "risky enum-value-added Kind.Sealed: null → Sealed; subgraph"],
    [
      "enum Kind → enum Manner, kind: Kind! → kind: Manner!",
      "breaking type-renamed Kind: Kind → Manner; subgraph,multichain",
    ],
    [
      "What the seller wants at least. → The least.",
      "cosmetic description-changed Auction.price: What the seller wants at least. → The least.; subgraph",
    ],
  ])("has one finding for both styles for %s", async (edits, ...want) => {
    const pairs = edits.split(", ").map((one) => one.split(" → "));
    expect(summarize(await change(...pairs.map(([from = "", to = ""]) => [from, to] as const)))).toEqual(
      want,
    );
  });

  it("has a finding for a removed entity, and one for the fields of its type", async () => {
    expect(summarize(await change(...NO_BIDS))).toEqual([
      "breaking field-removed Auction.bids: [Bid!]! → null; multichain,subgraph",
      "breaking type-removed Bid: type → null; multichain,subgraph",
    ]);
  });

  it("uses its options", async () => {
    const text = AUCTIONS.replace("English Dutch", "English Dutch Sealed");
    const { report } = await planOf(text, both(), { exhaustiveEnums: true, failOn: "breaking" });
    expect(report.findings).toMatchObject([{ severity: "breaking", fails: true }]);
    expect(report.outcome).toMatchObject({ exit: 1, categories: [{ name: "drift" }, { name: "plan" }] });
  });

  it("has the line in the entity schema; for a removed field, of its entity", async () => {
    const { report } = await change(["  note: String\n", ""], ["kind: Kind!", "kind: Kind! start: Int"]);
    const places = report.findings.map(({ coordinate, place }) => [
      coordinate,
      ...Object.values(place ?? {}),
    ]);
    expect(places.map((place) => place.join(" "))).toEqual([
      ...[`Auction.note ${FILE} 4 6`, `Auction.start ${FILE} 8 15`],
    ]);
  });

  it("has a message and a fingerprint for each style", async () => {
    const { report } = await change(["price: BigInt!", "price: Int!"]);
    expect(report.findings).toMatchObject([
      {
        before: "BigInt!",
        after: "Int!",
        where: { style: "subgraph", deployments: [] },
        elsewhere: [{ before: "numeric!", after: "Int!", where: { style: "multichain", deployments: [] } }],
      },
    ]);
    expect(report.findings.map(changeOf)).toEqual([
      expect.stringMatching(/^BigInt! → Int! \(multichain: numeric! → Int!\), and \d+ derived$/),
    ]);
  });

  it("passes what is accepted, in one style or, from the report, in both", async () => {
    const edits: Edits = [
      ["note: String", "note: String!"],
      ["price: BigInt!", "price: Int!"],
    ];
    const text = edit(AUCTIONS, edits);
    const { report } = await planOf(text, both());
    const [price, note] = report.findings;
    expect(
      summarize(await planOf(text, both(), { entries: acceptFrom(report, price?.fingerprint) })),
    ).toEqual([
      "risky field-type-changed Auction.note: String → String!; multichain,subgraph",
      "breaking field-type-changed Auction.price: BigInt! → Int!; subgraph,multichain",
    ]);
    // A finding that is accepted in one style is new in the other.
    const [other] = note?.elsewhere ?? [];
    const entries = acceptFrom(report, other?.fingerprint);
    const partly = await planOf(text, both(), { entries });
    expect(entries).toMatchObject([
      { code: "drift/field-type-changed", coordinate: "Auction.note", scope: [] },
    ]);
    const left = partly.report.findings.map(({ coordinate, accepted, where }) => {
      return `${coordinate} ${where?.style}${accepted ? " accepted" : ""}`;
    });
    expect(left.join()).toBe("Auction.price subgraph,Auction.note multichain,Auction.note subgraph accepted");
  });

  it("renames and removes public aggregates with their entity", async () => {
    const deployed = both({ aggregates: ["Auction", "Bid"] });
    const renamed = AUCTIONS.replaceAll(/\bAuction\b/g, "Sale");
    expect(summarize(await planOf(renamed, deployed))).toEqual([
      "breaking type-renamed Auction: Auction → Sale; multichain,subgraph",
    ]);
    const without = edit(AUCTIONS, NO_BIDS);
    const { findings } = (await planOf(without, deployed)).report;
    expect(findings.map(({ coordinate }) => coordinate)).toEqual(["Auction.bids", "Bid"]);
  });
});

describe("a plan of what no API shows", () => {
  const STATS = `
    type Trade @entity(timeseries: true) { id: Int8! timestamp: Timestamp! token: Token! price: BigInt! fee: BigInt! }
    type Fill @entity(timeseries: true) { id: Int8! timestamp: Timestamp! token: Token! price: BigInt! fee: BigInt! }
    type Candle @aggregation(intervals: ["hour", "day"], source: "Trade") {
      id: Int8! timestamp: Timestamp! token: Token! volume: BigInt! @aggregate(fn: "sum", arg: "price")
    }
    type Token @entity(immutable: true) {
      id: ID! symbol: String!
      sent: [Transfer!]! @derivedFrom(field: "token")
    }
    type Transfer @entity { id: ID! token: Token! other: Token! }
    type _Schema_ @fulltext(
      name: "tokenSearch", language: en, algorithm: rank,
      include: [{ entity: "Token", fields: [{ name: "symbol" }] }]
    )`;
  const authored = (text: string) => ({ name: "HEAD:entities.graphql", text });
  const subgraph = { snapshot: snapshotOf("subgraph", STATS) };
  const planCandles = (edits: Edits, operations: readonly string[]) =>
    planOf(edit(STATS, edits), { subgraph: { ...subgraph, operations, authored: authored(STATS) } });

  /** Edits of the entity schema, and the change that they are. */
  type Hidden = { readonly edits: Edits; readonly change: string };
  const hidden = (from: string, to: string, change: string): Hidden => ({ edits: [[from, to]], change });
  const aggregate = (from: string, to: string): Hidden => {
    const all = 'fn: "sum", arg: "price"';
    const change = `Candle.volume: @aggregate(${all}) → @aggregate(${all.replace(from, to)})`;
    return hidden(from, to, change);
  };
  const fulltext = (algorithm: string) =>
    `@fulltext(language: en, algorithm: ${algorithm}, include: [{entity: "Token", fields: [{name: "symbol"}]}])`;

  const DAYS = hidden('["hour", "day"]', '["day"]', "Candle: interval hour → null");
  const MAX = aggregate('fn: "sum"', 'fn: "max"');
  const ARG = aggregate('arg: "price"', 'arg: "fee"');
  const CUMULATIVE = aggregate('arg: "price"', 'arg: "price", cumulative: true');
  const SOURCE = hidden(
    'source: "Trade"',
    'source: "Fill"',
    'Candle: @aggregation(source: "Trade") → @aggregation(source: "Fill")',
  );
  const OTHER = hidden(
    '@derivedFrom(field: "token")',
    '@derivedFrom(field: "other")',
    'Token.sent: @derivedFrom(field: "token") → @derivedFrom(field: "other")',
  );
  const ALGORITHM = hidden(
    "algorithm: rank",
    "algorithm: proximityRank",
    `Query.tokenSearch: ${fulltext("rank")} → ${fulltext("proximityRank")}`,
  );
  const MUTABLE = hidden(
    "@entity(immutable: true)",
    "@entity(immutable: false)",
    "Token: @entity(immutable: true) → @entity",
  );

  it.each<[what: string, hidden: Hidden, marked: string, want: string]>([
    ["a removed interval that is sent", DAYS, "{ ¦candles(interval: hour) { volume } }", "breaking broken"],
    [
      "a removed interval that is a default",
      DAYS,
      "($every: Aggregation_interval! = hour) { ¦candles(interval: $every) { volume } }",
      "breaking broken",
    ],
    [
      "a removed interval that a variable may be",
      DAYS,
      "($every: Aggregation_interval! = day) { ¦candles(interval: $every) { volume } }",
      "risky at-risk",
    ],
    ["a removed interval that is not sent", DAYS, "{ candles(interval: day) { volume } }", "cosmetic"],
    [
      "fn",
      MAX,
      "{ candles(interval: hour) { ...S } } fragment S on Candle { ¦volume }",
      "breaking changes-meaning",
    ],
    ["fn of a field that is not selected", MAX, "{ candles(interval: hour) { id } }", "cosmetic"],
    [
      "fn of a field that rows are ordered by",
      MAX,
      "{ candles(interval: hour, orderBy: ¦volume) { id } }",
      "breaking changes-meaning",
    ],
    ["arg", ARG, "{ candles(interval: hour) { ¦volume } }", "breaking changes-meaning"],
    ["cumulative", CUMULATIVE, "{ candles(interval: hour) { ¦volume } }", "breaking changes-meaning"],
    ["source", SOURCE, "{ ¦candles(interval: hour) { id volume } }", "breaking changes-meaning"],
    ["the target of a derived field", OTHER, "{ tokens { ¦sent { id } } }", "breaking changes-meaning"],
    [
      "the target of a derived field that filters rows",
      OTHER,
      '{ tokens(where: { ¦sent_: { id: "1" } }) { id } }',
      "breaking changes-meaning",
    ],
    [
      "the algorithm of a search",
      ALGORITHM,
      '{ ¦tokenSearch(text: "a") { id } }',
      "breaking changes-meaning",
    ],
    ["an immutable entity that becomes mutable", MUTABLE, "{ tokens { id } }", "cosmetic"],
  ])("reports a change of %s", async (_, { edits, change }, marked, want) => {
    const [severity = "", impact] = want.split(" ");
    const text = `query A ${marked}`;
    const run = await planCandles(edits, [text.replace("¦", "")]);
    const hit = impact ? `; ${impact} A 1:${text.indexOf("¦") + 1}` : "";
    expect(summarize(run)).toEqual([`${severity} plan/hidden-changed ${change}; subgraph${hit}`]);
    expect(run.report.outcome.exit).toBe(severity === "breaking" ? 1 : 0);
  });

  it("reports the place in the entity schema", async () => {
    const { report } = await planCandles([...ALGORITHM.edits, ...MAX.edits], []);
    const lines = report.findings.map(({ coordinate, place }) => `${coordinate} ${place?.line}`);
    expect(lines).toEqual(["Candle.volume 5", "Query.tokenSearch 12"]);
  });

  it.each([
    [
      "an added interval",
      edit(STATS, DAYS.edits),
      "cosmetic plan/hidden-changed Candle: null → interval hour; subgraph",
    ],
    [
      "that no earlier entity schema is known",
      null,
      "cosmetic plan/hidden-not-compared No earlier version of the entity schema is known, so changes that no API shows were not compared.; subgraph",
    ],
  ])("reports %s", async (_, before, want) => {
    const known = before === null ? null : authored(before);
    expect(summarize(await planOf(STATS, { subgraph: { ...subgraph, authored: known } }))).toEqual([want]);
  });

  it("reports the target of a derived field once for both styles, and can be accepted", async () => {
    const text = `type Token @entity { id: ID! sent: [Transfer!]! @derivedFrom(field: "token") }
      type Transfer @entity { id: ID! token: Token! other: Token! }`;
    const surface = (style: StyleName, operation: string) => ({
      snapshot: snapshotOf(style, text),
      operations: [operation],
      authored: authored(text),
    });
    const surfaces = {
      multichain: surface("multichain", "query A { Token { sent { id } } }"),
      subgraph: surface("subgraph", "query A { tokens { sent { id } } }"),
    };
    const { report } = await planOf(edit(text, OTHER.edits), surfaces);
    expect(report.outcome.reason).toBe("1 finding to act on: 1 changes the meaning of operations");
    const entries = acceptFrom(report, report.findings[0]?.fingerprint);
    expect((await planOf(edit(text, OTHER.edits), surfaces, { entries })).report.outcome).toMatchObject({
      exit: 0,
      reason: expect.stringContaining("1 accepted"),
    });
  });

  it("reports values of enums if only the multichain style, which does not show them, is planned", async () => {
    const { snapshot } = both().multichain;
    const planEnum = (values: string, known: string | null) =>
      planOf(edit(AUCTIONS, [["English Dutch", values]]), {
        multichain: {
          snapshot,
          operations: ["query A { Auction(where: { kind: { _in: [Dutch, Old] } }) { id } }"],
          authored: known === null ? null : authored(edit(AUCTIONS, [["English Dutch", known]])),
        },
      });
    const codes = async (run: Promise<PlanRun>) =>
      summarize(await run).filter((line) => line.includes("enum"));
    const old = "breaking enum-value-removed Kind.Old: Old → null; multichain; broken A 1:49";
    expect(await codes(planEnum("English Dutch", null))).toEqual([old]);
    expect(await codes(planEnum("English Dutch", "English"))).toEqual([
      old,
      "risky enum-value-added Kind.Dutch: null → Dutch; multichain",
    ]);
  });
});

describe("a plan that a platform rejects", () => {
  it("has a finding with the line for that platform, and is compared for the other", async () => {
    const run = await planOf(
      edit(AUCTIONS, [["note: String", "end: String"]])
        .replace("type Account", "type open")
        .replace("seller: Account!", "seller: open!"),
      both(),
    );
    expect(summarize(run)).toEqual([
      "breaking type-renamed Account: Account → open; subgraph",
      "breaking field-removed Auction.note: String → null; subgraph",
      "breaking plan/refused envio-3.0 refuses the entity schema: open: is a reserved word; multichain",
      "additive field-added Auction.end: null → String; subgraph",
    ]);
    const refusal = run.report.findings.find(({ code }) => code === "plan/refused");
    expect(refusal).toMatchObject({
      place: { file: FILE, line: 14, column: 6 },
      fails: true,
      fix: "correct it.",
    });
    expect(run.report.outcome).toMatchObject({ exit: 1, reason: "1 finding to act on: 1 to correct" });
    expect(run.apis.map(({ style, status }) => [style, status])).toEqual([
      ["multichain", "refused"],
      ["subgraph", "compared"],
    ]);
  });

  it.each<[what: string, text: string, ...want: string[]]>([
    [
      "of both platforms",
      "type Auction @entity { price: Nothing! }",
      "graph-node-0.38 refuses the entity schema: Type Auction is missing an `id` field",
      "graph-node-0.38 refuses the entity schema: Type `Auction`, field `price`: type `Nothing` is not defined",
      'envio-3.0 refuses the entity schema: Auction: has no field "id"',
      'envio-3.0 refuses the entity schema: Auction.price: unknown type "Nothing", did you mean "String"?',
    ],
    [
      "of the database",
      edit(AUCTIONS, [["note: String", "note: String vid: Int"]]),
      'graph-node-0.38 refuses the entity schema: store error: column "vid" specified more than once',
    ],
    [
      "of every query",
      edit(AUCTIONS, [["type Auction @entity", "type Auction @entity { id: ID! }\ntype Auction @entity"]]),
      "graph-node-0.38 refuses the entity schema: type Auction_orderBy already exists in the input schema; it can be deployed, but every query fails with that error.",
    ],
  ])("has the errors %s with their lines", async (_, text, ...want) => {
    const { multichain, subgraph } = both();
    const { report } = await planOf(text, want.length > 1 ? { multichain, subgraph } : { subgraph });
    expect(report.findings.map(({ code, message }) => [code, message])).toEqual(
      want.map((message) => ["plan/refused", message]),
    );
    expect(report.findings.every(({ place }) => (place?.line ?? 0) > 0)).toBe(true);
  });

  it("has one finding for the deployments of an older release only", async () => {
    const text = edit(AUCTIONS, [["note: String", "note: String ends: Timestamp"]]);
    const fileOf = (options: DeriveOptions) => snapshotOf("subgraph", AUCTIONS, options).base;
    const variants = [
      { file: fileOf({ release: "0.34", boolFilters: false }), deployments: ["auctions-zksync"] },
      { file: fileOf({ release: "0.34" }), deployments: ["auctions-linea"] },
      { file: fileOf({ release: "0.44" }), deployments: ["auctions-base"] },
    ];
    const run = await planOf(text, { subgraph: { ...both().subgraph, variants } });
    expect(run.report.findings).toMatchObject([
      {
        message:
          "graph-node-0.34 refuses the entity schema: Type `Auction`, field `ends`: type `Timestamp` is not defined",
        where: { deployments: ["auctions-linea", "auctions-zksync"] },
        fails: true,
      },
      { coordinate: "Auction.ends", where: { deployments: [] } },
    ]);
    const named = await planOf(text, {
      subgraph: { ...both().subgraph, variants, release: { name: "0.44", from: "caller" } },
    });
    expect(named.report.findings.map(({ code }) => code)).not.toContain("plan/refused");
  });

  it("can be accepted by a later release that the caller names", async () => {
    const text = "type Auction @entity { id: BigInt! }";
    const snapshot = snapshotOf("multichain", "type Auction @entity { id: ID! }", { release: "3.0" });
    const refused = await planOf(text, { multichain: { snapshot } });
    expect(refused.report.findings).toMatchObject([
      {
        message:
          "envio-3.0 refuses the entity schema: Auction.id: has to be ID! or String! or Int!, but is BigInt!",
        fix: "correct it; envio-3.5 accepts it: name the release that runs with --release.",
      },
    ]);
    const run = await planOf(text, { multichain: { snapshot, release: { name: "3.5", from: "caller" } } });
    expect(summarize(run)).toEqual([
      "breaking field-type-changed Auction.id: String! → numeric!; multichain",
    ]);
    expect(run.apis).toMatchObject([{ release: "envio-3.5", releaseFrom: "caller" }]);
  });
});

describe("the release of a plan", () => {
  it.each<[release: SurfacePlan["release"], want: object]>([
    [null, { release: "envio-2.29", releaseFrom: "snapshot" }],
    [
      { name: "2.31", from: "definition" },
      { release: "envio-2.31", releaseFrom: "definition" },
    ],
  ])(
    "is the oldest that matches the snapshot, unless the definition names one: %j",
    async (release, want) => {
      const text = "type A @entity { id: ID! sums: [BigInt!]! }";
      const snapshot = snapshotOf("multichain", text, { release: "2.31" });
      const { apis } = await planOf(`${text} type B @entity { id: ID! }`, {
        multichain: { snapshot, release },
      });
      expect(apis).toMatchObject([want]);
    },
  );

  it.each<[name: string, options: DeriveOptions, release: string, want: string[]]>([
    [
      "has findings of the platform if the caller names another than the snapshot's",
      {},
      "0.44",
      ["_logs", "current"],
    ],
    ["keeps the settings of the operator", { boolFilters: false, childSorting: false }, "0.42", ["current"]],
  ])("%s", async (_, options, name, want) => {
    const snapshot = snapshotOf("subgraph", AUCTIONS, options);
    const { report } = await planOf(AUCTIONS, { subgraph: { snapshot, release: { name, from: "caller" } } });
    expect(report.findings.map(({ coordinate, layer }) => `${layer} ${coordinate}`)).toEqual(
      want.map((coordinate) => `platform ${coordinate}`),
    );
  });

  it("is the default without a snapshot", async () => {
    const run = await planOf(AUCTIONS, { subgraph: {}, multichain: both().multichain });
    expect(summarize(run)).toEqual([
      "additive plan/new-api There is no snapshot of auctions/subgraph, so the whole API is new.; subgraph",
    ]);
    expect(run.apis).toMatchObject([
      { style: "subgraph", release: "graph-node-0.40.2", releaseFrom: "default", status: "new" },
      { style: "multichain", status: "compared" },
    ]);
  });
});

describe("a plan against an earlier entity schema", () => {
  const earlier = (text: string | null) => ({ name: `main:${FILE}`, text });
  const changed = edit(AUCTIONS, [["  note: String\n", ""]]);

  it("compares with that schema, not with the deployed one", async () => {
    const { multichain, subgraph } = both({ release: "3.8" });
    const run = await planOf(changed, {
      multichain: { ...multichain, earlier: earlier(AUCTIONS) },
      subgraph: { ...subgraph, earlier: earlier(changed) },
    });
    expect(summarize(run)).toEqual(["breaking field-removed Auction.note: String → null; multichain"]);
    expect(run.apis).toMatchObject([
      { release: "envio-3.8", before: `main:${FILE}` },
      { before: `main:${FILE}` },
    ]);
  });

  const open = AUCTIONS.replace("type Account", "type open").replace("seller: Account!", "seller: open!");
  it.each<[name: string, text: string, earlier: [string | null, string | null], ...want: string[]]>([
    [
      "without a snapshot",
      changed,
      [AUCTIONS, AUCTIONS],
      "breaking field-removed Auction.note: String → null; multichain,subgraph",
    ],
    [
      "that did not exist, once",
      AUCTIONS,
      [null, null],
      `risky plan/not-compared There is no main:${FILE} to compare with.; multichain,subgraph`,
    ],
    [
      "that the platforms would have rejected",
      AUCTIONS,
      [open, "type {"],
      `risky plan/not-compared envio-3.0 refuses main:${FILE}, so nothing is compared with it.; multichain`,
      `risky plan/not-compared graph-node-0.40.2 refuses main:${FILE}, so nothing is compared with it.; subgraph`,
    ],
  ])("reports one %s", async (_, text, [multichain, subgraph], ...want) => {
    const surfaces = {
      multichain: { earlier: earlier(multichain) },
      subgraph: { earlier: earlier(subgraph) },
    };
    expect(summarize(await planOf(text, surfaces))).toEqual(want);
  });
});
