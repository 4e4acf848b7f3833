import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Types } from "@graphql-codegen/plugin-helpers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type CodegenTargetOptions, codegenOptions, codegenTargets } from "../src/codegen.ts";
import type { Format } from "../src/dialects/surface.ts";
import { formatPaths } from "../src/generate/format-files.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { REPOSITORY, readGenerated } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { tempProject } from "./support/temp-project.ts";

it.runIf(IS_THOROUGH)("codegenTargets() generates the committed files", async () => {
  const made = await requireSame(REPOSITORY);
  expect(made).toEqual([
    ...["lockup/multichain", "lockup/subgraph", "flow/multichain", "flow/subgraph"],
    ...["lockup/portable", "lockup/proxied", "lockup/testing"],
    ...["flow/portable", "flow/proxied", "flow/testing"],
    ...["client", "proxied", "proxy", "lockup/ids", "flow/ids"],
  ]);
  // All generated files except the manifest and the routes, which do not depend on operations.
  const generated = Object.keys(readGenerated()).filter((path) =>
    /(?<!\.documents|\.strings)\.ts$/.test(path),
  );
  expect([...made, "manifest", "routes"].map((path) => `${path}.ts`).sort()).toEqual(generated);
});

const FORMATS = [
  ["JavaScript", "js"],
  ["TypeScript", "ts"],
] as const;

