import { describe, expect, it } from "vitest";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";
import { commitAll } from "../support/commit-all.ts";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { runCli } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

describe("diff", () => {
  it("prints what agrees, and nothing else without differences", async () => {
    const { code, out, err } = await run(generatedProject({}).root, ["diff"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.split("\n")).toEqual([
      "lockup: both styles have 2 entities; their 8 fields: 3 equal, 5 mapped (a different scalar for the same value)",
      `lockup: ${CHAIN_COUNTS.subgraph} subgraph deployments serve one schema`,
      "",
      "Clean: no findings.",
      "",
      "exit 0: nothing to act on",
      "",
    ]);
  });

  it("prints only JSON on request", async () => {
    const { code, out } = await run(generatedProject({}).root, ["diff", "--report", "json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ version: 1, protocols: [{ protocol: "lockup" }] });
  });

  it("writes JSON to a file beside the text, and changes no other file", async () => {
    const project = generatedProject({});
    const before = project.files();
    const { code, out } = await run(project.root, ["diff", "--report", "json=reports/parity.json"]);
    expect(code).toBe(0);
    expect(out).toContain("both styles have 2 entities");
    const { "reports/parity.json": report, ...others } = project.files();
    expect(JSON.parse(report ?? "").protocols).toHaveLength(1);
    expect(others).toEqual(before);
  });

  it("error: a missing snapshot", async () => {
    const project = generatedProject({}, SMALL_ENTITIES, ["subgraph"]);
    const { code, err } = await run(project.root, ["diff"]);
    expect(code).toBe(2);
    expect(err).toMatch(/no snapshot of lockup in multichain style[\s\S]*lockflow introspect/);
  });

  it("starts with the verdict if there is only one deployment", async () => {
    const project = generatedProject({});
    const only = { chains: ["base"], styles: ["subgraph"] };
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], only }));
    expect((await run(project.root, ["diff"])).out).toMatch(/^Clean: no findings/);
  });

  it("error: suggests a snapshot of the project", async () => {
    const project = tempProject({ "lockflow.config.json": '{ "protocols": { "auctions": {} } }' });
    const { code, err } = await run(project.root, ["diff", "auction/subgraph", "b.graphql"]);
    expect(code).toBe(2);
    expect(err).toContain(
      "a snapshot (auctions/multichain) or either at a git ref (main:auctions/multichain)",
    );
  });

  it("error: no snapshots at all", async () => {
    expect((await run(tempProject().root, ["diff"])).code).toBe(2);
  });

  it("prints one screen, and everything with --verbose", async () => {
    const project = generatedProject({});
    const fields = Array.from({ length: 60 }, (_, index) => `f${index}: Int`);
    project.write("a.graphql", "type Query { a: Int }");
    project.write("b.graphql", `type Query { a: Int ${fields.join(" ")} }`);
    const args = ["diff", "a.graphql", "b.graphql"];
    expect((await run(project.root, args)).out).toMatch(
      /and \d+ more: use --verbose or --report json=<file>/,
    );
    const { out } = await run(project.root, [...args, "--verbose"]);
    expect(out.match(/ Query\.f\d+ /g)).toHaveLength(60);
    expect(out).not.toContain("--verbose");
  });

  it.each([
    ["only one schema", ["lockup/subgraph"], /needs two schemas/],
    ["three schemas", ["a", "b", "c"], /does not take "c"/],
    ["a missing file", ["lockup/subgraph", "moon.graphql"], /file moon\.graphql does not exist/],
  ])("error: %s", async (_, args, want) => {
    const { code, out, err } = await run(generatedProject({}).root, ["diff", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
  });
});

it.runIf(IS_THOROUGH)("diff as a process ends with the reason in its last line", async () => {
  const project = generatedProject({ "subgraph/a.graphql": "query Aliases { streams { id alias } }" });
  commitAll(project, "main");
  const changed = snapshotText("subgraph", SMALL_ENTITIES.replace("alias: String!", ""));
  project.write("generated/schemas/lockup/subgraph.graphql", changed);
  const args = ["diff", "main:lockup/subgraph", "lockup/subgraph"];
  const { code, out, err } = await runCli(args, { cwd: project.root });
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(out).toMatch(
    /^main:lockup\/subgraph → lockup\/subgraph\n\nNot clean: 1 breaking; of 1 operation 1 broken\./,
  );
  expect(out).toContain("breaks 1 operation");
  // Findings of two named schemas cannot be accepted.
  expect(out).toContain("\nNext\n  lockflow explain drift/field-removed\n\n");
  expect(out.trimEnd().split("\n").at(-1)).toBe("exit 1: 1 finding to act on: 1 breaks operations");
});
