import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { installClient } from "../support/built-client.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { inFolder, REPOSITORY, readRepositoryFile, readRepositoryTree } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { runNode } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

const PAGE = readRepositoryFile("docs/start.md");

/** The first program of the page. */
const [, PROGRAM = ""] = /```ts\n(.*?)```/s.exec(PAGE) ?? [];

/** The row of a kind of project in the table below the program. */
function rowOf(project: string): { readonly name: string; readonly command: string } {
  const [, name = "", command = ""] =
    new RegExp(`\\| ${project} \\| \`(.*?)\` \\| \`(.*?)\``).exec(PAGE) ?? [];
  return { name, command };
}

const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  node: [],
  "npx tsx": [join(REPOSITORY, "node_modules/tsx/dist/cli.mjs")],
};

const SNAPSHOTS = inFolder("generated/schemas", readRepositoryTree("generated/schemas"));

/** In CommonJS, TypeScript needs the built client. */
const HARDEST = IS_THOROUGH ? "commonjs" : "module";

const PROJECTS: readonly (readonly [project: string, files: Readonly<Record<string, string>>])[] = [
  ["TypeScript", { "package.json": `{ "type": "${HARDEST}" }`, "tsconfig.json": "{}" }],
  ["ES modules", { "package.json": '{ "type": "module" }' }],
  ["CommonJS", { "package.json": '{ "type": "commonjs" }' }],
];

describe("the first program of the page", () => {
  // JavaScript needs the built client.
  it.each(IS_THOROUGH ? PROJECTS : PROJECTS.slice(0, 1))(
    "prints rows in a project of %s",
    async (project, files) => {
      const { root, write } = tempProject({ ...SNAPSHOTS, ...files });
      installClient(root);
      expect(await run(root, ["init", "--yes", "--protocols", "lockup"])).toMatchObject({ code: 0 });
      expect(await run(root, ["generate"])).toMatchObject({ code: 0, err: "" });
      await using emulator = await startEmulator();
      const lines = Object.entries(emulator.env()).map(([name, value]) => `${name}=${value}\n`);
      write(".env.emulator", lines.join(""));
      const { name, command } = rowOf(project);
      write(name, PROGRAM);
      const [, program = "", args = ""] = /^(node|npx tsx) (.*)$/.exec(command) ?? [];
      const result = await runNode([...(PROGRAMS[program] ?? []), ...args.split(" ")], { cwd: root });
      expect(result).toEqual({ code: 0, err: "", out: expect.stringMatching(/^multichain \[\n {2}\{\n/) });
      if (project !== "CommonJS") return;
      const required = await runNode(["-p", 'require("./generated/client.js").run.name'], { cwd: root });
      expect(required).toEqual({ code: 0, err: "", out: "run\n" });
    },
  );
});
