import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";
import { createProject } from "../tasks/compile/fixtures.ts";

describe("lockflow describe", () => {
  it.each([
    ["the entities", ["--protocol", "lockup"], 100, "describe-all.txt"],
    ["an entity", ["Segment"], 100, "describe-entity.txt"],
    ["an entity, not on a terminal", ["Watcher", "--protocol", "flow"], undefined, "describe-wide.txt"],
    ["a field", ["Stream.asset", "--protocol", "lockup"], 100, "describe-field.txt"],
    ["a field with an enum", ["Action.category", "--protocol", "lockup"], 100, "describe-enum-field.txt"],
    ["an enum", ["StreamCategory"], 100, "describe-enum.txt"],
    ["a word", ["cliff"], 100, "describe-word.txt"],
  ])("prints %s", async (_, args, width, golden) => {
    const { code, out, err } = await run(
      REPOSITORY,
      ["describe", ...args],
      width === undefined ? {} : { width },
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    if (width !== undefined) {
      const texts = out.split("\n").filter((line) => !/operations\/|^ {2}(field|[a-z]\w+) /.test(line));
      expect(texts.filter((line) => line.length > width)).toEqual([]);
    }
    await expect(out).toMatchFileSnapshot(`golden/${golden}`);
  });

  it("prints the same as JSON, and exits with 0 or 1", async () => {
    const { root } = createProject();
    const one = await run(root, ["describe", "Stream.sender", "--json"]);
    expect([one.code, one.err, JSON.parse(one.out)]).toMatchObject([
      0,
      "",
      {
        match: "field",
        enums: [],
        nearest: [],
        entities: [{ name: "Stream", fields: [{ name: "sender", verdict: "mapped" }] }],
      },
    ]);
    const none = await run(root, ["describe", "Stream.sendr", "--json"]);
    expect([none.code, JSON.parse(none.out)]).toMatchObject([
      1,
      { match: "word", entities: [], enums: [], nearest: ["Stream.sender"] },
    ]);
  });

  it.each([
    [
      "a name similar to others",
      ["Stream.sendr"],
      1,
      'No entity, field or description has "Stream.sendr".\nHint: did you mean Stream.sender',
    ],
    ["nothing similar", ["qqqqqqqqqqqqqq"], 1, "Hint: `lockflow describe` lists the entities."],
    ["two arguments", ["Stream", "Asset"], 2, 'does not take "Asset"'],
    ["an unknown protocol", ["--protocol", "lokcup"], 2, "lokcup"],
  ])("error: %s", async (_, args, want, message) => {
    const { code, out, err } = await run(createProject().root, ["describe", ...args]);
    expect({ code, out }).toEqual({ code: want, out: "" });
    expect(err).toContain(message);
  });

  it("error: no snapshots", async () => {
    const { code, out, err } = await run(tempProject().root, ["describe"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("lockflow introspect");
  });

  it("prints no control characters of descriptions", async () => {
    const { root, read, write } = createProject();
    const path = "generated/schemas/lockup/subgraph.graphql";
    write(path, read(path).replace("type Stream {", '"""::error::\u001b[31mred"""\ntype Stream {'));
    const { code, out } = await run(root, ["describe", "Stream"]);
    expect(code).toBe(0);
    expect(out).toContain("red");
    expect(out).not.toContain("\u001b");
    expect(out).not.toContain("::");
  });
});
