import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadProject } from "../../src/project/load-project.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

const project = (output: string, operations = "operations") =>
  tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: ["lockup"], output, operations }),
    ".git/HEAD": "ref: refs/heads/main\n",
  });

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
  ...[".", "..", "generated/../..", "/tmp/generated"].map(
    (output) => [output, /must be a folder below the folder of the configuration/] as const,
  ),
  ["operations", /name the same folder/],
  ["operations/generated", /"output" is in the folder of "operations"/],
] as const)("error: the output folder cannot be %j", async (output, want) => {
  await expect(loadProject(project(output).root)).rejects.toThrow(want);
});

it.each([
  ["generated", "out of the project", "..", /a link in "generated" leads out of it/],
  ["generated", "to the project", ".", /a link in "generated" leads out of it/],
  ["generated", "into the repository", ".git/hooks", /must not be in "\.git"/],
  ["a/b/generated", "out of the project", "..", /out of it/],
])("error: the output folder %s cannot be below a link %s", async (output, _, target, want) => {
  const { root, files } = project(output);
  mkdirSync(join(root, ".git/hooks"));
  const before = files();
  symlinkSync(join(root, target), join(root, output.split("/")[0] ?? ""), "dir");
  for (const command of ["generate", "check", "introspect"]) {
    expect(await run(root, [command])).toMatchObject({ code: 2, err: expect.stringMatching(want) });
  }
  expect(files()).toEqual(before);
});

it.each([
  ["generated", "operations"],
  ["src/generated", "src/operations"],
  ["src", "src/operations"],
  [".generated", "operations"],
  ["gitlike/.github", "operations"],
])("the output folder may be %s beside %s", async (output, operations) => {
  expect(await loadProject(project(output, operations).root)).toMatchObject({ output });
});

it("the output folder may be a link to another folder of the project", async () => {
  const { root } = project("generated");
  mkdirSync(join(root, "lib/generated"), { recursive: true });
  symlinkSync("lib/generated", join(root, "generated"), "dir");
  expect(await loadProject(root)).toMatchObject({ output: "generated" });
});
