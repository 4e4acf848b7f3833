import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Emulator, startEmulator } from "../emulator/server/start-emulator.ts";
import { type Block, parseMarkdown } from "./support/docs/parse-markdown.ts";
import { REPOSITORY, readRepositoryFile } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { tempProject } from "./support/temp-project.ts";

const PAGE = "docs/migrate.md";
const { blocks } = parseMarkdown(PAGE, readRepositoryFile(PAGE));
const now = blocks.filter(({ info }) => info === "now");

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
  for (const [name, value] of Object.entries(emulator.env())) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await emulator.close();
});

describe("what is written now in place of what was written by hand", () => {
  it("stands beside each of the 25", () => {
    const pairs = blocks.filter(({ info }) => info === "then" || info === "now").map(({ info }) => info);
    expect(pairs.join(" ")).toBe(Array(25).fill("then now").join(" "));
  });

  it.each(now.filter(({ language }) => language === "ts").map((block) => [block.line, block] as const))(
    "gives what it says, at line %i",
    async (_, block) => {
      const project = tempProject({ "now.ts": checked(block) });
      const module: { readonly said?: readonly Said[] } = await import(join(project.root, "now.ts"));
      const said = module.said ?? [];
      expect(said.map(({ line, value }) => ({ line, value }))).toEqual(
        said.map(({ line, want }) => ({ line, value: want })),
      );
    },
  );

  it("works as commands, one after the other", async () => {
    const { root } = tempProject({
      "lockflow.config.json": '{ "protocols": ["lockup"] }',
      "operations/lockup/portable/a.graphql": "query A { streams(first: 3) { id } }",
    });
    const lines = now.filter(({ language }) => language === "sh").flatMap(({ code }) => code.split("\n"));
    for (const line of lines) {
      const args = line.replace("npx lockflow ", "").split(" ");
      expect({ line, ...(await run(root, args, { env: { ...emulator.env() } })) }).toMatchObject({
        line,
        code: 0,
      });
    }
  });
});

/** What a line gave, and what its comment says that it gives. */
type Said = { readonly line: number; readonly value: unknown; readonly want: unknown };

/** A block that gives, as `said`, the value of each line that ends in a comment with one. */
function checked({ code, line }: Block): string {
  const rows = code.split("\n").map((row, index) => {
    const [, value, want] = /^(\S.*); \/\/ (".*"|'.*'|\d+|true|false)$/.exec(row) ?? [];
    return value && !/^(const|let|import|export) /.test(value)
      ? `said.push({ line: ${line + index}, value: ${value}, want: ${want} });`
      : row;
  });
  return `${placed(rows.join("\n"))}\nexport const said: unknown[] = [];\n`.replace(
    /^((?:import .*;\n)*)([\s\S]*?)(export const said.*\n)$/,
    "$1$3$2",
  );
}

/** A block whose imports find what a repository would have there. */
function placed(code: string): string {
  return code
    .replaceAll(/from "\.\/generated\/([^"]+)\.js"/g, (_, path: string) =>
      from(join(REPOSITORY, "generated", `${path}.ts`)),
    )
    .replaceAll(/from "lockflow"/g, from(join(REPOSITORY, "src/index.ts")));
}

const from = (path: string) => `from ${JSON.stringify(path)}`;
