import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { divergingProject } from "../support/diverging-project.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { runAsBuilt } from "../support/run-as-built.ts";

runAsBuilt();

const SUBGRAPH = "# All of them.\nquery Streams {\n  streams { id alias }\n}\n";
const MULTICHAIN =
  "query Streams($id: String!) {\n  streams: Stream(limit: 5, where: { id: { _neq: $id } }) { id }\n}\n";

function project() {
  return generatedProject({
    "subgraph/streams.graphql": SUBGRAPH,
    "multichain/streams.graphql": MULTICHAIN,
  });
}

describe("check: pitfalls of operations", () => {
  it("are reported with their places, and fail a run only with --fail-on risky", async () => {
    const { root } = project();
    expect(await run(root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const { code, out } = await run(root, ["check"]);
    expect(code).toBe(0);
    expect(out).toContain("Nothing to act on: 2 risky.");
    expect(out).toContain("operations/lockup/subgraph/streams.graphql:3:3");
    expect(out).toContain("[operation/no-page-size ");
    expect(out).toContain("operations/lockup/multichain/streams.graphql:1:7");
    expect(out).toContain("only subgraph has streams.alias");
    expect(out).toContain("the other is operations/lockup/subgraph/streams.graphql:2:7:");
    expect((await run(root, ["check", "--fail-on", "risky"])).code).toBe(1);
  });

  it("are reported every time, even if the cache is current", async () => {
    const { root } = project();
    mkdirSync(join(root, "node_modules"));
    await run(root, ["generate"]);
    const first = await run(root, ["check"]);
    expect(first.out).toContain("2 risky");
    expect(await run(root, ["check"])).toEqual(first);
    // The generated files are current.
    expect((await run(root, ["generate"])).out).toContain("are current");
    expect(await run(root, ["check"])).toEqual(first);
  });

  it("are in the JSON report like any other finding", async () => {
    const { root } = project();
    await run(root, ["generate"]);
    const { out } = await run(root, ["check", "--json"]);
    expect(JSON.parse(out).findings).toContainEqual(
      expect.objectContaining({
        code: "operation/no-page-size",
        layer: "operation",
        message: '"streams" has no page size, so it returns the first 100 rows.',
        place: { file: "operations/lockup/subgraph/streams.graphql", line: 3, column: 3 },
        fix: expect.stringContaining("`first: 1000`"),
        fails: false,
      }),
    );
  });

  it("follow findings of the same severity that fail the run", async () => {
    const { root } = await divergingProject("query Recent { streams { id sender } }");
    const { code, out } = await run(root, ["check", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).findings).toMatchObject([
      { code: "parity/only-multichain", severity: "risky" },
      { code: "operation/no-page-size", severity: "risky" },
    ]);
  });
});
