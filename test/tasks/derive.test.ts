import { expect, it } from "vitest";
import type { StyleName } from "../../src/dialects/surface.ts";
import { type DeriveOptions, derive as deriveSchema } from "../../src/tasks/derive.ts";

const ENTITIES = `
  "What is streamed."
  type Asset @entity { id: String! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity(immutable: true) { id: String! asset: Asset! amount: BigInt! }
`;

const derive = async (style: StyleName, options: Partial<DeriveOptions> = {}) =>
  (await deriveSchema({ entities: ENTITIES, path: "entities.graphql", style, ...options })).sdl;

it.each<[style: StyleName, name: string, plain: string]>([
  ["subgraph", "graph-node-0.40.1", "0.40"],
  ["multichain", "envio-2.32.12", "2.31"],
])("derive treats %s release %s like %s", async (style, name, plain) => {
  expect(await derive(style, { release: name })).toBe(await derive(style, { release: plain }));
});

it("derive includes descriptions since 3.1", async () => {
  const text = "What is streamed.";
  expect(await derive("multichain", { release: "envio-3.0" })).not.toContain(text);
  expect(await derive("multichain", { release: "envio-3.1" })).toContain(text);
});

it("derive uses the default release, and omits features that an operator disabled", async () => {
  const plain = await derive("subgraph");
  expect(plain).toContain("  and: [Stream_filter]");
  expect(plain).toContain("  asset__symbol");
  expect(plain).not.toContain("_logs");
  const bare = await derive("subgraph", { boolFilters: false, childSorting: false, release: "0.44" });
  expect(bare).toContain("  _logs(");
  expect(bare).not.toMatch(/ {2}(and: \[Stream_filter\]|asset__symbol)/);
});

it("derive scopes entities to chains unless they are marked", async () => {
  const entities = "type A { id: ID! }  type B @crossChain { id: ID! }";
  const sdl = await derive("multichain", { entities, release: "envio-3.6", perChainEntities: true });
  expect(sdl).toContain("A_by_pk(chainId: Int!, id: String!): A");
  expect(sdl).toContain("B_by_pk(id: String!): B");
});

it("derive hides internal entities since 3.8", async () => {
  const entities =
    'type A { id: ID!  b: B! }  type B @internal { id: ID! as: [A!]! @derivedFrom(field: "b") }';
  expect(await derive("multichain", { entities, release: "3.6" })).toMatch(/^type B /m);
  const newest = await derive("multichain", { entities, release: "3.8" });
  expect(newest).toContain("  b_id: String!");
  expect(newest).not.toMatch(/^type B |: B$/m);
});

it.each<[style: StyleName, options: Partial<DeriveOptions>, want: RegExp]>([
  ["multichain", { aggregates: ["Aset"] }, /Aset[\s\S]*Asset/],
  ["multichain", { perChainEntities: true, release: "3.5" }, /came with 3.6/],
  ["subgraph", { entities: "type Asset {\n  id String\n}" }, /entities.graphql:2:6 is not valid GraphQL/],
  [
    "subgraph",
    { entities: "type A @entity { id: ID! }\n  type A @entity { id: ID! }" },
    /type A_orderBy already exists in the input schema; it can be deployed, but every query fails .* \(line 2\)/,
  ],
  [
    "subgraph",
    { entities: "type Asset { id: String! }" },
    /Validation errors in subgraph `entities.graphql`:\n {2}\(1\) - @entity directive missing on the following types: `Asset` \(line 1\)/,
  ],
  [
    "multichain",
    { entities: "type Asset {\n  id: String!\n  at: Time\n}" },
    /The multichain platform does not accept entities.graphql, for[\s\S]*Asset.at: unknown type "Time"[^\n]*\(line 3\)/,
  ],
  [
    "subgraph",
    { entities: "type __proto__ @entity { id: String! }" },
    /defines "__proto__", a name that GraphQL reserves/,
  ],
])("error: derive: %s with %j", async (style, options, want) => {
  await expect(derive(style, options)).rejects.toThrow(want);
});
