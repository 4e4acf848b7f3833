import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrokenLinks } from "../../scripts/find-broken-links.ts";
import { BASE } from "../../site/pages.ts";
import { findViolations } from "../support/find-violations.ts";
import { openPages } from "../support/open-pages.ts";
import { REPOSITORY, readRepositoryTree } from "../support/repository.ts";

const DIST = join(REPOSITORY, "site/.vitepress/dist");
const TYPES: Readonly<Record<string, string>> = {
  ...{ ".html": "text/html", ".css": "text/css", ".js": "text/javascript" },
  ...{ ".png": "image/png", ".svg": "image/svg+xml" },
};

const MANY = Array.from({ length: 10_000 }, (_, index) => index);
const MISSPELT = "query A {\n  streams(first: 3) {\n    id\n    recipent\n  }\n}";

let server: Server;
let origin: string;
const pages = openPages((url) => url.startsWith(origin) || /^(?:data|blob):/.test(url));
beforeAll(async () => {
  if (!existsSync(DIST))
    throw new Error("The site is not built. Run `npm ci --prefix site && npm run site`.");
  server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname).slice(BASE.length);
    const file = [path, `${path}.html`, `${path}index.html`]
      .map((one) => join(DIST, one))
      .find((one) => existsSync(one) && statSync(one).isFile());
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": TYPES[extname(file ?? "")] ?? "text/plain",
    });
    response.end(file === undefined ? "" : readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await pages.open(options);
  await page.goto(`${origin}${BASE}${path}`, { waitUntil: "networkidle" });
  return page;
}

const statusOf = (page: Page) => page.getByRole("status");
const hashOf = (state: Readonly<Record<string, string>>) => `#${new URLSearchParams({ v: "1", ...state })}`;

/** Opens the playground with a state, and waits until its text is compiled. */
async function play(
  state: Readonly<Record<string, string>>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await open(`playground${hashOf(state)}`, options);
  await statusOf(page).filter({ hasNotText: "Loading" }).waitFor();
  return page;
}

const chainIn = (page: Page) => page.getByRole("combobox", { name: "Chain", exact: true });

async function runIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Both styles returned the same rows.").waitFor();
}

const LOOKS: readonly BrowserContextOptions[] = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", viewport: { width: 390, height: 900 } },
];

async function violationsIn(page: Page): Promise<string[]> {
  return (await findViolations(page)).filter((one) => !ACCEPTED.test(one));
}

const PAGES = Object.keys(readRepositoryTree("docs"))
  .filter((path) => path.endsWith(".md"))
  .map((path) => `docs/${path.slice(0, -".md".length)}`.replace(/README$/, ""))
  .concat("", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "entities", "playground");
const FACTS = `({
  isWider: document.documentElement.scrollWidth > innerWidth,
  headings: document.querySelectorAll("h1").length,
  brokenImages: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length,
})`;

/** The search button shows a shortcut that its label does not contain. It is part of VitePress. */
const ACCEPTED = /^label-content-name-mismatch/;

describe("each page", () => {
  it("leads to pages and anchors of the site", () => {
    expect(findBrokenLinks(DIST)).toEqual([]);
  });

  it.each([390, 768, 1280])("has no overflow, a heading and all pictures at %i px", async (width) => {
    const page = await open("", { viewport: { width, height: 900 } });
    for (const path of PAGES) {
      await page.goto(`${origin}${BASE}${path}`);
      const facts = await page.evaluate(FACTS);
      expect([path, facts]).toEqual([path, { isWider: false, headings: 1, brokenImages: 0 }]);
    }
  });

  it("loads no code of the playground, except the playground", async () => {
    await open("docs/client");
    expect(pages.requests.filter(({ url }) => /worker|editor|playground/.test(url))).toEqual([]);
  });

  it.each(["", "docs/client", "docs/findings", "docs/data", "entities"])(
    "has no violation of axe: /%s",
    async (path) => {
      for (const look of LOOKS) expect(await violationsIn(await open(path, look))).toEqual([]);
    },
  );
});

