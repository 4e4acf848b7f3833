import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pack, unpack } from "../packages/pack.ts";
import { REPOSITORY } from "../support/repository.ts";

/** Sends vesting and payments on Ethereum in the emulator's data, and on more chains than fit on a page. */
const SENDER = "0x355ba6d17d318069d8b008f41cb36fba6572e985";

/** The value of a key that the environment holds beside what the page may know. */
const CANARY = "canary-of-a-key";

let folder: string;
let server: ViteDevServer;
let browser: Browser;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-consumer-"));
  const project = join(folder, "consumer");
  cpSync(join(REPOSITORY, "examples/consumer"), project, {
    recursive: true,
    filter: (source) => !source.includes("node_modules"),
  });
  await install(project);
  execFileSync(process.execPath, [join(project, "node_modules/typescript/bin/tsc"), "-p", project], {
    stdio: "inherit",
  });
  process.env.LOCKFLOW_SUBGRAPH_API_KEY = CANARY;
  server = await createServer({
    root: project,
    cacheDir: join(folder, "cache"),
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  url = server.resolvedUrls?.local[0] ?? "";
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
    ],
  });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is published, beside what this repository has of everything else. */
async function install(project: string): Promise<void> {
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  const { toolkit, operations } = await pack(folder);
  await unpack(toolkit, join(modules, "lockflow"));
  await unpack(operations, join(modules, "lockflow-operations"));
}

let page: Page;
let problems: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
});

describe("the example of a consuming repository, on the packed packages", () => {
  it("shows streams of both protocols on one chain, and what happened to one", async () => {
    await page.goto(`${url}#/ethereum/${SENDER}`);
    const vesting = page.locator('section[aria-label="Vesting"]');
    const payments = page.locator('section[aria-label="Payments"]');
    await payments.locator("tr[data-stream]").first().waitFor();
    expect(await vesting.locator("tr[data-stream]").count()).toBe(17);
    expect(await payments.locator("tr[data-stream]").count()).toBe(8);
    expect(await vesting.locator("h2").innerText()).toBe("Vesting 17");

    await vesting.locator("tr[data-stream]").first().click();
    const actions = vesting.locator(".actions li");
    await actions.first().waitFor();
    expect(await actions.first().innerText()).toMatch(/^Create [\d,.]+ \w+ \d+ \w+ 20\d\d by 0x/);
    await picture("chain");
    expect(problems).toEqual([]);
  });

  it("says that there are more than a page, and gives them", async () => {
    await page.goto(`${url}#/all/${SENDER}`);
    const vesting = page.locator('section[aria-label="Vesting"]');
    await vesting.locator("tr[data-stream]").first().waitFor();
    expect(await vesting.locator("h2").innerText()).toBe("Vesting newest 100");
    await vesting.getByText("Show more").click();
    await vesting.locator("tr[data-stream]").nth(100).waitFor();
    await picture("all");
    expect(problems).toEqual([]);
  });

  it("goes to another chain and to an address that was active lately", async () => {
    await page.goto(url);
    await page.locator("select").selectOption("base");
    await page.locator(".chip").first().click();
    await page.locator("tr[data-stream]").first().waitFor();
    expect(page.url()).toMatch(/#\/base\/0x[0-9a-f]{40}$/);
    expect(await page.locator("footer").innerText()).toBe("Read from the subgraphs of Base.");
    await page.goBack();
    await page.locator("footer", { hasText: "Base" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("shows an error as an error, and not as an address without streams", async () => {
    await page.route(/flow-mainnet/, (route) =>
      route.fulfill({
        json: { errors: [{ message: "bad indexers" }] },
        headers: { "access-control-allow-origin": "*" },
      }),
    );
    await page.goto(`${url}#/ethereum/${SENDER}`);
    const alert = page.locator('section[aria-label="Payments"] [role="alert"]');
    await alert.waitFor();
    expect(await alert.innerText()).toBe("Nothing can be said about payments: bad indexers");
    expect(await page.locator('section[aria-label="Vesting"] tr[data-stream]').count()).toBe(17);
  });

  it("gives the page no key, whatever the environment has", async () => {
    const module = await server.transformRequest("/src/clock.ts");
    expect(module?.code).toContain("LOCKFLOW_MULTICHAIN_URL");
    expect(module?.code).not.toContain(CANARY);
  });
});

/** Leaves a picture to look at, where one is asked for. */
async function picture(name: string): Promise<void> {
  const target = process.env.PICTURES;
  if (target) await page.screenshot({ path: join(target, `consumer-${name}.png`) });
}
