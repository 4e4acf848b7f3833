import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkEnvFiles, checkPublicKeys, readEnvFiles } from "../../../src/tasks/doctor/env-files.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { tempProject } from "../../support/temp-project.ts";
import { contextOf, KEY, KEYED, keyed, lines, projectContextOf } from "./context-of.ts";

describe("checkPublicKeys", () => {
  const NONE = "ok No key is in a variable that bundlers publish.";
  const published = (what: string) =>
    `warning ${what} is a key, but bundlers publish variables with this prefix.`;
  const production = { url: "https://gateway.example/{deployment}", apiKey: { env: "EXPO_PUBLIC_KEY" } };

  it.each<
    [name: string, files: Record<string, string>, env: Record<string, string>, want: string, config?: object]
  >([
    ["a variable with a similar name", {}, { VITE_GRAPH_KEY: "other-value" }, NONE],
    [
      "the key under another name",
      {},
      { GRAPH_KEY: KEY, NEXT_PUBLIC_X: KEY },
      published("NEXT_PUBLIC_X in the environment"),
    ],
    [
      "the key in a file",
      { ".env.local": `VITE_ANY="${KEY}"\n` },
      { GRAPH_KEY: KEY },
      published("VITE_ANY in .env.local"),
    ],
    [
      "a file with both",
      { ".env": `GRAPH_KEY=${KEY}\nexport REACT_APP_KEY=${KEY} # same\n` },
      {},
      published("REACT_APP_KEY in .env"),
    ],
    [
      "the key's name in a file",
      { ".env.production": `NUXT_PUBLIC_GRAPH_KEY=${KEY}` },
      {},
      published("NUXT_PUBLIC_GRAPH_KEY in .env.production"),
    ],
    ["a placeholder in an example", { ".env.example": "VITE_GRAPH_KEY=<your key>" }, {}, NONE],
    [
      "a configuration that reads one",
      {},
      { EXPO_PUBLIC_KEY: KEY },
      "warning The configuration reads a key from EXPO_PUBLIC_KEY, but bundlers publish variables with this prefix.",
      { ...KEYED, subgraph: { production } },
    ],
  ])("%s", async (_, files, env, want, config = KEYED) => {
    const found = checkPublicKeys(await projectContextOf(keyed(files, config), { env }));
    expect(lines(found)).toEqual([want]);
    expect(JSON.stringify(found)).not.toContain(KEY);
  });
});

/** By default only the first two are tested. */
const IN_GIT: readonly (readonly [name: string, files: Record<string, string>, want: readonly string[]])[] = [
  [
    "a file with a key",
    { ".env": `GRAPH_KEY=${KEY}` },
    ["problem .env is committed, and GRAPH_KEY is set in it."],
  ],
  [
    "a local file without a key",
    { ".env.local": "PORT=3000" },
    ["warning .env.local is committed. It has no key now, but may get one later."],
  ],
  [
    "files that are meant to be committed",
    { ".env.example": "GRAPH_KEY=", ".env.production": "PORT=1" },
    ["ok No key in .env.example, .env.production is committed."],
  ],
  [
    "an example with a key",
    { ".env.example": `GRAPH_KEY=${KEY}` },
    ["problem .env.example is committed, and GRAPH_KEY is set in it."],
  ],
];

describe("checkEnvFiles", () => {
  const tried = IS_THOROUGH ? IN_GIT : IN_GIT.slice(0, 2);

  it.each(tried)("%s: before git, untracked, committed", async (_, files, want) => {
    const project = keyed(files);
    const check = async () => lines(await checkEnvFiles(await contextOf(project)));
    expect(await check()).toEqual([
      expect.stringMatching(/^skipped git does not list the committed files: not a git repository/),
    ]);
    execFileSync("git", ["init", "--quiet"], { cwd: project.root });
    expect(await check()).toEqual([expect.stringMatching(/^ok No key in /)]);
    execFileSync("git", ["add", "--all", "--force"], { cwd: project.root });
    expect(await check()).toEqual(want);
  });

  it("returns nothing without such files", async () => {
    expect(await checkEnvFiles(await contextOf(keyed()))).toEqual([]);
  });
});

it("readEnvFiles parses values as shells do, and an unreadable file as empty", async () => {
  const { root } = tempProject({
    ".env": "A=1\nexport B = 'two words' # why\nC=bare # comment\nnot a line\nD=\n",
    ".env.sample": "A=<yours>",
    ".env.local/inner": "",
    ".environment": "A=1",
  });
  const names = [".env", ".env.sample", ".env.local", ".environment", "package.json"];
  const found = await readEnvFiles(join(root), names);
  expect(
    found.map(({ name, values, isExample }) => ({ name, isExample, values: Object.fromEntries(values) })),
  ).toEqual([
    { name: ".env", isExample: false, values: { A: "1", B: "two words", C: "bare", D: "" } },
    { name: ".env.sample", isExample: true, values: { A: "<yours>" } },
    { name: ".env.local", isExample: false, values: {} },
  ]);
});