describe("search", () => {
  it.each([
    ["maxLag", "client"],
    ["operation/no-page-size", "findings"],
  ])("finds %s in %s, without a network once its index is loaded", async (word, page) => {
    const tab = await open("docs/start");
    await tab.getByRole("button", { name: "Search" }).click();
    await tab.getByRole("searchbox").fill("lock");
    await tab.locator(".result").first().waitFor();
    await tab.context().setOffline(true);
    await tab.getByRole("searchbox").fill(word);
    await tab.locator(`.result[href*="docs/${page}"]`).first().waitFor();
  });
});

describe("the playground", () => {
  it.each(["lockup", "flow"])(
    "compiles and runs all examples of %s, with equal rows in both styles",
    async (protocol) => {
      const page = await play({ protocol });
      const examples = await page.getByLabel("Example").locator("option").allTextContents();
      expect(examples).toHaveLength(1 + 11);
      for (const example of examples.slice(1)) {
        await page.getByLabel("Example").selectOption(example);
        await page
          .locator("pre")
          .filter({ hasText: new RegExp(`^query ${example}\\b`) })
          .nth(1)
          .waitFor();
        await statusOf(page).filter({ hasText: "Portable, without findings." }).waitFor();
        await runIn(page);
        const tables = await page.locator(".playground details").filter({ hasText: "Rows from" }).all();
        const [subgraph, multichain] = await Promise.all(
          tables.map((one) => one.locator("td").allTextContents()),
        );
        expect(subgraph?.length, example).toBeGreaterThan(0);
        expect(multichain).toEqual(subgraph);
      }
    },
  );

  it("shows the sentence of compile at its line, and keeps the last texts", async () => {
    const page = await play({ protocol: "lockup" });
    await page.locator("pre").filter({ hasText: "query StreamsByRecipient" }).first().waitFor();
    await page.getByRole("textbox", { name: "Operation" }).fill(MISSPELT);
    const note = page.getByRole("listitem").filter({ hasText: "operation/invalid" });
    expect(await note.textContent()).toContain(
      'Cannot query field "recipent" on type "Stream". Did you mean "recipient"?',
    );
    await page.locator(".cm-lintRange-error").filter({ hasText: "recipent" }).waitFor();
    expect(await page.locator(".old pre").first().textContent()).toContain("query StreamsByRecipient");
    await note.getByRole("button", { name: "4:5" }).click();
    await page.keyboard.type("x");
    await page.getByText("recipent").filter({ hasText: "xrecipent" }).first().waitFor();
    await note.getByRole("link").click();
    await page.waitForURL(/findings#operationinvalid$/);
    expect(await page.locator("#operationinvalid").count()).toBe(1);
  });

  it("shows a pitfall, and the result type", async () => {
    const page = await play({ text: "query A { streams { id } }" });
    await page.getByRole("listitem").filter({ hasText: "operation/no-page-size" }).waitFor();
    await page.getByText("Result type").click();
    await page.locator("pre").filter({ hasText: "export type AQuery = {" }).waitFor();
  });

  it("restores its state from the link", async () => {
    const text = "query B($n: Int!) { streams(first: $n) { id } }";
    const page = await play({ protocol: "flow", chain: "optimism", text, variables: '{ "n": 2 }' });
    await runIn(page);
    expect(await page.getByText("rows: 2").count()).toBe(2);
    await page.getByLabel("Variables").fill("n: 2");
    await page.getByRole("button", { name: "Run" }).click();
    await statusOf(page).filter({ hasText: "The variables are not a JSON object" }).waitFor();
    await page.getByLabel("Variables").fill('{ "n": 2 }');
    await runIn(page);
    await chainIn(page).selectOption("polygon");
    await page.waitForURL(/chain=polygon/);
    const copy = await open(page.url().slice(`${origin}${BASE}`.length));
    expect(await copy.getByRole("textbox", { name: "Operation" }).textContent()).toBe(text);
    expect(await copy.getByLabel("Variables").inputValue()).toBe('{ "n": 2 }');
    expect(await chainIn(copy).inputValue()).toBe("polygon");
  });

  it("completes fields, and is used by the keyboard alone", async () => {
    const page = await play({ text: "query A { streams(first: 2) { id cat } }" });
    await page.getByLabel("Example").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+End");
    for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("e");
    await page.locator(".cm-tooltip-autocomplete").getByText("category", { exact: true }).waitFor();
    // The list ignores keys for a while, so that Enter is not taken by surprise.
    await page.waitForTimeout(200);
    await page.keyboard.press("Enter");
    await statusOf(page).filter({ hasText: "Portable, without findings." }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Run");
    await page.keyboard.press("Enter");
    await page.getByText("Both styles returned the same rows.").waitFor();
  });

  it.each([
    ["nothing", "", "Write an operation"],
    ["nonsense", "}{ §$% \u0000 𝒬 \\u{}", "Errors: 1"],
    [
      "markup",
      'query A { streams(first: 1) { id <script>alert(1)</script> } } # <img src=x onerror="alert(2)">',
      "Errors: 1",
    ],
    ["names of markup", "query A { __proto__ constructor: streams(first: 1) { id } }", "Errors: 1"],
    [
      "10,000 lines",
      `query A { streams(first: 1) {\n${MANY.map((one) => `  a${one}: id\n`).join("")}} }`,
      "Portable",
    ],
    [
      "10,000 lists",
      `query A {\n${MANY.map((one) => `  a${one}: streams { id }\n`).join("")}}`,
      /was stopped|Warnings: 10000/,
    ],
    ["10,000 lines of errors", `query A {\n${"  x\n".repeat(10_000)}}`, "Errors: "],
  ])("survives %s", async (_, text, status) => {
    const page = await play({ protocol: "lockup" });
    await page.locator("pre").filter({ hasText: "query StreamsByRecipient" }).first().waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(hashOf({ text }))}`);
    await statusOf(page).filter({ hasText: status }).waitFor();
    await page.getByLabel("Example").selectOption("Assets");
    await statusOf(page).filter({ hasText: "Portable, without findings." }).waitFor();
    await runIn(page);
  });

  it.each<[state: string, given: Readonly<Record<string, string>>, act: (page: Page) => Promise<void>]>([
    ["empty", { text: "" }, async () => {}],
    ["error", { text: MISSPELT }, async () => {}],
    ["pitfall", { text: "query A { streams { id } }" }, async () => {}],
    ["result", { example: "StreamById" }, runIn],
    [
      "failed run",
      { text: "query A($n: Int!) { streams(first: $n) { id } }", variables: '{ "m": 1 }' },
      async (page) => {
        await page.getByRole("button", { name: "Run" }).click();
        await page.locator("p.error").first().waitFor();
      },
    ],
  ])("has no violation of axe: %s", async (_, given, act) => {
    for (const look of LOOKS) {
      const page = await play(given, look);
      await act(page);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await violationsIn(page)).toEqual([]);
    }
  });

  it("has no violation of axe while it loads the compiler", async () => {
    const page = await pages.open();
    await page.route(/worker/, () => {});
    await page.goto(`${origin}${BASE}playground`);
    await page.getByText("Loading the compiler").waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
});

it("the entities are found by a word and by differences, and lead to the playground", async () => {
  const page = await open("entities");
  await page.getByRole("searchbox").fill("cliffTime");
  await page.getByRole("rowheader", { name: "cliffTime" }).waitFor();
  expect(await page.getByRole("table").count()).toBe(1);
  await page.getByRole("link", { name: "StreamById" }).click();
  await page.locator("pre").filter({ hasText: "query StreamById" }).first().waitFor();
  await page.goBack();
  await page.getByLabel("only fields that differ").check();
  await page.getByText("only on multichain").first().waitFor();
  expect(await page.getByRole("rowheader", { name: "depositAmount" }).count()).toBe(0);
  await page.getByRole("searchbox").fill("zzz");
  await statusOf(page).filter({ hasText: "No entity" }).waitFor();
});
