import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { Assets, StreamsByParticipant } from "../../generated/lockup/proxied.js";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";
import { findViolations } from "../support/find-violations.ts";
import { launchChromium } from "../support/launch-chromium.ts";
import { REPOSITORY } from "../support/repository.ts";
import { npm, pack } from "./pack.ts";
import { startNext } from "./start-next.ts";

/** The only key that the emulator accepts; the server has it, a page does not. */
const KEY = "canary-of-a-key";

let folder: string;
let project: string;
let env: NodeJS.ProcessEnv;
let emulator: Emulator;
let server: ChildProcess;
let browser: Browser;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-next-"));
  project = join(folder, "next");
  cpSync(join(REPOSITORY, "examples/next"), project, {
    recursive: true,
    filter: (source) => !/node_modules|\.next\b/.test(source),
  });
  const { toolkit, client, operations } = await pack(folder);
  await npm(["install", "--no-audit", "--no-fund", toolkit, client, operations], project);
  emulator = await startEmulator({ apiKeys: [KEY] });
  env = { ...process.env, ...emulator.env(), LOCKFLOW_SUBGRAPH_API_KEY: KEY, NEXT_TELEMETRY_DISABLED: "1" };
  await next(["build"]);
  [server, url] = await startNext(project, "start", env);
  browser = await launchChromium();
}, 600_000);

afterAll(async () => {
  await browser?.close();
  server?.kill();
  await emulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const program = () => join(project, "node_modules/next/dist/bin/next");

function next(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program(), ...args], { cwd: project, env }, (error, out, err) =>
      error ? reject(new Error(`next ${args.join(" ")}: ${out}${err}`)) : resolve(),
    );
  });
}

let page: Page;
let asked: string[];
let problems: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1000, height: 1000 } });
  asked = [];
  problems = [];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()} ${request.postData()}`));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
});

describe("the example of a Next.js application, with the packed packages", () => {
  it("lists streams from its server and others through its own route", async () => {
    await page.goto(url);
    const newest = page.locator('section[aria-label="Newest"]');
    const participant = page.locator('section[aria-label="Participant"]');
    expect(await newest.locator("h2").innerText()).toBe(`The newest of ${CHAIN_COUNTS.mainnets} chains`);
    expect(await newest.locator("tr[data-stream]").count()).toBe(10);
    await participant.locator("tr[data-stream]").first().waitFor();
    expect(await participant.locator(".source").innerText()).toMatch(
      /^From the multichain indexer, as of block \d+\.$/,
    );
    await picture("ethereum");

    await participant.locator("tr[data-stream] button").first().click();
    expect(await participant.locator(".amounts").innerText()).toMatch(
      /^L\S+-1-\d+ has streamed [\d,.]+ of [\d,.]+ \S+, and [\d,.]+ can be withdrawn\.$/,
    );

    await page.getByLabel("Chain").selectOption("base");
    await participant.locator("tr[data-stream^=L][data-stream*='-8453-']").first().waitFor();
    await page.getByLabel("Address").fill("0x0000000000000000000000000000000000000001");
    await participant.getByText("None.").waitFor();

    // Only the server of the page got requests, each with the name of an operation.
    expect(asked.filter((request) => !request.includes(` ${url}/`))).toEqual([]);
    const questions = asked.filter((request) => request.startsWith("POST"));
    expect(questions.length).toBeGreaterThanOrEqual(3);
    for (const question of questions)
      expect(question).toMatch(/"operation":"(StreamsByParticipant|StreamById)"/);
    expect(questions.join()).not.toContain("query ");
    expect(problems).toEqual([]);
  });

  it.each([390, 768, 1280])("fits %i px, and axe reports no violation", async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(url);
    await page.locator('section[aria-label="Participant"] tr[data-stream]').first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const text = await page.evaluate("getComputedStyle(document.body).color");
      expect(text).toBe(colorScheme === "dark" ? "rgb(255, 255, 255)" : "rgb(0, 0, 0)");
      await picture(`${width}-${colorScheme}`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await findViolations(page)).toEqual([]);
    }
  });

  it("uses the subgraph with the server's key if multichain fails, and reports failures", async () => {
    const participant = page.locator('section[aria-label="Participant"]');
    {
      using _ = await emulator.fault({ kind: "404", style: "multichain" });
      await page.goto(url);
      await participant.locator(".source").waitFor();
      expect(await participant.locator(".source").innerText()).toContain("From the subgraph indexer");
    }
    using _ = await emulator.fault({ kind: "404", deployment: "polygon" });
    using __ = await emulator.fault({ kind: "404", style: "multichain" });
    await page.getByLabel("Chain").selectOption("polygon");
    await participant.locator('[role="alert"]').waitFor();
    expect(await participant.locator('[role="alert"]').innerText()).toMatch(
      /^Nothing is known: protocol-lockup-multichain: .*; protocol-lockup-polygon: not-served, HTTP 404$/,
    );
    expect(await participant.locator("tr[data-stream]").count()).toBe(0);
    await picture("polygon");
  });

  it("answers only the operations of the page", async () => {
    const ask = async (body: object) => {
      const answer = await fetch(`${url}/api/indexers`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.text()] as const;
    };
    const callOf = ({ name, protocol, digest }: Pick<typeof Assets, "name" | "protocol" | "digest">) => {
      return { call: "run", protocol, operation: name, digest, options: { chain: "base" } };
    };
    const answers = await Promise.all([
      ask({ ...callOf(StreamsByParticipant), variables: { address: "0x01" } }),
      ask(callOf(Assets)),
      ask({ query: "{ streams { id } }" }),
      ask({ ...callOf(Assets), operation: "x".repeat(70_000) }),
    ]);
    expect(answers.map(([status]) => status)).toEqual([200, 400, 400, 413]);
    expect(JSON.stringify(answers)).not.toContain(KEY);
    expect((await fetch(`${url}/api/indexers`)).status).toBe(405);
  });

  it("sends pages no key and no host of an indexer", async () => {
    const root = join(project, ".next/static");
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
    // The searched files include the client code, so a key would be found.
    expect(text).toContain("/api/indexers");
    const html = await (await fetch(url)).text();
    for (const shown of [text, html]) {
      expect(shown).not.toContain(KEY);
      expect(shown).not.toContain(new URL(emulator.url).host);
    }
    // Code for the server only is not sent either.
    expect(text).not.toContain("The method must be POST.");
  });
});

describe("in development", () => {
  it("starts its own emulator if no variable is set", async () => {
    const [developing, at] = await startNext(project, "dev", {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: "1",
    });
    try {
      expect(await (await fetch(at)).text()).toMatch(
        new RegExp(`The newest of (<!-- -->)?${CHAIN_COUNTS.mainnets}(<!-- -->)? chains`),
      );
    } finally {
      developing.kill();
      await once(developing, "exit");
    }
  });
});

/** Takes a screenshot if PICTURES is set. */
async function picture(name: string): Promise<void> {
  const target = process.env["PICTURES"];
  if (target) await page.screenshot({ path: join(target, `next-${name}.png`), fullPage: true });
}
