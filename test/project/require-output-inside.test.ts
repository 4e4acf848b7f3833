import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const project = (output: string, operations = "operations") =>
  tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: ["lockup"], output, operations }),
    ".git/HEAD": "ref: refs/heads/main\n",
  });

describe("the output folder", () => {
  it.each([
    [".git", /"output" must not be in "\.git", but is "\.git"/],
    [".git/hooks", /must not be in "\.git"/],
    ["./.git/", /must not be in "\.git"/],
    [".GIT", /must not be in "\.GIT"/],
    [".git.", /must not be in "\.git\."/],
    [".git ", /must not be in "\.git "/],
    ["GIT~1", /must not be in "GIT~1"/],
    ["packages/a/.git/x", /must not be in "\.git"/],
    ["node_modules/@me/generated", /must not be in "node_modules"/],
    [".", /must be a folder below the folder of the configuration/],
    ["..", /must be a folder below the folder of the configuration/],
    ["generated/../..", /must be a folder below the folder of the configuration/],
    ["/tmp/generated", /must be a folder below the folder of the configuration/],
    ["operations", /name the same folder/],
    ["operations/generated", /"output" is in the folder of "operations"/],
  ])("error: cannot be %j", async (output, want) => {
    const { root } = project(output);
    expect(await run(root, ["check"])).toMatchObject({ code: 2, err: expect.stringMatching(want) });
  });

  it.each([
    ["out of the project", "..", /a link in "generated" leads out of it/],
    ["to the project", ".", /a link in "generated" leads out of it/],
    ["into the repository", ".git/hooks", /must not be in "\.git"/],
  ])("error: cannot be a link %s", async (_, target, want) => {
    const { root, files } = project("generated");
    mkdirSync(join(root, ".git/hooks"));
    const before = files();
    symlinkSync(join(root, target), join(root, "generated"), "dir");
    for (const command of ["generate", "check", "introspect"]) {
      expect(await run(root, [command])).toMatchObject({ code: 2, err: expect.stringMatching(want) });
    }
    expect(files()).toEqual(before);
  });

  it("error: cannot be below a link out of the project", async () => {
    const { root } = project("a/b/generated");
    symlinkSync("..", join(root, "a"), "dir");
    expect(await run(root, ["check"])).toMatchObject({ code: 2, err: expect.stringMatching(/out of it/) });
  });

  it.each([
    ["generated", "operations"],
    ["src/generated", "src/operations"],
    ["src", "src/operations"],
    [".generated", "operations"],
    ["gitlike/.github", "operations"],
  ])("may be %s beside %s", async (output, operations) => {
    const { root } = project(output, operations);
    expect((await run(root, ["check"])).err).not.toContain('"output"');
  });

  it("may be a link to another folder of the project", async () => {
    const { root } = project("generated");
    mkdirSync(join(root, "lib/generated"), { recursive: true });
    symlinkSync("lib/generated", join(root, "generated"), "dir");
    expect((await run(root, ["check"])).err).not.toContain('"output"');
  });
});
