import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inFolder, readRepositoryTree } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

/** A package with snapshots, so that no test waits for the emulator. */
const PACKAGE = {
  "package.json": '{ "name": "app" }',
  ...inFolder("generated/schemas", readRepositoryTree("generated/schemas")),
};

const LIBRARY = inFolder("operations", readRepositoryTree("operations"));

function operationsOf(project: TempProject): Readonly<Record<string, string>> {
  return project.files("operations");
}

function configured(config: object, files: Readonly<Record<string, string>> = {}): TempProject {
  return tempProject({ ...PACKAGE, "lockflow.config.json": JSON.stringify(config), ...files });
}

describe("lockflow init --library", () => {
  it("writes all operations of the library", async () => {
    const project = tempProject({ ...PACKAGE, "tsconfig.json": "{}" });
    const { code, err, out } = await run(project.root, ["init", "--yes", "--library"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(operationsOf(project)).toEqual(LIBRARY);
    expect(Object.keys(LIBRARY)).toHaveLength(36);
    expect(out).toMatch(/operations\/lockup\/portable\/stream-by-id\.graphql +from the library\n/);
    const again = await run(project.root, ["init", "--library"]);
    expect(again.out).toContain("Everything is already set up.");
  }, 60_000);

  it("writes those of the configured protocols, and only those that one style supports", async () => {
    const project = configured({ protocols: ["flow"], only: { styles: ["subgraph"] } });
    expect(await run(project.root, ["init", "--yes", "--library"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(operationsOf(project))).toContain(
      "operations/flow/portable/fragments/stream-fields.graphql",
    );
    expect(
      Object.keys(operationsOf(project)).filter((path) => path.startsWith("operations/flow/multichain/")),
    ).toEqual([]);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });

    const other = configured({ protocols: ["flow"], only: { styles: ["multichain"] } });
    const { out } = await run(other.root, ["init", "--yes", "--library"]);
    expect(out).toMatch(/operations\/flow\/portable\/ +needs the types of subgraphs/);
    expect(Object.keys(operationsOf(other))).toEqual(["operations/flow/multichain/health.graphql"]);
  }, 60_000);

  it("does not replace files, or write a name twice", async () => {
    const own = "query StreamsBySender { streams(first: 1) { id } }";
    const project = configured(
      { protocols: ["lockup"] },
      {
        "operations/lockup/subgraph/streams-by-sender.graphql": own,
        "operations/lockup/portable/assets.graphql": "query Assets { assets(first: 1) { id } }",
      },
    );
    const { code, out } = await run(project.root, ["init", "--yes", "--library"]);
    expect(code).toBe(0);
    expect(out).toMatch(/portable\/streams-by-sender\.graphql +is in subgraph\/ already/);
    expect(project.read("operations/lockup/subgraph/streams-by-sender.graphql")).toBe(own);
    expect(project.read("operations/lockup/portable/assets.graphql")).toContain("first: 1");
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
  }, 60_000);

  it("error: no protocol of the library is configured", async () => {
    const project = configured(
      { protocols: { lots: { entities: "lots.graphql" } } },
      { "lots.graphql": "type Lot @entity { id: ID! }" },
    );
    const { code, err } = await run(project.root, ["init", "--yes", "--library"]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(
        "--library writes operations of lockup and flow, but neither is set up here.",
      ),
    });
    expect(Object.keys(project.files())).not.toContain(join("operations", "lots"));
  });
});
