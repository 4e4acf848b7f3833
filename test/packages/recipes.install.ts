import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { readNamedBlocks } from "../support/docs/read-named-blocks.ts";
import { launchChromium } from "../support/launch-chromium.ts";
import { execute, npm, pack } from "./pack.ts";
import { startNext } from "./start-next.ts";

/** Builds the snippets of the documentation that name a file, in the application that Next.js creates. */
let folder: string;
let app: string;
let emulator: Emulator;
let server: ChildProcess;
let browser: Browser;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-recipes-"));
  app = join(folder, "app");
  const { toolkit, client } = await pack(folder);
  const flags = "--ts --eslint --app --no-tailwind --no-src-dir --use-npm --disable-git --yes".split(" ");
  await execute("npx", ["--yes", "create-next-app@latest", "app", ...flags], folder);
  const layout = join(app, "app/layout.tsx");
  writeFileSync(layout, withoutFonts(readFileSync(layout, "utf8")));
  await npm(["install", "--no-audit", "--no-fund", "--save-dev", toolkit], app);
  await npm(["install", "--no-audit", "--no-fund", client, "@tanstack/react-query"], app);
  await execute("npx", ["lockflow", "init", "--yes", "--protocols", "lockup", "--library"], app);
  for (const [path, code] of readNamedBlocks()) {
    if (!/^(app|operations)\//.test(path)) continue;
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), code);
  }
  await execute("npx", ["lockflow", "generate"], app);
  emulator = await startEmulator({ asOf: "now" });
  for (const flags of [["--webpack"], []]) await execute("npx", ["next", "build", ...flags], app);
  const env = { ...process.env, ...emulator.env(), NEXT_TELEMETRY_DISABLED: "1" };
  [server, url] = await startNext(app, "start", env);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.kill();
  await emulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("the snippets have no error of the template's linter and compiler", async () => {
  expect(await execute("npx", ["eslint", "."], app)).toBe("");
  await execute("npx", ["tsc", "--noEmit"], app);
});

it("the pages show rows, and each stream has a page", async () => {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`${url}/streams`);
  await page.locator("li").first().waitFor();
  expect(await page.locator("li").count()).toBe(5);
  expect(await page.getByText("No answer").count()).toBe(0);
  await page.goto(`${url}/streams/${await idOfBase()}`);
  await page.locator("p", { hasText: /^\d+$/ }).waitFor();
  expect(problems).toEqual([]);
});

it("the pages show a failure with its message and code", async () => {
  using _ = await emulator.fault({ kind: "404" });
  const page = await browser.newPage();
  await page.goto(`${url}/streams`);
  await page.locator("p", { hasText: /\(not-served\)$/ }).waitFor();
});

/** The id of a stream on Base. */
async function idOfBase(): Promise<string> {
  const endpoint = emulator.endpoints.find(
    (one) => /lockup-base$/.test(one.deployment) && one.environment === "testing",
  );
  const answer = await fetch(endpoint?.url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ streams(first: 1) { id } }" }),
  });
  const { data } = (await answer.json()) as {
    readonly data: { readonly streams: readonly { readonly id: string }[] };
  };
  return data.streams[0]?.id ?? "";
}

/** The template's fonts come from a host that may be unreachable in a build. */
function withoutFonts(layout: string): string {
  return layout
    .replace(/^import .*next\/font\/google.*\n/m, "")
    .replaceAll(/^const geist\w+ = [\s\S]*?^\}\);\n/gm, "")
    .replace(/ className=\{`[^`]*`\}/, "");
}