it.each(IS_THOROUGH ? FORMATS : FORMATS.slice(0, 1))(
  "codegenTargets() generates the files of a custom protocol, in %s",
  async (_, format) => {
    const { root } = tempProject({
      "package.json": "{}",
      "lockflow.config.json": JSON.stringify({
        output: "made",
        format,
        protocols: {
          "my-class": { entities: "lots.graphql", chains: ["base"], ids: { Lot: "{chainId}-{serial}" } },
        },
      }),
      "lots.graphql": "type Lot @entity { id: ID! chainId: BigInt! serial: BigInt! open: Boolean! }",
    });
    expect(await run(root, ["init", "--yes"])).toMatchObject({ code: 0, err: "" });
    mkdirSync(join(root, "operations/my-class/subgraph"));
    writeFileSync(
      join(root, "operations/my-class/subgraph/some.graphql"),
      "query Some($all: Boolean!) { lots(first: 1) { id ...Rest @include(if: $all) } } fragment Rest on Lot { open }",
    );
    expect(await run(root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const own = ["multichain", "subgraph", "portable", "proxied", "testing"].map(
      (name) => `my-class/${name}`,
    );
    const made = await requireSame(root, "made", format);
    expect(made).toEqual([...own, "client", "proxied", "proxy", "my-class/ids"]);
    const strings = formatPaths(format, "my-class/subgraph.strings.ts")[0] ?? "";
    expect(readFileSync(join(root, "made", strings), "utf8")).toContain("... on Lot @include(if: $all) {");
  },
);

/** Requires that the files of every target equal those in a folder, and returns their paths without extensions. */
async function requireSame(root: string, output = "generated", format: Format = "ts"): Promise<string[]> {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(root);
  onTestFinished(() => cwd.mockRestore());
  const made: string[] = [];
  for (const [target, options] of Object.entries(codegenTargets())) {
    type Options = { preset: Types.OutputPreset; schema: string; documents: string };
    const { preset, schema, documents } = options as Options;
    const path = target.slice(output.length + 1, -".ts".length);
    made.push(path);
    const [, protocol, style] = /^(.*)\/(multichain|subgraph)$/.exec(path) ?? [];
    const ofStyle = path.endsWith("/ids") ? "{portable,multichain,subgraph}" : `{portable,${style}}`;
    const folder = style === undefined && !path.endsWith("/ids") ? "portable" : ofStyle;
    expect({ target, schema, documents }).toEqual({
      target: `${output}/${path}.${format}`,
      schema:
        style === undefined
          ? expect.stringMatching(/\/(subgraph|multichain)\.graphql$/)
          : `${output}/schemas/${path}.graphql`,
      documents: expect.stringMatching(
        new RegExp(`^operations/${protocol ?? "[^/]+"}/${folder}/\\*\\*/`.replaceAll("{", "\\{")),
      ),
    });
    const sections = await preset.buildGeneratesSection({} as Types.PresetFnArgs<object>);
    expect(sections.map(({ filename }) => filename)).toEqual([
      ...formatPaths(format, `${output}/${path}.ts`),
      ...(style === undefined ? [] : ["documents", "strings"]).flatMap((name) =>
        formatPaths(format, `${output}/${path}.${name}.ts`),
      ),
    ]);
    for (const { filename, plugins, pluginMap, schema, documents, config } of sections) {
      const made = await Promise.all(
        plugins.flatMap((plugin) =>
          Object.entries(plugin).map(([name, options]) =>
            pluginMap[name]?.plugin(schema as never, documents, { ...config, ...options }),
          ),
        ),
      );
      const text = made.join("\n");
      expect(text === readFileSync(join(root, filename), "utf8"), `${filename} is as generated`).toBe(true);
    }
  }
  return made;
}

describe("codegenTargets() in other projects", () => {
  const OWN = { protocols: { lockup: true, "my-auctions": { styles: ["subgraph"] }, other: {} } };
  const QUERY = "query Bids { bids { id } }";

  function targetsIn(files: Readonly<Record<string, string>>, options?: CodegenTargetOptions, below = "") {
    const project = tempProject(files);
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(join(project.root, below));
    try {
      return codegenTargets(options);
    } finally {
      cwd.mockRestore();
    }
  }

  it.each<[format: string, name: string, text: string]>([
    ["JSON", "lockflow.config.json", JSON.stringify(OWN)],
    [
      "TypeScript",
      "lockflow.config.ts",
      `import { defineConfig, defineProtocol } from "lockflow";\nconst own: object = defineProtocol(${JSON.stringify(OWN.protocols["my-auctions"])});\nexport default defineConfig({ protocols: { lockup: true, "my-auctions": own, other: {} } });`,
    ],
    ["an ES module", "lockflow.config.mjs", `export default ${JSON.stringify(OWN)};`],
  ])("returns targets for protocols and styles with operations, configured in %s", (_, name, text) => {
    const targets = targetsIn({
      [name]: text,
      "operations/my-auctions/subgraph/deep/bids.gql": QUERY,
      "operations/my-auctions/multichain/bids.graphql": QUERY,
      "operations/lockup/multichain/README.md": "",
      "operations/flow/subgraph/bids.graphql": QUERY,
    });
    expect(targets).toMatchObject({
      "generated/my-auctions/subgraph.ts": {
        schema: "generated/schemas/my-auctions/subgraph.graphql",
        documents: "operations/my-auctions/{portable,subgraph}/**/*.{graphql,gql}",
      },
    });
    expect(Object.keys(targets)).toHaveLength(1);
  });

  it.each<[options: CodegenTargetOptions, want: string[]]>([
    [{ protocols: ["my-auctions"] }, ["../made/my-auctions/subgraph.ts"]],
    [{ protocols: ["other"], styles: ["subgraph"] }, ["generated/other/subgraph.ts"]],
    [{ protocols: ["lockup"], output: "out" }, ["out/lockup/multichain.ts", "out/lockup/subgraph.ts"]],
    [{ styles: ["multichain"] }, ["../made/other/multichain.ts"]],
  ])("accepts %j, with a configuration in a parent folder", (options, want) => {
    const files = {
      "lockflow.config.json": JSON.stringify({ ...OWN, output: "made", operations: "asked" }),
      "asked/other/multichain/a.graphql": QUERY,
      "asked/my-auctions/subgraph/a.graphql": QUERY,
      "below/codegen.ts": "",
    };
    expect(Object.keys(targetsIn(files, options, "below"))).toEqual(want);
  });

  it("returns all targets without operations, so that the stock command fails", () => {
    const targets = targetsIn({ "lockflow.config.json": '{ "protocols": ["flow"] }' });
    expect(Object.keys(targets)).toEqual(["generated/flow/multichain.ts", "generated/flow/subgraph.ts"]);
  });

  it("error: an unknown protocol, and a configuration that uses await", () => {
    const files = { "lockflow.config.json": JSON.stringify(OWN) };
    expect(() => targetsIn(files, { protocols: ["my-auction"] })).toThrow(
      expect.objectContaining({ name: "UsageError", hint: 'did you mean "my-auctions"?' }),
    );
    expect(() => targetsIn({ "lockflow.config.mjs": "export default await {};" })).toThrow(
      expect.objectContaining({
        code: "CONFIG_UNREADABLE",
        hint: expect.stringContaining("must not `await`"),
      }),
    );
  });
});

it("codegenOptions() has the types of scalars that generated code has, in variables and results", () => {
  const scalars = {
    Bytes: { input: "string", output: "`0x${string}`" },
    BigInt: { input: "string", output: "string" },
  };
  expect(codegenOptions("subgraph")).toMatchObject({ scalars });
});
