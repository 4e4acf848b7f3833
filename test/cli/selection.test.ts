import { describe, expect, it } from "vitest";
import { CHAIN_COUNTS, PROTOCOL_DEPLOYMENTS } from "../support/chain-counts.ts";
import { generatedProject } from "../support/generated-project.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { liveFleet, shareEmulator } from "../support/live-fleet.ts";
import { run } from "../support/run.ts";

shareEmulator();

const NARROW = ["--style", "subgraph", "--chain", "base", "--chain", "42161"];

describe("a run for a part of the project", () => {
  it("requests that part, reports what is excluded, and keeps the snapshots and votes of the others", async () => {
    const project = await liveFleet(
      [],
      (urls) => {
        // An excluded deployment gets no request and needs no key.
        urls["protocol-lockup-xdc"] = "http://127.0.0.1:1/protocol-lockup-xdc";
      },
      { protocols: ["lockup", "flow"] },
    );
    const before = project.files("generated/schemas");
    const { code, out } = await run(project.root, ["introspect", "--protocol", "lockup", ...NARROW]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining("Introspected 2 of 2 deployments."),
    });
    expect(out).toContain(`${2 * PROTOCOL_DEPLOYMENTS - 2} deployments are not selected: `);
    expect(project.files("generated/schemas")).toEqual(before);
  });

  it.each([
    ["is retired", { chains: { base: { status: "retired" } } }],
    [
      "has no URL",
      { subgraph: { production: { url: "https://g.example/{id}", ids: { lockup: { bsc: "A" } } } } },
    ],
  ])("error: sends no request if every deployment of the selection %s", async (_, config) => {
    const project = generatedProject({});
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], ...config }));
    const { code, out } = await run(project.root, ["introspect", "--chain", "base", "--style", "subgraph"]);
    expect(code).toBe(2);
    expect(out).toContain("Introspected nothing: no selected deployment is in use and has a URL.");
  });

  it.runIf(IS_THOROUGH)("has findings for its part only, and keeps all other snapshots", async () => {
    const project = await liveFleet([
      { kind: "drop-field", field: "Stream.alias", deployment: "base" },
      { kind: "drop-field", field: "Stream.alias", deployment: "linea" },
    ]);
    const { code, out } = await run(project.root, ["drift", "--report", "json", ...NARROW]);
    const { endpoints, findings, operations } = JSON.parse(out);
    const statuses = endpoints.map(({ status }: { status: string }) => status);
    expect(code).toBe(1);
    expect(statuses.filter((status: string) => status === "skipped")).toHaveLength(PROTOCOL_DEPLOYMENTS - 2);
    expect(statuses.filter((status: string) => status !== "skipped")).toEqual(["same", "drifted"]);
    expect(findings[0]).toMatchObject({ where: { deployments: ["protocol-lockup-base"] } });
    const shown = await run(project.root, ["drift", "--report", "text,markdown=drift.md", ...NARROW]);
    expect(shown.out).toMatch(
      /lockup\/multichain +1 left out\n +lockup\/subgraph +1 same; 1 drifted: base; 24 left out\n/,
    );
    expect(project.read("drift.md")).toContain("| lockup/multichain | 1 left out |");
    expect(new Set(operations.map(({ style }: { style: string }) => style))).toEqual(new Set(["subgraph"]));
  });

  it("generates its part, even if other parts have errors", async () => {
    const project = generatedProject({
      "subgraph/a.graphql": "query Ids { streams { id } }",
      "multichain/a.graphql": "query Ids { Stream { nope } }",
    });
    const result = await run(project.root, ["generate", "--style", "subgraph"]);
    expect(result).toMatchObject({ code: 0, err: expect.stringContaining("manifest.ts is unchanged") });
    expect(result.out).toContain("wrote generated/lockup/subgraph.ts");
    expect(Object.keys(project.files("generated")).filter((path) => path.endsWith(".ts"))).toEqual(
      ["documents.ts", "strings.ts", "ts"].map((end) => `generated/lockup/subgraph.${end}`),
    );
    project.write("operations/lockup/multichain/a.graphql", "query Ids { Stream { id } }");
    project.write("lockflow.config.json", '{ "protocols": ["lockup"], "documents": ["src/*.ts"] }');
    const code = (field: string) => project.write("src/a.ts", `gql\`query More { Stream { ${field} } }\``);
    code("id");
    expect((await run(project.root, ["generate"])).code).toBe(0);
    const all = project.files("generated");
    // Operations in code belong to their surfaces, too.
    expect(await run(project.root, ["generate", "--style", "subgraph"])).toMatchObject({ code: 0, err: "" });
    expect(project.files("generated")).toEqual(all);
    code("nope");
    expect(await run(project.root, ["generate", "--style", "subgraph"])).toMatchObject({
      code: 0,
      err: expect.stringContaining("manifest.ts"),
    });
    expect((await run(project.root, ["generate", "--style", "multichain"])).code).toBe(1);
    code("id");
    project.write("operations/lockup/subgraph/a.graphql", "query Others { streams { id } }");
    expect((await run(project.root, ["generate", "--style", "multichain"])).code).toBe(0);
    expect(project.read("generated/lockup/subgraph.ts")).toBe(all["generated/lockup/subgraph.ts"]);
    expect(project.read("generated/manifest.ts")).toContain("Others");
  });

  it("compares the snapshots of its part, and reports no other entry as stale", async () => {
    const project = generatedProject({ "subgraph/a.graphql": "query Ids { streams { id } }" });
    const entry = {
      fingerprint: "000000000000",
      code: "parity/only-multichain",
      coordinate: "User",
      before: null,
      after: null,
      scope: [],
      reason: "one style only",
    };
    project.write("drift-accepted.json", JSON.stringify({ version: 1, accepted: [entry] }));
    expect((await run(project.root, ["diff"])).out).toContain("baseline/stale");
    const { code, out } = await run(project.root, ["diff", "--style", "subgraph"]);
    expect(code).toBe(0);
    expect(out).not.toContain("baseline/stale");
    expect(out).toContain(`lockup: ${CHAIN_COUNTS.subgraph} subgraph deployments serve one schema`);
    expect(out).toContain("One deployment is not selected: protocol-lockup-multichain");
  });

  it.each([
    [["drift", "--protocol", "lokup"], /"lokup" is not a protocol of this project/],
    [["drift", "--style", "subgrph"], /--style must be multichain or subgraph; got "subgrph"/],
    [
      ["generate", "--watch", "--chain", "base"],
      /--watch cannot be combined with --protocol, --style or --chain/,
    ],
    [["diff", "--chain", "base", "a.graphql", "b.graphql"], /cannot be combined with two schemas/],
  ])("error: %j", async (args, words) => {
    const { code, err } = await run(generatedProject({}).root, args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(words) });
  });
});
