import { describe, expect, it } from "vitest";
import { run } from "../support/run.ts";
import { mergedProject } from "../tasks/adapt/support.ts";

const VALID = "query Assets { assets { id } }";
const RENAMED = "query Recent { streams { id } }";
const REMOVED = "query Gone { payouts { id } }";

describe("lockflow adapt", () => {
  it.each([
    ["0 if every operation is valid or adapted", { "a.graphql": VALID, "b.graphql": RENAMED }, 0],
    ["1 if one is refused", { "a.graphql": RENAMED, "b.graphql": REMOVED }, 1],
  ])("ends with %s, with and without --write", async (_, files, want) => {
    const project = mergedProject(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`subgraph/${name}`, text])),
    );
    const before = project.files("operations");
    const dry = await run(project.root, ["adapt"]);
    expect(dry.code).toBe(want);
    expect(dry.out).toContain("+query Recent { streams: lockupStreams { id } }");
    expect(dry.out).toContain("Nothing was written: add --write.");
    expect(project.files("operations")).toEqual(before);
    const wet = await run(project.root, ["adapt", "--write"]);
    expect(wet.code).toBe(want);
    expect(wet.out).toContain("1 file written. Run `lockflow generate`.");
    expect(wet.out).not.toContain("+query");
    expect((await run(project.root, ["adapt", "--write"])).out).not.toContain("written");
  });

  it("prints JSON alone on standard output", async () => {
    const project = mergedProject({ "subgraph/a.graphql": RENAMED });
    const { out } = await run(project.root, ["adapt", "--json"]);
    const { operations, renames, files, written } = JSON.parse(out) as Record<string, unknown[]>;
    expect(operations).toMatchObject([{ name: "Recent", result: "adapted", reasons: [] }]);
    expect(renames).toContainEqual(
      expect.objectContaining({
        ...{ surface: "lockup/subgraph", kind: "entity", owner: null },
        ...{ from: "Stream", to: "LockupStream", certain: true },
      }),
    );
    expect([files, written]).toEqual([["operations/lockup/subgraph/a.graphql"], false]);
  });

  it.each([
    ["a prefix without a target", ["--prefix", "Flow"], /--prefix needs --to/],
    ["a rename that does not apply", ["--rename", "Stream=Nothing"], /does not apply/],
  ])("ends with 2 for %s, and writes nothing", async (_, args, want) => {
    const project = mergedProject({ "subgraph/a.graphql": RENAMED });
    const { code, out, err } = await run(project.root, ["adapt", "--write", ...args]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(want);
    expect(project.read("operations/lockup/subgraph/a.graphql")).toBe(RENAMED);
  });
});
