import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { flagOf } from "../../src/cli/option.ts";
import { run } from "../support/run.ts";
import { tempProject } from "../support/temp-project.ts";

describe("the command line", () => {
  const refused: [name: string, args: string[], want: RegExp][] = [
    ["an unknown command", ["chekc"], /^lockflow: There is no command "chekc"\.\n[\s\S]*"lockflow check"/],
    ["an unknown flag", ["check", "--fxi"], /"lockflow check" has no option "--fxi"/],
    ["a mistyped flag", ["generate", "--confg=x"], /did you mean "--config"/],
    ["a flag of another command", ["check", "--port", "1"], /has no option "--port"/],
    ["a short flag", ["check", "-x"], /has no option "-x"/],
    ["a flag before the command", ["--config", "x", "check"], /A command has to come before "--config"/],
    ["a missing value of a flag", ["check", "--config"], /Cannot parse the options/],
    ["a value for a flag without one", ["emulate", "--json=1"], /Cannot parse the options/],
    ["an extra argument", ["generate", "all"], /does not take "all"/],
    ["a missing argument", ["derive", "--style", "subgraph"], /needs a file: <entities.graphql>/],
    ["an invalid number", ["emulate", "--port", "http"], /--port must be an integer/],
    ["a number out of range", ["introspect", "--concurrency", "0"], /from 1 to 64/],
    ["a negative value after its flag", ["emulate", "--port", "-1"], /--port must be an integer/],
    ["an unknown environment", ["introspect", "--environment", "staging"], /must be production or testing/],
    ["an unknown report", ["diff", "--report", "yaml"], /Unknown form "yaml"/],
    ["an unknown style", ["derive", "--style", "hasura", "x"], /--style must be multichain or subgraph/],
  ];

  it.each(refused)("error: %s exits 2 and writes nothing", async (_, args, want) => {
    const project = tempProject();
    const { code, out, err } = await run(project.root, args);
    expect(code).toBe(2);
    expect(err).toMatch(want);
    expect(out).toBe("");
    expect(project.files()).toEqual({});
  });

  it("shows help for the program and for every command", async () => {
    const { code, out } = await run("/", ["--help"]);
    expect(code).toBe(0);
    for (const command of COMMANDS) {
      expect(out).toContain(`  ${command.name}`);
      const help = await run("/", [command.name, "--help"]);
      expect(help.code).toBe(0);
      for (const name of Object.keys(command.options)) expect(help.out).toContain(`--${flagOf(name)}`);
      expect(await run("/", ["help", command.name])).toEqual(help);
    }
  });

  it("prints help without arguments", async () => {
    expect((await run("/", [])).out).toContain("lockflow <command>");
  });
});

describe("the configuration file", () => {
  it("error: a missing named file", async () => {
    const { code, err } = await run(tempProject().root, ["check", "--config", "none.json"]);
    expect(code).toBe(2);
    expect(err).toContain('There is no configuration file "none.json"');
  });

  it.each([
    ["is not JSON", "lockflow.config.json", "{ not json", /lockflow.config.json could not be loaded/],
    [
      "has a syntax error",
      "lockflow.config.mjs",
      "export default {",
      /lockflow.config.mjs could not be loaded/,
    ],
    [
      "is JavaScript without exports",
      "lockflow.config.mjs",
      "const config = {};",
      /could not be loaded: it exports nothing\./,
    ],
    [
      "is TypeScript without exports",
      "lockflow.config.ts",
      "const config = {};",
      /could not be loaded: it exports nothing\./,
    ],
    [
      "throws",
      "lockflow.config.mjs",
      'export default Promise.reject(new Error("no"));',
      /could not be loaded: no$/m,
    ],
    [
      "has an unknown key",
      "lockflow.config.ts",
      "export default { brnd: 1 }",
      /lockflow.config.ts has an unknown key "brnd"/,
    ],
    [
      "has a value of another type",
      "lockflow.config.js",
      "export default { brand: 1 };",
      /lockflow.config.js: "brand" must be text/,
    ],
  ])("error: %s (%s)", async (_, name, content, want) => {
    const project = tempProject({ [name]: content, "package.json": '{ "type": "module" }' });
    const { code, err } = await run(project.root, ["check"]);
    expect(code).toBe(2);
    expect(err).toMatch(want);
  });

  it("is found in parent folders, and its paths are relative to it", async () => {
    const project = tempProject({ "lockflow.config.json": '{ "operations": "mine" }', "deep/er/x.txt": "" });
    const { err } = await run(join(project.root, "deep/er"), ["generate"]);
    expect(err).toContain("mine/ has no operations.");
    project.write("mine/lockup/subgraph/q.graphql", "query Q { a }");
    const again = await run(join(project.root, "deep/er"), ["generate"]);
    expect(again.err).toContain("no snapshot of lockup in subgraph style");
  });

  it.each([
    ["lockflow.config.json", '{ "operations": "mine" }'],
    ["lockflow.config.mjs", 'export default { operations: "mine" };'],
    [
      "lockflow.config.ts",
      'import { defineConfig } from "lockflow";\nconst folder: string = "mine";\nexport default defineConfig({ operations: folder });',
    ],
  ])("reads %s", async (name, content) => {
    const { err } = await run(tempProject({ [name]: content }).root, ["generate"]);
    expect(err).toContain("mine/ has no operations.");
  });
});
