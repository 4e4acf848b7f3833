import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/base/own-package.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { REPOSITORY, readRepositoryFile } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { runCli, runNode } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

describe("the program", () => {
  it("prints its version", async () => {
    const want = { code: 0, out: `${VERSION}\n`, err: "" };
    const cwd = tempProject().root;
    for (const flag of ["--version", "-v"]) expect(await run(cwd, [flag])).toEqual(want);
  });

  it("exits with the code of its command, and prints errors to standard error", async () => {
    const cwd = tempProject().root;
    const want = await run(cwd, ["chekc"]);
    expect(want).toMatchObject({ code: 2, out: "" });
    expect(await runCli(["chekc"], { cwd })).toEqual(want);
  });

  it("prints help", async () => {
    const { code, out, err } = await run(REPOSITORY, ["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await expect(out).toMatchFileSnapshot("golden/help.txt");
  });

  it.each(COMMANDS.map(({ name }) => name))("prints help for %s", async (name) => {
    const { code, out, err } = await run(REPOSITORY, [name, "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    await expect(out).toMatchFileSnapshot(`golden/help-${name}.txt`);
  });
});

describe("the scripts of the repository", () => {
  it.each([
    ["start", "sync"],
    ["introspect", "introspect"],
    ["diff", "diff"],
    ["generate", "generate"],
    ["check", "check"],
  ])("%s runs %s", (script, command) => {
    const [comment, ...code] = readRepositoryFile(`scripts/${script}.ts`).split("\n");
    expect(comment).toContain(`\`npm ${script === "start" ? "" : "run "}${script}\``);
    expect(code.join("\n")).toBe(
      `process.argv.splice(2, 0, "${command}");\nawait import("../src/cli/main.ts");\n\nexport {};\n`,
    );
  });

  it.runIf(IS_THOROUGH)("run from source", async () => {
    const script = join(REPOSITORY, "scripts/check.ts");
    const { code, out } = await runNode(["--import", "tsx", script, "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^lockflow check \[options\]/);
  });
});
