import { buildClientSchema, buildSchema } from "graphql";
import { expect, it } from "vitest";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const ENTITIES = `
  type Asset @entity { id: String! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Stream @entity(immutable: true) { id: String! asset: Asset! amount: BigInt! key: Bytes }
`;

const derive = (args: readonly string[], entities = ENTITIES) =>
  run(tempProject({ "entities.graphql": entities }).root, ["derive", "entities.graphql", ...args]);

it.each(["subgraph", "multichain"])(
  "prints SDL of the %s style, or the introspection result",
  async (style) => {
    const { code, out, err } = await derive(["--style", style]);
    const release = style === "subgraph" ? "graph-node-0.40.2" : "envio-3.0";
    expect({ code, err }).toEqual({
      code: 0,
      err: `As ${release} (the default). Name another release with --release.\n`,
    });
    const root = buildSchema(out).getQueryType();
    expect(Object.keys(root?.getFields() ?? {})).toContain(style === "subgraph" ? "streams" : "Stream_by_pk");
    const result = JSON.parse((await derive(["--style", style, "--json"])).out);
    expect(Object.keys(result)).toEqual(["__schema"]);
    expect(() => buildClientSchema(result)).not.toThrow();
  },
);

it.each<[args: string[], has: string[], lacks: string[]]>([
  [["multichain", "--aggregates", "Asset, Stream"], ["  Asset_aggregate(", "  Stream_aggregate("], []],
  [["subgraph", "--release", "0.44"], ["  _logs("], []],
  [["subgraph"], ["  and: [Stream_filter]", "  asset__symbol"], ["  _logs("]],
  [["subgraph", "--disable-bool-filters"], ["  asset__symbol"], ["  and: [Stream_filter]"]],
  [["subgraph", "--disable-child-sorting"], ["  and: [Stream_filter]"], ["  asset__symbol"]],
  [
    ["multichain", "--release", "envio-3.6", "--per-chain-entities"],
    ["Asset_by_pk(chainId: Int!, id: String!): Asset"],
    [],
  ],
  [
    ["multichain", "--release", "envio-3.10", "--bytes-type", "uint8array"],
    ["  key: bytea\n", "input bytea_comparison_exp {\n  _eq: bytea\n"],
    [],
  ],
  [["multichain", "--release", "3.10.2", "--bytes-type", "string"], ["  key: String\n"], ["bytea"]],
  [["multichain", "--release", "envio-3.10"], ["  key: String\n"], ["bytea"]],
])("passes the settings of %j", async (args, has, lacks) => {
  const { code, out, err } = await derive(["--style", ...args]);
  expect({ code, err }).toEqual({ code: 0, err: args.includes("--release") ? "" : expect.any(String) });
  for (const text of has) expect(out).toContain(text);
  for (const text of lacks) expect(out).not.toContain(text);
});

it.each<[args: string[], want: RegExp]>([
  [[], /needs --style subgraph or --style multichain/],
  [["--style", "subgraph", "--aggregates", "Asset"], /--aggregates is not a setting of the subgraph style/],
  [
    ["--style", "subgraph", "--release", "1.0"],
    /--release must be a release of graph-node; got "1.0"[\s\S]*graph-node-0.34, 0.35/,
  ],
  [["--style", "multichain", "--release", "envio-2.26"], /--release must be a release of envio/],
  [
    ["--style", "subgraph", "--release", "envio-2.27"],
    /"envio-2.27" is a release of envio, the platform of the multichain style/,
  ],
  [
    ["--style", "multichain", "--disable-bool-filters"],
    /--disable-bool-filters is not a setting of the multichain style/,
  ],
  [
    ["--style", "subgraph", "--bytes-type", "uint8array"],
    /--bytes-type is not a setting of the subgraph style/,
  ],
  [["--style", "multichain", "--bytes-type", "hex"], /--bytes-type[\s\S]*string[\s\S]*uint8array/],
  [
    ["--style", "multichain", "--release", "envio-3.8", "--bytes-type", "uint8array"],
    /3\.8: has no bytes_type, which came with 3\.10[\s\S]*envio-3\.10 accepts it/,
  ],
  [["--style", "multichain", "--aggregates", "Aset"], /Aset[\s\S]*Asset/],
])("error: %j", async (args, want) => {
  const { code, out, err } = await derive(args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(want);
});

it("error: entities that the platform rejects, with the name of their file", async () => {
  const { code, err } = await derive(["--style", "subgraph"], "type Asset {\n  id String\n}");
  expect(code).toBe(2);
  expect(err).toMatch(/entities.graphql:2:6 is not valid GraphQL/);
});

it("error: a file that does not exist", async () => {
  const { code, err } = await run(tempProject().root, ["derive", "none.graphql", "--style", "subgraph"]);
  expect(code).toBe(2);
  expect(err).toContain('The file "none.graphql" does not exist');
});
