import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { findViolations } from "../support/find-violations.ts";
import { openPages } from "../support/open-pages.ts";

const NAME = "protocol-lockup-base";

const pages = openPages();
let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 3 });
});
afterAll(() => emulator?.close());

let page: Page;
beforeEach(async () => {
  page = await pages.open();
  await page.goto(`${emulator.url}/testing/${NAME}`);
});

/** Replaces the query by typing lines at the keyboard. */
async function type(lines: readonly string[]): Promise<void> {
  await page.click("#query");
  await page.keyboard.press("Control+A");
  for (const [index, line] of lines.entries()) {
    if (index > 0) await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
}

async function answer(): Promise<unknown> {
  await page.locator("#status", { hasText: /^HTTP \d/ }).waitFor();
  return JSON.parse((await page.textContent("#result")) ?? "");
}

describe("the query page in a browser", () => {
  it("opens from a testing URL and lists the fields that can be queried", async () => {
    expect(page.url()).toBe(`${emulator.url}/testing/${NAME}/graphql`);
    expect(await page.title()).toBe(NAME);
    expect(await page.textContent("#endpoint")).toBe(`POST ${emulator.url}/testing/${NAME}`);
    await page.waitForSelector("#docs li");
    await page.fill("#filter", "watch");
    expect(await page.locator("#docs li button").allTextContents()).toEqual(["watcher", "watchers"]);
  });

  it("answers a query that is typed and run with the keyboard", async () => {
    await type(["{", "watchers {", "id", "chainId", "}", "}"]);
    expect(await page.inputValue("#query")).toBe("{\n  watchers {\n    id\n    chainId\n  }\n}");
    await page.keyboard.press("Control+Enter");
    expect(await answer()).toEqual({ data: { watchers: [{ id: "8453", chainId: "8453" }] } });
    expect(await page.textContent("#status")).toMatch(/^HTTP 200, \d+ ms$/);
    await page.click("#headers summary");
    expect(await page.locator("#header-list dt").allTextContents()).toContain("graph-indexed");
  });

  it("sends variables, and reports that an answer has errors", async () => {
    await type(["query ($id: ID!) { watcher(id: $id) { id } nope }"]);
    await page.fill("#variables", '{ "id": "8453" }');
    await page.click("#run");
    expect(await answer()).toHaveProperty("errors.0.message", "Type `Query` has no field `nope`");
    expect(await page.textContent("#status")).toContain("with errors");
  });

  it("inserts a field into the query, which can then be run", async () => {
    await page.click('#docs li button:has-text("watchers")');
    await page.click("#run");
    expect(await answer()).toHaveProperty("data.watchers.0.chainId", "8453");
  });

  it("restores earlier queries", async () => {
    await type(["{ watchers { id } }"]);
    await page.keyboard.press("Control+Enter");
    await answer();
    await page.reload();
    await page.selectOption("#history", { label: "{ watchers { id } }" });
    expect(await page.inputValue("#query")).toBe("{ watchers { id } }");
  });

  it("reads a query from its own URL", async () => {
    const query = "{ __typename }";
    await page.goto(`${emulator.url}/subgraphs/name/${NAME}/graphql?${new URLSearchParams({ query })}`);
    expect(await page.inputValue("#query")).toBe(query);
    await page.click("#run");
    expect(await answer()).toEqual({ data: { __typename: "Query" } });
  });

  it.each([390, 768, 1280])("fits a screen of %i px, and axe reports no violation", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.click("#run");
      await answer();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await findViolations(page)).toEqual([]);
    }
  });
});
