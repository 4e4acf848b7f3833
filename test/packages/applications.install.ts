import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readNamedBlocks } from "../support/docs/read-named-blocks.ts";
import { execute, npm, pack, type Tarballs } from "./pack.ts";

/** Follows the steps of a new user in an application created by a framework's own command. */
let folder: string;
let tarballs: Tarballs;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow applications "));
  tarballs = await pack(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import { createClient, run } from "./generated/client";
import { StreamsByRecipient } from "./generated/lockup/portable";
export async function load(): Promise<string> {
  const variables = { recipient: "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac" } as const;
  const { data } = await run(createClient(), StreamsByRecipient, variables, { chain: "ethereum" });
  return JSON.stringify(data.streams);
}
`;

it("typescript-eslint, strict and stylistic, prints nothing with the line that init prints", async () => {
  const tools = ["eslint", "typescript-eslint", "typescript@5", "@types/node"];
  const app = await emptyApplication("eslint", tools);
  await npm(["pkg", "set", "type=module"], app);
  write(app, "tsconfig.json", ['{ "compilerOptions": { "module": "nodenext", "strict": true } }']);
  const config = (ignores: string) => [
    'import { defineConfig } from "eslint/config";',
    'import tseslint from "typescript-eslint";',
    "export default defineConfig(",
    `  ${ignores}`,
    "  tseslint.configs.strictTypeChecked,",
    "  tseslint.configs.stylisticTypeChecked,",
    '  { languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["*.js"] } } } },',
    ");",
  ];
  write(app, "eslint.config.js", config(""));
  const screen = await setUp(app, undefined);
  const [line = ""] = /\{ ignores: .*\},/.exec(screen) ?? [];
  write(app, "eslint.config.js", config(line));
  expect(await execute("npx", ["eslint", "."], app)).toBe("");
});

it("webpack with ts-loader bundles", async () => {
  // A dependency of webpack-cli 7 needs Node 22.
  const app = await emptyApplication("webpack", ["webpack", "webpack-cli@6", "ts-loader", "typescript@5"]);
  write(app, "tsconfig.json", [
    '{ "compilerOptions": { "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "strict": true,',
    '  "lib": ["es2022", "dom"] }, "files": ["load.ts"] }',
  ]);
  await setUp(app, "");
  write(app, "load.ts", [PROGRAM]);
  write(app, "webpack.config.js", [
    'module.exports = { mode: "production", entry: "./load.ts", resolve: { extensions: [".ts", ".js"] },',
    '  module: { rules: [{ test: /\\.ts$/, use: "ts-loader" }] } };',
  ]);
  await execute("npx", ["webpack"], app);
});

it("ts-jest runs tests that use the client", async () => {
  const app = await emptyApplication("jest", ["jest@30", "ts-jest", "@types/jest", "typescript@5"]);
  write(app, "tsconfig.json", ['{ "compilerOptions": { "target": "es2022", "strict": true } }']);
  await setUp(app, "");
  for (const [path, code] of readNamedBlocks()) if (path.startsWith("jest.")) write(app, path, [code]);
  const config = readFileSync(join(app, "jest.config.js"), "utf8");
  write(app, "jest.config.js", [config, 'module.exports.preset = "ts-jest";']);
  write(app, "load.ts", [PROGRAM]);
  write(app, "load.test.ts", [
    'import { load } from "./load";',
    'test("loads", async () => { expect(JSON.parse(await load()).length).toBeGreaterThan(0); }, 60_000);',
  ]);
  await execute("npx", ["jest"], app);
});

it.each(["20.19", "22", "24", "26"])(
  "Node %s runs the toolkit, the client and the emulator",
  async (version) => {
    // The commands of npm prefer the programs of the project's packages: this Node.
    const app = await emptyApplication(`node-${version}`, [`node@${version}`]);
    await npm(["pkg", "set", "type=module"], app);
    await setUp(app, undefined);
    write(app, "load.js", [
      'import { startEmulator } from "lockflow/emulator";',
      "const emulator = await startEmulator();",
      "Object.assign(process.env, emulator.env());",
      PROGRAM.replaceAll(/: Promise<string>| as const|export /g, "")
        .replace("/client", "/client.js")
        .replace("/portable", "/portable.js"),
      "console.log(process.version, JSON.parse(await load()).length > 0);",
      "await emulator.close();",
    ]);
    expect(await execute("npx", ["node", "load.js"], app)).toMatch(
      new RegExp(`^v${version}\\.\\d.* true\n$`),
    );
  },
);

it("Bun runs the toolkit, tests and a bundle", async () => {
  const app = await emptyApplication("bun", ["bun", "@types/bun", "typescript@5"]);
  await npm(["pkg", "set", "type=module"], app);
  write(app, "tsconfig.json", [
    '{ "compilerOptions": { "target": "esnext", "module": "preserve", "moduleResolution": "bundler", "strict": true,',
    '  "types": ["bun"], "noEmit": true, "skipLibCheck": true }, "include": ["*.ts", "generated"] }',
  ]);
  await setUp(app, "");
  write(app, "load.ts", [PROGRAM]);
  write(app, "load.test.ts", [
    'import { expect, test } from "bun:test";',
    'import { startEmulator } from "lockflow/emulator";',
    'import { answering, row } from "lockflow-client/testing";',
    'import { createClient, run } from "./generated/client";',
    'import * as operations from "./generated/lockup/testing";',
    'import { routes } from "./generated/routes";',
    'import { load } from "./load";',
    "const { StreamsByRecipient } = operations;",
    'test("loads", async () => {',
    "  const emulator = await startEmulator();",
    "  Object.assign(process.env, emulator.env());",
    "  expect(JSON.parse(await load()).length).toBeGreaterThan(0);",
    "  await emulator.close();",
    "}, 60_000);",
    'test("answers", async () => {',
    '  const answers = { StreamsByRecipient: () => ({ streams: [row(StreamsByRecipient, { alias: "A" })] }) };',
    "  const client = createClient({ fetch: answering({ routes, operations }, answers) });",
    '  const { data } = await run(client, StreamsByRecipient, { recipient: "0x00" }, { chain: "ethereum" });',
    '  expect(data.streams[0]?.alias).toBe("A");',
    "});",
  ]);
  await execute("npx", ["bun", "test"], app);
  await execute("npx", ["bun", "x", "lockflow", "check"], app);
  await execute("npx", ["bun", "build", "load.ts", "--outdir", "out"], app);
  await execute("npx", ["tsc"], app);
});

it("Vite type-checks and builds", async () => {
  await execute("npx", ["--yes", "create-vite@latest", "vite-app", "--template", "react-ts"], folder);
  const app = join(folder, "vite-app");
  await npm(["install", "--no-audit", "--no-fund"], app);
  await setUp(app, ".ts");
  write(app, "src/load.ts", [PROGRAM.replace("/client", "/client.ts").replace("/portable", "/portable.ts")]);
  write(app, "src/main.tsx", [
    'import { load } from "./load.ts";',
    "document.body.textContent = await load();",
  ]);
  await execute("npm", ["run", "build"], app);
});

async function emptyApplication(name: string, packages: readonly string[]): Promise<string> {
  const app = join(folder, name);
  mkdirSync(app);
  await npm(["init", "-y"], app);
  await npm(["install", "--no-audit", "--no-fund", "--save-dev", ...packages], app);
  return app;
}

/**
 * Installs, sets up and generates, as the README describes; `init` has to choose the given extension. Returns what `init`
 * prints.
 */
async function setUp(app: string, importExtension: string | undefined): Promise<string> {
  await npm(["install", "--no-audit", "--no-fund", "--save-dev", tarballs.toolkit], app);
  await npm(["install", "--no-audit", "--no-fund", tarballs.client], app);
  const screen = await execute("npx", ["lockflow", "init", "--yes", "--protocols", "lockup"], app);
  const [, chosen] = /importExtension: "(.*)"/.exec(readFileSync(configOf(app), "utf8")) ?? [];
  expect(chosen).toBe(importExtension);
  await execute("npm", ["run", "generate"], app);
  await execute("npm", ["run", "check"], app);
  return screen;
}

function configOf(app: string): string {
  if (!existsSync(join(app, "tsconfig.json"))) return join(app, "lockflow.config.mjs");
  const { type } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  const isBundled = readFileSync(join(app, "tsconfig.json"), "utf8").includes("undler");
  return join(app, type === "module" || isBundled ? "lockflow.config.ts" : "lockflow.config.mjs");
}

function write(app: string, path: string, lines: readonly string[]): void {
  writeFileSync(join(app, path), `${lines.join("\n")}\n`);
}
