import { describe, expect, it } from "vitest";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { mergedProject } from "../tasks/adapt/support.ts";

const VALID = "query Assets { assets { id } }";
const RENAMED = "query Recent { streams { id } }";
const REMOVED = "query Gone { payouts { id } }";

describe("lockflow adapt", () => {
  it("prints the diff, writes with --write, and exits with 0 if every operation is valid or adapted", async () => {
    const project = mergedProject({ "subgraph/a.graphql": VALID, "subgraph/b.graphql": RENAMED });
    const before = project.files("operations");
    const dry = await run(project.root, ["adapt"]);
    expect(dry.code).toBe(0);
    expect(dry.out).toContain("+query Recent { streams: lockupStreams { id } }");
    expect(dry.out).toContain("Nothing was written: add --write.");
    expect(project.files("operations")).toEqual(before);
    const wet = await run(project.root, ["adapt", "--write"]);
    expect(wet.code).toBe(0);
    expect(wet.out).toContain("1 file written. Run `lockflow generate`.");
    expect(wet.out).not.toContain("+query");
  });

  it("prints JSON alone on standard output, and exits with 1 if an operation is refused", async () => {
    const project = mergedProject({ "subgraph/a.graphql": RENAMED, "subgraph/b.graphql": REMOVED });
    const { code, out } = await run(project.root, ["adapt", "--json"]);
    const { operations, renames, files, written } = JSON.parse(out) as Record<string, unknown[]>;
    expect(code).toBe(1);
    expect(operations).toMatchObject([
      { name: "Recent", result: "adapted", reasons: [] },
      { name: "Gone", result: "refused" },
    ]);
    expect(renames).toContainEqual(
      expect.objectContaining({
        surface: "lockup/subgraph",
        kind: "entity",
        owner: null,
        from: "Stream",
        to: "LockupStream",
        certain: true,
      }),
    );
    expect([files, written]).toEqual([["operations/lockup/subgraph/a.graphql"], false]);
  });

  it("prints each definition whole, as code to paste, and equal messages once", async () => {
    const query = (name: string) => `query ${name} { streams { id category } }`;
    const operations = { "subgraph/a.graphql": query("A"), "portable/b.graphql": query("B") };
    const project = mergedProject(operations);
    const { out } = await run(project.root, ["adapt"]);
    expect(out).not.toContain("…");
    expect(out).toContain(
      [
        "The exported type StreamCategory is called LockupStreamCategory now. [adapt/type-name]",
        "  operations/lockup/portable/b.graphql:1:7  B",
        "  operations/lockup/subgraph/a.graphql:1:7  A",
      ].join("\n"),
    );
    const [before, after] = out.split("Write into lockflow.config.json, under protocols:\n\n");
    expect(before).toContain("A  adapted");
    const [code = "", totals] = after?.split("\n\n") ?? [];
    expect(totals).toBe("2 adapted, 0 refused, 0 valid already.");
    expect(JSON.parse(`{${code}}`)).toMatchObject({
      lockup: { identity: { protocol: "LockupStream.depositAmount" }, chainPath: { LockupBatch: "streams" } },
    });
  });

  it.runIf(IS_THOROUGH)("prints a definition in TypeScript that works once it is pasted", async () => {
    const project = mergedProject({ "subgraph/a.graphql": "query A { streams { id category } }" });
    project.remove("lockflow.config.json");
    const write = (definition: string) =>
      project.write(
        "lockflow.config.ts",
        `import { defineProtocol } from "lockflow";\nexport default { protocols: {\n${definition}\n} };\n`,
      );
    write("lockup: defineProtocol({})");
    const typed = (await run(project.root, ["adapt"])).out.split("lockflow.config.ts, under protocols")[1];
    const pasted = typed?.split("\n\n")[1] ?? "";
    expect(pasted).toContain('  lockup: defineProtocol({\n    identity: { protocol: "LockupStream.');
    write(pasted);
    expect(await run(project.root, ["adapt", "--write"])).toMatchObject({
      code: 0,
      out: expect.not.stringContaining("Write into"),
    });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
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
