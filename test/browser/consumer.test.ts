import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { pack, unpack } from "../packages/pack.ts";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";
import { findViolations } from "../support/find-violations.ts";
import { openPages } from "../support/open-pages.ts";
import { REPOSITORY } from "../support/repository.ts";
import { runNode } from "../support/run-process.ts";

/** A sender of vesting and payments on Ethereum, and on more chains than fit on a page, in the emulator's data. */
const SENDER = "0x355ba6d17d318069d8b008f41cb36fba6572e985";

const pages = openPages();
let folder: string;
let project: string;
let server: ViteDevServer;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-consumer-"));
  project = join(folder, "consumer");
  cpSync(join(REPOSITORY, "examples/consumer"), project, {
    recursive: true,
    filter: (source) => !source.includes("node_modules"),
  });
  await install(project);
  for (const command of ["introspect", "generate"]) {
    execFileSync(process.execPath, [join(project, "node_modules/lockflow/dist/cli.js"), command], {
      cwd: project,
    });
  }
  execFileSync(process.execPath, [join(project, "node_modules/typescript/bin/tsc"), "-p", project], {
    stdio: "inherit",
  });
  server = await serve("cache");
  url = server.resolvedUrls?.local[0] ?? "";
}, 180_000);
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(cache: string): Promise<ViteDevServer> {
  const server = await createServer({
    root: project,
    cacheDir: join(folder, cache),
    logLevel: "error",
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  return server;
}

/** Installs the published packages, and everything else from this repository. */
async function install(project: string): Promise<void> {
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, "node_modules"))) {
    if (!name.startsWith(".") && name !== "lockflow-client")
      symlinkSync(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  const { toolkit, client, operations } = await pack(folder);
  await unpack(toolkit, join(modules, "lockflow"));
  await unpack(client, join(modules, "lockflow-client"));
  await unpack(operations, join(modules, "lockflow-operations"));
}

let page: Page;
beforeEach(async () => {
  page = await pages.open({ viewport: { width: 1280, height: 1000 } });
});

describe("the example of a consuming repository, with the packed packages", () => {
  it("is built without a warning", async () => {
    const args = [join(project, "node_modules/vite/bin/vite.js"), "build"];
    const { code, out, err } = await runNode(args, { cwd: project });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toMatch(/warn|\(!\)/i);
  });

  it("shows the streams of both protocols on one chain, and the actions of one", async () => {
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
  });

  it("sends one request per call and protocol, for all chains", async () => {
    const calls: string[] = [];
    // In development, React mounts each component twice, and aborts the first request before its answer. Pages abort the
    // rest of an answer after its last line, so that not every request is finished.
    page.on("response", (response) => {
      const { call, protocol, operation } = response.request().postDataJSON() ?? {};
      if (call) calls.push(`${call} ${protocol} ${operation}`);
    });
    await page.goto(`${url}#/all/${SENDER}`);
    await page.locator(".figures").waitFor();
    await page.waitForLoadState("networkidle");
    expect(calls.sort()).toEqual([
      "merged lockup LatelyActive",
      "pages flow StreamsOf",
      "pages lockup StreamsOf",
    ]);
  });

  it("shows figures only after both protocols answered, and totals by chain and asset address", async () => {
    let answerAll = (): void => {};
    const isAnswering = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    await page.route("**/api/indexers**", async (route) => {
      if (/"flow"/.test(route.request().postData() ?? "")) await isAnswering;
      await route.continue();
    });
    await page.goto(`${url}#/all/${SENDER}`);
    await page.locator('section[aria-label="Vesting"] tr[data-stream]').first().waitFor();
    const figures = page.locator(".figures");
    expect(await figures.count()).toBe(0);
    answerAll();
    await figures.waitFor();
    expect(await figures.innerText()).toMatch(/of \d{3} streams run now/);
    // Tokens with the same symbol have one address per chain.
    const amounts = await page.locator("tr[data-stream] td.number:nth-of-type(4)").allInnerTexts();
    const symbols = new Set(amounts.map((text) => text.split(" ").at(-1)));
    const [, assets] = /(\d+)\s+different assets/.exec(await figures.innerText()) ?? [];
    expect(Number(assets)).toBeGreaterThan(symbols.size);
    const totals = page.locator('section[aria-label="Totals"]');
    expect(await totals.locator("h2").innerText()).toBe(`Assets ${assets}`);
    expect(await totals.locator("tbody tr").count()).toBe(10);
    await totals.getByText("Show more").click();
    expect(await totals.locator("tbody tr").count()).toBe(20);
  });

  it("loads the streams of all chains, shows 50 more at a time, newest first, without duplicates", async () => {
    await page.goto(`${url}#/all/${SENDER}`);
    const vesting = page.locator('section[aria-label="Vesting"]');
    const rows = vesting.locator("tr[data-stream]");
    await rows.first().waitFor();
    expect(await page.locator("summary").first().innerText()).toContain(
      `Vesting: ${CHAIN_COUNTS.all} of ${CHAIN_COUNTS.all} chains answered`,
    );
    const [, count] = /^Vesting (\d+)$/.exec(await vesting.locator("h2").innerText()) ?? [];
    expect(Number(count)).toBeGreaterThan(100);
    expect(await rows.count()).toBe(50);
    for (const count of [50, 100]) {
      await vesting.getByText("Show more").click();
      await rows.nth(count).waitFor();
    }
    const ids = await attributes(rows, "data-stream");
    expect(new Set(ids).size).toBe(ids.length);
    await picture("all");
  });

  it("draws linear, dynamic and tranched unlocks with their own shapes", async () => {
    await page.goto(`${url}#/all/${SENDER}`);
    const shapes = page.locator('section[aria-label="Vesting"] svg.shape');
    await shapes.first().waitFor();
    const kinds = await attributes(shapes, "aria-label");
    const lines = await attributes(shapes.locator("polyline"), "points");
    const drawn = kinds.map((kind, at) => ({
      kind,
      points: lines[at]?.split(" ").map((point) => point.split(",").map(Number)) ?? [],
    }));
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(
      new Set(["linear unlock", "dynamic unlock", "tranched unlock"]),
    );
    for (const { kind, points } of drawn) {
      const heights = points.map(([, y = 0]) => y);
      // From zero to the total, and never decreasing.
      expect(heights.at(-1)).toBe(0);
      expect(heights).toEqual([...heights].sort((a, b) => b - a));
      const rises = points.slice(1).filter(([x = 0, y = 0], at) => {
        const [lastX = 0, lastY = 0] = points[at] ?? [];
        return y < lastY && x > lastX + 1;
      });
      // Steps rise at once, between two points with the same x. Lines and curves rise over time.
      expect({ kind, rises: rises.length > 0 }).toEqual({ kind, rises: kind !== "tranched unlock" });
    }
  });

  it("opens another chain and a recently active address", async () => {
    await page.goto(url);
    await page.locator("select").selectOption("base");
    await page.locator(".chip").first().click();
    await page.locator("tr[data-stream]").first().waitFor();
    expect(page.url()).toMatch(/#\/base\/0x[0-9a-f]{40}$/);
    expect(await page.locator("summary").first().innerText()).toBe("Vesting: 1 of 1 chain answered");
    await page.goBack();
    await page.locator("summary").first().waitFor({ state: "detached" });
  });
});

describe("the example on any screen", () => {
  it.each([390, 768, 1280])("fits %i px, and axe reports no violation", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${url}#/ethereum/${SENDER}`);
    await page.locator('section[aria-label="Payments"] tr[data-stream]').first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(`${width}-${colorScheme}`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await findViolations(page)).toEqual([]);
    }
  });
});

