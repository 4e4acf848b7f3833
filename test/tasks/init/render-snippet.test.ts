import { cpSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { startEmulator } from "../../../emulator/server/start-emulator.ts";
import { detectLayout } from "../../../src/tasks/init/detect-layout.ts";
import { detectClient, detectRepository } from "../../../src/tasks/init/detect-repository.ts";
import type { TypeScriptUse } from "../../../src/tasks/init/detect-typescript.ts";
import { buildClientSnippet, buildSnippet } from "../../../src/tasks/init/render-snippet.ts";
import { compilerArguments, IS_THOROUGH } from "../../support/is-thorough.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { run } from "../../support/run.ts";
import { runNode } from "../../support/run-process.ts";
import { tempProject } from "../../support/temp-project.ts";

const CLIENTS = IS_THOROUGH
  ? ["graphql-request", "@apollo/client", "@urql/core", "@tanstack/react-query", "fetch"]
  : ["graphql-request", "fetch"];
const USES: readonly (readonly [name: string, use: TypeScriptUse | null])[] = [
  ["js", null],
  ["ts", { isBundled: false, importExtension: ".js" }],
  ["bundled", { isBundled: true, importExtension: "" }],
];

it("shows lines that compile, run and print rows, for every client", async () => {
  const project = tempProject({
    "package.json": '{ "type": "commonjs" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        module: "nodenext",
        target: "es2023",
        strict: true,
        noEmit: true,
        skipLibCheck: true,
      },
      include: ["*-ts.mts", "generated"],
    }),
  });
  symlinkSync(join(REPOSITORY, "node_modules"), join(project.root, "node_modules"));
  // So that nobody is introspected.
  cpSync(join(REPOSITORY, "generated/schemas"), join(project.root, "generated/schemas"), { recursive: true });
  expect(await run(project.root, ["init", "--yes", "--protocol", "lockup"])).toMatchObject({ code: 0 });
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  const repository = await detectRepository(project.root, undefined);
  const { layout } = await detectLayout(repository, {});
  await using emulator = await startEmulator();

  const files = CLIENTS.flatMap((client) =>
    USES.map(([name, typescript]) => {
      const seen = { ...repository, client: detectClient(new Set([client])), typescript };
      const { path = "", code = "" } = buildSnippet(seen, layout) ?? {};
      const file = path.replace("streams", `${client.replaceAll("/", "-")}-${name}`);
      expect(Math.max(...code.split("\n").map(({ length }) => length))).toBeLessThan(105);
      project.write(file, code.replace("http://127.0.0.1:4350", emulator.url));
      return file;
    }),
  );
  for (const [name, typescript] of USES) {
    const { code = "" } = buildClientSnippet({ ...repository, typescript }, layout, ".env") ?? {};
    project.write(`generated-client-${name}.mts`, code);
    files.push(`generated-client-${name}.mts`);
  }
  expect(await runNode([...compilerArguments("typescript-7"), "-p", project.root])).toEqual({
    code: 0,
    out: "",
    err: "",
  });

  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  project.write("all.mjs", files.map((file) => `await import(${JSON.stringify(`./${file}`)});`).join("\n"));
  const env = emulator.env();
  const { code, out, err } = await runNode(["--import", tsx, join(project.root, "all.mjs")], { env });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  // Five streams each, and who is paid is in all of them.
  expect(out.match(/0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac/g)).toHaveLength(5 * files.length);
}, 60_000);

it("shows a project in JavaScript lines that are checked, and that Node runs by itself, for every client", async () => {
  const project = tempProject({ "package.json": '{ "type": "commonjs" }', "src/index.js": "" });
  symlinkSync(join(REPOSITORY, "node_modules"), join(project.root, "node_modules"));
  cpSync(join(REPOSITORY, "generated/schemas"), join(project.root, "src/generated/schemas"), {
    recursive: true,
  });
  const { code: told, out } = await run(project.root, ["init", "--yes", "--protocol", "lockup"]);
  expect({ told, out }).toEqual({
    told: 0,
    out: expect.stringContaining("node --env-file=.env.emulator src/streams.mjs "),
  });
  expect(project.read("lockflow.config.mjs")).toContain('\n  output: "src/generated",\n  format: "js",\n');
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  const repository = await detectRepository(project.root, undefined);
  const { layout } = await detectLayout(repository, {});
  await using emulator = await startEmulator();

  const files = CLIENTS.map((client) => {
    const seen = { ...repository, client: detectClient(new Set([client])) };
    const { path = "", code = "", run = "" } = buildSnippet(seen, layout) ?? {};
    expect({ path, run }).toEqual({ path: "src/streams.mjs", run: "node src/streams.mjs" });
    expect(Math.max(...code.split("\n").map(({ length }) => length))).toBeLessThan(105);
    expect(code).toMatch(
      /^\/\/ @ts-check\n[\s\S]*\n\/\*\* @type \{import\("\.\/generated\/lockup\/subgraph\.js"\)/,
    );
    const file = path.replace("streams", client.replaceAll("/", "-"));
    project.write(file, code.replace("http://127.0.0.1:4350", emulator.url));
    return file;
  });
  project.write(
    "src/wrong.mjs",
    project.read(files.at(-1) ?? "").replace(/recipient: "0x\w+"/, "recipient: 1"),
  );
  const flags =
    "--noEmit --allowJs --checkJs --strict --skipLibCheck --module nodenext --target es2023".split(" ");
  const check = (paths: readonly string[]) =>
    runNode([...compilerArguments("typescript-7"), "--ignoreConfig", ...flags, ...paths], {
      cwd: project.root,
    });
  expect(await check(files)).toEqual({ code: 0, out: "", err: "" });
  expect((await check(["src/wrong.mjs"])).out).toMatch(/error TS2322: Type 'number' is not assignable/);
  const own = buildClientSnippet(repository, layout, ".env");
  expect(own?.run).toBe("node --env-file=.env src/streams.mjs");
  expect(own?.code).toMatch(
    /^\/\/ @ts-check\nimport \{ createClient, run \} from "\.\/generated\/client\.js";\n/,
  );
  project.write("src/own.mjs", own?.code ?? "");
  expect(await check(["src/own.mjs"])).toEqual({ code: 0, out: "", err: "" });
  for (const file of [...files, "src/own.mjs"]) {
    const { code, out, err } = await runNode([join(project.root, file)], { env: emulator.env() });
    expect({ file, code, err }).toEqual({ file, code: 0, err: "" });
    expect(out.match(/0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac/g)).toHaveLength(5);
  }
}, 60_000);
