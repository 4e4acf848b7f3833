import { buildClientSchema, buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const ENTITIES = `
  "What is streamed."
  type Asset @entity { id: String! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity(immutable: true) { id: String! asset: Asset! amount: BigInt! }
`;

const derive = (args: string[], entities = ENTITIES) =>
  run(tempProject({ "entities.graphql": entities }).root, ["derive", "entities.graphql", ...args]);

describe("derive", () => {
  it.each(["subgraph", "multichain"])("prints SDL of the %s style", async (style) => {
    const { code, out, err } = await derive(["--style", style]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const root = buildSchema(out).getQueryType();
    expect(Object.keys(root?.getFields() ?? {})).toContain(style === "subgraph" ? "streams" : "Stream_by_pk");
  });

  it.each(["subgraph", "multichain"])("prints the introspection result of the %s style", async (style) => {
    const { out } = await derive(["--style", style, "--json"]);
    const result = JSON.parse(out);
    expect(Object.keys(result)).toEqual(["__schema"]);
    expect(() => buildClientSchema(result)).not.toThrow();
  });

  it("makes the named aggregates public", async () => {
    const { out } = await derive(["--style", "multichain", "--aggregates", "Asset, Stream"]);
    expect(out).toContain("  Asset_aggregate(");
    expect(out).toContain("  Stream_aggregate(");
  });

  it("derives for another release", async () => {
    const { out } = await derive(["--style", "subgraph", "--release", "0.44"]);
    expect(out).toContain("  _logs(");
    expect((await derive(["--style", "subgraph"])).out).not.toContain("_logs");
  });

  const releases: [style: string, name: string, plain: string][] = [
    ["subgraph", "graph-node-0.34", "0.34"],
    ["subgraph", "graph-node-0.40", "0.40"],
    ["subgraph", "graph-node-0.40.1", "0.40"],
    ["subgraph", "graph-node-0.40.2", "0.40.2"],
    ["subgraph", "0.41.2", "graph-node-0.41"],
    ["subgraph", "graph-node-0.44.0", "0.44"],
    ["subgraph", "graph-node-0.45.0", "0.44"],
    ["multichain", "envio-2.27", "2.27"],
    ["multichain", "envio-2.32.12", "2.31"],
    ["multichain", "envio-3.3", "3.1"],
    ["multichain", "envio-3.8.1", "3.8"],
  ];
  it.each(releases)("D.1, G: %s release %s is %s", async (style, name, plain) => {
    const one = await derive(["--style", style, "--release", name, "--json"]);
    expect(one).toMatchObject({ code: 0, err: "" });
    expect(one.out).toBe((await derive(["--style", style, "--release", plain, "--json"])).out);
  });

  it("B.10: shows descriptions since 3.1 only", async () => {
    const text = "What is streamed.";
    expect((await derive(["--style", "multichain", "--release", "envio-3.0"])).out).not.toContain(text);
    expect((await derive(["--style", "multichain", "--release", "envio-3.1"])).out).toContain(text);
  });

  const settings: [name: string, args: string[], gone: string][] = [
    ["boolean filters", ["--disable-bool-filters"], "  and: [Stream_filter]"],
    ["child sorting", ["--disable-child-sorting"], "  asset__symbol"],
  ];
  it.each(settings)("D.3: leaves out what an operator switched off: %s", async (_, args, gone) => {
    expect((await derive(["--style", "subgraph"])).out).toContain(gone);
    expect((await derive(["--style", "subgraph", ...args])).out).not.toContain(gone);
  });

  it("A.7: keeps entities per chain unless they are marked", async () => {
    const args = ["--style", "multichain", "--release", "envio-3.6", "--per-chain-entities"];
    const { out } = await derive(args, "type A { id: ID! }  type B @crossChain { id: ID! }");
    expect(out).toContain("A_by_pk(chainId: Int!, id: String!): A");
    expect(out).toContain("B_by_pk(id: String!): B");
  });

  it("A.7: keeps internal entities from clients since 3.8", async () => {
    const entities =
      'type A { id: ID!  b: B! }  type B @internal { id: ID! as: [A!]! @derivedFrom(field: "b") }';
    const of = async (release: string) =>
      (await derive(["--style", "multichain", "--release", release], entities)).out;
    expect(await of("3.6")).toMatch(/^type B /m);
    const newest = await of("3.8");
    expect(newest).toContain("  b_id: String!");
    expect(newest).not.toMatch(/^type B |: B$/m);
  });

  const refused: [name: string, args: string[], entities: string, want: RegExp][] = [
    ["no style", [], ENTITIES, /needs --style subgraph or --style multichain/],
    [
      "aggregates of a style without",
      ["--style", "subgraph", "--aggregates", "Asset"],
      ENTITIES,
      /does not go with --style subgraph/,
    ],
    ["an unknown aggregate", ["--style", "multichain", "--aggregates", "Aset"], ENTITIES, /Aset[\s\S]*Asset/],
    [
      "an unknown release",
      ["--style", "subgraph", "--release", "1.0"],
      ENTITIES,
      /--release takes a release of graph-node, not "1.0"[\s\S]*graph-node-0.34, 0.35/,
    ],
    [
      "a release that is too old",
      ["--style", "multichain", "--release", "envio-2.26"],
      ENTITIES,
      /--release takes a release of envio/,
    ],
    [
      "a release of the other platform",
      ["--style", "subgraph", "--release", "envio-2.27"],
      ENTITIES,
      /"envio-2.27" is a release of envio, which serves the multichain style/,
    ],
    [
      "a setting of the other style",
      ["--style", "multichain", "--disable-bool-filters"],
      ENTITIES,
      /--disable-bool-filters does not go with --style multichain/,
    ],
    [
      "entities per chain before there were any",
      ["--style", "multichain", "--per-chain-entities", "--release", "3.5"],
      ENTITIES,
      /came with 3.6/,
    ],
    [
      "a syntax error",
      ["--style", "subgraph"],
      "type Asset {\n  id String\n}",
      /entities.graphql:2:6 is not valid GraphQL/,
    ],
    [
      "two entities of one name, which deploy and answer nothing",
      ["--style", "subgraph"],
      "type A @entity { id: ID! }\n  type A @entity { id: ID! }",
      /entities.graphql:2 has no API: type A_orderBy already exists in the input schema; it is deployed/,
    ],
    [
      "an entity the platform refuses",
      ["--style", "subgraph"],
      "type Asset { id: String! }",
      /Validation errors in subgraph `entities.graphql`:\n {2}\(1\) - @entity directive missing on the following types: `Asset` \(line 1\)/,
    ],
    [
      "an entity the other platform refuses",
      ["--style", "multichain"],
      "type Asset {\n  id: String!\n  at: Time\n}",
      /entities.graphql is not an entity schema that the multichain platform accepts[\s\S]*Asset.at: unknown type "Time"[^\n]*\(line 3\)/,
    ],
    [
      "a reserved name",
      ["--style", "subgraph"],
      "type __proto__ @entity { id: String! }",
      /defines "__proto__", a name that GraphQL reserves/,
    ],
  ];
  it.each(refused)("error: %s", async (_, args, entities, want) => {
    const { code, out, err } = await derive(args, entities);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
  });

  it("error: a file that is not there", async () => {
    const { code, err } = await run(tempProject().root, ["derive", "none.graphql", "--style", "subgraph"]);
    expect(code).toBe(2);
    expect(err).toContain('There is no file "none.graphql"');
  });
});