describe("the example with failing indexers", () => {
  const CANARY = "canary-of-a-key";
  const before = { ...process.env };
  let emulator: Emulator;
  let bad: ViteDevServer;
  beforeAll(async () => {
    emulator = await startEmulator({
      apiKeys: [CANARY],
      faults: [
        { kind: "502", deployment: "lightlink" },
        { kind: "wrong-chain", chain: "gnosis", deployment: "sei" },
        { kind: "lagging-head", blocks: 5000, deployment: "protocol-flow-multichain" },
        { kind: "missing-chain", chain: "base", style: "multichain" },
      ],
    });
    Object.assign(process.env, emulator.env(), { LOCKFLOW_SUBGRAPH_API_KEY: CANARY });
    bad = await serve("cache-of-a-bad-day");
  });
  afterAll(async () => {
    await bad?.close();
    await emulator?.close();
    for (const name of Object.keys(emulator?.env() ?? {})) delete process.env[name];
    Object.assign(process.env, before);
  });

  it("lists failed and late chains beside the streams of the others", async () => {
    await page.goto(`${bad.resolvedUrls?.local[0]}#/all/${SENDER}`);
    await page.locator('section[aria-label="Payments"] tr[data-stream]').first().waitFor();
    await page.locator("summary").nth(1).waitFor();
    const [vesting = "", payments = ""] = await page.locator("summary").allInnerTexts();
    const answered = `${CHAIN_COUNTS.all - 2} of ${CHAIN_COUNTS.all} chains answered`;
    const missing = " · streams of 2 are missing here$";
    expect(vesting).toMatch(new RegExp(`^Vesting: ${answered}.*${missing}`));
    expect(payments).toMatch(new RegExp(`^Payments: ${answered}, \\d+ of them late${missing}`));
    const failed = await page.locator(".chain-states").first().locator(".failed").allInnerTexts();
    expect(failed).toEqual(["LightLink Phoenix Mainnet unavailable", "Sei Network wrong-chain"]);
    const late = await page.locator(".chain-states").nth(1).locator(".late").allInnerTexts();
    expect(late).toContain("OP Mainnet 3 h");
    await picture("bad-day");
  });

  it("shows an error as an error, not as an address without streams", async () => {
    await page.goto(`${bad.resolvedUrls?.local[0]}#/sei/${SENDER}`);
    const alert = page.locator('section[aria-label="Vesting"] [role="alert"]');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(
      /^Vesting could not be loaded: .*returned a row of the chain 100/,
    );
    expect(await page.getByText("None with this address").count()).toBe(0);
    // The browser reports the failed requests, too.
    expect(pages.problems.splice(0).length).toBeGreaterThan(0);
  });

  it("sends requests to its own server only, without a key", async () => {
    await page.goto(`${bad.resolvedUrls?.local[0]}#/all/${SENDER}`);
    await page.locator("tr[data-stream]").first().waitFor();
    const own = new URL(bad.resolvedUrls?.local[0] ?? "").host;
    const urls = pages.requests.map(({ url }) => url);
    expect(urls.filter((one) => one.startsWith("http") && new URL(one).host !== own)).toEqual([]);
    expect(urls.filter((one) => one.includes("/api/indexers")).length).toBeGreaterThan(0);
    expect(JSON.stringify(pages.requests)).not.toContain(CANARY);
    expect((await bad.transformRequest("/src/client.ts"))?.code).not.toContain(CANARY);
  });
});

async function attributes(all: Locator, name: string): Promise<string[]> {
  return Promise.all((await all.all()).map(async (one) => (await one.getAttribute(name)) ?? ""));
}

/** Takes a screenshot if PICTURES is set. */
async function picture(name: string): Promise<void> {
  const target = process.env.PICTURES;
  if (target) await page.screenshot({ path: join(target, `consumer-${name}.png`) });
}
