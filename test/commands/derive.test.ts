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

  const refused: [name: string, args: string[], entities: string, want: RegExp][] = [
    ["no style", [], ENTITIES, /needs --style subgraph or --style multichain/],
    [
      "aggregates of a style without",
      ["--style", "subgraph", "--aggregates", "Asset"],
      ENTITIES,
      /does not go with --style subgraph/,
    ],
    ["an unknown aggregate", ["--style", "multichain", "--aggregates", "Aset"], ENTITIES, /Aset[\s\S]*Asset/],
    ["an unknown release", ["--style", "subgraph", "--release", "1.0"], ENTITIES, /--release takes/],
    [
      "a syntax error",
      ["--style", "subgraph"],
      "type Asset {\n  id String\n}",
      /entities.graphql:2:6 is not valid GraphQL/,
    ],
    [
      "an entity the platform refuses",
      ["--style", "subgraph"],
      "type Asset { id: String! }",
      /is not an entity schema that graph-node accepts[\s\S]*@entity directive missing on the following types: `Asset`/,
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
