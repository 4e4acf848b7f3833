import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playWorstDay } from "../../docs/picture/play-worst-day.ts";
import { digestShown } from "../../docs/picture/take-screenshot.ts";
import { html } from "../../src/report/forms/html.ts";
import type { Report } from "../../src/report/report.ts";
import { endpoint, goneField, PLAIN, report } from "../report/fixtures.ts";
import { findViolations } from "../support/find-violations.ts";
import { openPages } from "../support/open-pages.ts";
import { readRepositoryFile } from "../support/repository.ts";

const VIEWS = ["fleet", "parity", "coverage", "findings"];
/** The event that a browser dispatches before printing. */
const PRINT = "dispatchEvent(new Event('beforeprint'))";

const BROKEN = "coverage?operation=lockup%2Fsubgraph%2FAllStreams&chain=linea";

const pages = openPages((url) => url.startsWith("file:"));
let folder: string;
let worst: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lockflow-page-"));
  worst = store("worst", await playWorstDay());
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the page of a report and returns its file URL. */
function store(name: string, given: Report): string {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, html.render(given, PLAIN));
  return pathToFileURL(path).href;
}

/** Opens a page of a report from the disk. */
async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await pages.open({ viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(address);
  return page;
}

/** The view that is shown. */
const shownView = (page: Page) => page.locator("main > section:not([hidden])");

const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

describe("the page of a report with many failures", () => {
  it("opens on the findings, first those that fail the run, and only those can be accepted", async () => {
    const page = await open(worst);
    expect(await shownView(page).getAttribute("aria-label")).toBe("Findings");
    expect(await shownView(page).locator("h2").allInnerTexts()).toEqual([
      "To act on 2",
      "Others 5",
      "Endpoints without an answer, not compared",
    ]);
    const accepting = shownView(page).locator("article", { hasText: "lockflow accept" });
    expect(await accepting.locator(".name").allInnerTexts()).toEqual(["Stream.cliffAmount"]);
  });

  it("shows the state of each deployment in its cell", async () => {
    const page = await open(`${worst}#fleet`);
    expect(await page.textContent("h1")).toContain("wrong chain (protocol-lockup-optimism)");
    const legend = await shownView(page).locator(".legend li").allTextContents();
    expect(legend.map((text) => text.replace(/^\W/, ""))).toEqual(
      expect.arrayContaining(["wrong chain or indexer 1", "drifted 3", "silent 10", "platform variant 1"]),
    );
    const row = (chain: string) =>
      page.locator(".fleet tbody tr", { has: page.locator(`th:text-is("${chain}")`) });
    expect(await row("linea").locator("td").nth(3).innerText()).toContain("drifted");
    expect(await row("abstract").locator("td").nth(1).innerText()).toContain("silent 5 days");
    expect(await row("ethereum").locator("td").nth(3).innerText()).toContain("\u221248,210");
    expect(await row("iotex").locator("td").nth(1).innerText()).toContain("retired since 2026-08");
    expect(await row("base").locator("td").nth(1).innerText()).toContain("graph-node-0.44");
    // The line of heads is flat if they did not change.
    const heights = async (chain: string, column: number) => {
      const line = row(chain).locator("td").nth(column).locator("polyline");
      const points = ((await line.getAttribute("points")) ?? "").split(" ");
      return new Set(points.map((point) => point.split(",")[1])).size;
    };
    expect(await heights("scroll", 3)).toBe(1);
    expect(await heights("base", 3)).toBeGreaterThan(5);
  });

  it("matches the picture in docs/report.md", async () => {
    const page = await open(`${worst}#fleet`);
    // `npm run picture` takes it again.
    expect(`${await digestShown(page)}\n`).toBe(readRepositoryFile("docs/picture/report.sha256"));
  });

  it("links from a cell to its findings, and from there to all", async () => {
    const page = await open(`${worst}#fleet`);
    await page.locator(".fleet td.drifted a").first().click();
    expect(hashOf(page)).toBe("#findings?protocol=lockup&style=subgraph&chain=arbitrum");
    await expect
      .poll(() => shownView(page).locator("article .name").allTextContents())
      .toEqual(["Stream.cliffAmount"]);
    await page.getByText("Show all").click();
    await expect.poll(() => shownView(page).locator("article").count()).toBe(7);
    await page.goBack();
    await expect.poll(() => shownView(page).locator("article").count()).toBe(1);
    await page.goBack();
    await page.locator(".fleet td.silent a").first().click();
    expect(await shownView(page).locator("dl.silent").innerText()).toContain("protocol-flow-abstract");
    await expect.poll(() => shownView(page).locator("article").count()).toBe(0);
  });

  it("filters the findings by its URL, which can be linked", async () => {
    const page = await open(`${worst}#findings?severity=risky`);
    await expect.poll(() => shownView(page).locator("article").count()).toBe(2);
    expect(await page.inputValue("#filter-severity")).toBe("risky");
    await page.focus("#filter-chain");
    await page.selectOption("#filter-chain", "scroll");
    expect(hashOf(page)).toBe("#findings?severity=risky&chain=scroll");
    await expect
      .poll(() => shownView(page).locator("article .name").allTextContents())
      .toEqual(["protocol-lockup-scroll"]);
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("filter-chain");
    await page.selectOption("#filter-severity", "");
    expect(hashOf(page)).toBe("#findings?chain=scroll");
    const gone = await open(`${worst}#findings?operation=AllStreams&severity=additive`);
    expect(await shownView(gone).innerText()).toContain("Nothing was found here.");
  });

  it("opens the text of an operation with the line marked, and the change", async () => {
    const page = await open(`${worst}#coverage`);
    const cell = page.getByRole("link", { name: "AllStreams on linea: broken" });
    await cell.click();
    expect(hashOf(page)).toBe("#coverage?chain=linea&operation=lockup/subgraph/AllStreams");
    const dialog = page.locator("dialog");
    expect(await dialog.locator("h2").innerText()).toBe("AllStreams on linea");
    expect(await dialog.locator(".before").innerText()).toBe("Stream.cliffAmount: BigInt");
    expect(await dialog.locator(".gone").innerText()).toBe("gone");
    expect(await dialog.locator("mark").innerText()).toMatch(/^30\s+cliffAmount\s*$/);
    expect(await dialog.locator("mark").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => hashOf(page)).toBe("#coverage");
    await expect.poll(() => focused(page)).toBe("AllStreams on linea: broken");
    // The same with the browser's back button, and after a reload.
    await page.goBack();
    await dialog.waitFor();
    await page.reload();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expect(hashOf(page)).toBe("#coverage");
    await expect.poll(() => focused(page)).toBe("AllStreams on linea: broken");
  });

  it("shows each place of a finding with several places", async () => {
    const where = { protocol: "lockup", style: "subgraph", deployments: ["lockup-linea"] } as const;
    const other = { ...where, style: "multichain", deployments: ["lockup-all"] } as const;
    const elsewhere = [
      { fingerprint: "9c41e07ab2d6", where: other, before: "numeric!", after: null, place: null },
    ];
    const finding = goneField({ where, elsewhere });
    const given = report();
    const ofAll = { name: "AssetOfAll", protocol: "lockup", style: "multichain" } as const;
    const chains = ["base", "linea", "gnosis"];
    const hits = [...finding.operations, ...finding.operations.map((one) => ({ ...one, ...ofAll }))];
    const operations = given.operations.map((one) => ({ ...one, ...ofAll, chains: ["base", "linea"] }));
    const address = store("places", {
      ...given,
      endpoints: [...given.endpoints, endpoint("all", { style: "multichain", chains })],
      findings: [{ ...finding, operations: hits }],
      operations: [...given.operations, ...operations.slice(0, 1)],
    });
    const here = await open(`${address}#findings?style=multichain&chain=base`);
    await expect.poll(() => shownView(here).locator("article").count()).toBe(1);
    await here.evaluate("location.hash = '#findings?style=subgraph&chain=base'");
    await expect.poll(() => shownView(here).locator("article").count()).toBe(0);
    const page = await open(`${address}#coverage?operation=lockup/multichain/AssetOfAll&chain=base`);
    expect(await page.locator("dialog .before").innerText()).toBe("Asset.symbol: numeric!");
    await page.evaluate("location.hash = '#coverage?operation=lockup/subgraph/AssetById&chain=gnosis'");
    await expect.poll(() => page.locator("dialog h2").innerText()).toBe("AssetById on gnosis");
    expect(await page.locator("dialog .before").count()).toBe(0);
  });

  it("shows the first places of a finding, and the number of others", async () => {
    const [hit] = goneField().operations;
    if (hit === undefined) throw new Error("The fixture hits an operation.");
    const finding = goneField({
      operations: Array.from({ length: 300 }, (_, line) => ({ ...hit, line: line + 1 })),
      derived: 250,
      derivedCoordinates: Array.from({ length: 250 }, (_, at) => `A.f${at}`),
    });
    const page = await open(`${store("large", report({ findings: [finding] }))}#findings`);
    const article = shownView(page).locator("article");
    expect(await article.locator("summary").allTextContents()).toEqual([
      "300 places in operations",
      "250 coordinates that change with it",
    ]);
    expect(await article.locator(".places li").count()).toBe(201);
    expect(await article.locator(".places li").last().textContent()).toBe("and 100 more");
    expect(await article.locator(".derived").textContent()).toMatch(/ A\.f99 {2}and 150 more$/);
  });

  it("scrolls to the top of a new view, and back to the old position on return", async () => {
    const page = await open(`${worst}#coverage`);
    await page.evaluate("scrollTo(0, 300)");
    await page.getByRole("link", { name: "Parity" }).click();
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
    await page.getByRole("link", { name: "Coverage" }).click();
    await expect.poll(() => page.evaluate("scrollY")).toBe(300);
  });

  it("copies the next command", async () => {
    const page = await open(`${worst}#findings?severity=breaking`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("button", { name: /^Copy lockflow accept/ }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
      /^lockflow accept [0-9a-f]{12} --reason "…" --from report\.json$/,
    );
    expect(await page.locator("body > [role=status]").textContent()).toBe("Copied");
  });

  it("shows both styles side by side", async () => {
    const page = await open(`${worst}#parity`);
    expect(await shownView(page).locator("summary").first().innerText()).toMatch(
      /^Revenue\s*only multichain, \d+ fields$/,
    );
    await shownView(page).locator("summary", { hasText: "Stream" }).first().click();
    const table = shownView(page).getByRole("table", { name: "Fields of Stream" }).first();
    expect(await table.locator("tbody tr").first().innerText()).toMatch(/another scalar$/);
  });
});

describe("the page is accessible", () => {
  it.each(["light", "dark"] as const)("axe reports no violation, in %s", async (colorScheme) => {
    for (const view of [...VIEWS, BROKEN, "findings?chain=linea"]) {
      const page = await open(`${worst}#${view}`, { colorScheme });
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect({ view, found: await findViolations(page) }).toEqual({ view, found: [] });
      await page.context().close();
    }
  });

  it("axe reports no violation on a narrow screen, and nothing overflows it", async () => {
    for (const view of [...VIEWS, BROKEN]) {
      const page = await open(`${worst}#${view}`, { viewport: { width: 390, height: 800 }, hasTouch: true });
      expect({ view, found: await findViolations(page) }).toEqual({ view, found: [] });
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect({ view, width }).toEqual({ view, width: 390 });
      await page.context().close();
    }
  });

  it.each([390, 768, 1280])("shows all columns of the fleet at %i px", async (width) => {
    const page = await open(`${worst}#fleet`, { viewport: { width, height: 800 } });
    const [inside, visible] = await page.evaluate<[number, number]>(
      "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.scroll'))",
    );
    expect(inside).toBe(visible);
  });

  it("can be used with the keyboard alone", async () => {
    const page = await open(`${worst}#fleet`);
    await page.keyboard.press("Tab");
    await expect.poll(() => focused(page)).toBe("Skip to the report");
    for (const name of ["Fleet", "Parity", "Coverage"]) {
      await page.keyboard.press("Tab");
      await expect.poll(() => focused(page)).toBe(name);
    }
    await page.keyboard.press("Enter");
    await page.locator("#view-coverage").waitFor();
    await expect.poll(() => hashOf(page)).toBe("#coverage");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    // The whole grid is one tab stop.
    await expect.poll(() => focused(page)).toBe("AllStreams on abstract: valid");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focused(page)).toBe("AllStreams on arbitrum: broken");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toBe("RecentStreams on arbitrum: broken");
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    expect(await page.locator("dialog h2").innerText()).toBe("RecentStreams on arbitrum");
    await page.keyboard.press("Enter");
    await page.locator("dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("RecentStreams on arbitrum: broken");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('table')")).toBeNull();
  });

  it("can be skipped to without leaving the view", async () => {
    const page = await open(`${worst}#parity`);
    await page.focus(".skip");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
    expect(hashOf(page)).toBe("#parity");
    expect(await page.locator("#view-parity").isVisible()).toBe(true);
  });

  it("keeps its marks with forced colours", async () => {
    const page = await open(`${worst}#fleet`, { forcedColors: "active" });
    const colors = (property: string, selector: string): Promise<string[]> =>
      page.evaluate(
        `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => getComputedStyle(one).getPropertyValue("${property}")))]`,
      );
    const [ground] = await colors("background-color", "body");
    expect(await colors("border-bottom-color", "nav a:not([aria-current])")).toEqual([ground]);
    expect(await colors("border-bottom-color", "nav a[aria-current]")).not.toContain(ground);
    expect(await colors("background-color", ".bar i")).not.toContain(ground);
    await page.evaluate("location.hash = '#findings'");
    await shownView(page).locator("article").first().waitFor();
    expect(await colors("border-left-color", ".finding:not(.fails)")).toEqual([ground]);
  });

  it("fits on paper, with the words that a narrow screen hides", async () => {
    // The width of A4 between its margins.
    const page = await open(`${worst}#fleet`, { viewport: { width: 703, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(PRINT);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(703);
    const word = page.locator(".fleet td.drifted .word").first();
    expect((await word.boundingBox())?.width).toBeGreaterThan(20);
  });

  it("prints all views, including what is rendered lazily", async () => {
    const page = await open(`${store("long", many(500))}#findings`);
    expect(await page.locator("article").count()).toBeLessThan(200);
    await page.evaluate("document.querySelector('article details').open = false");
    await page.emulateMedia({ media: "print" });
    await page.evaluate(PRINT);
    expect(await page.locator("article").count()).toBe(500);
    for (const view of VIEWS) expect(await page.locator(`#view-${view}`).isVisible()).toBe(true);
    expect(await page.locator("nav").isVisible()).toBe(false);
    // Collapsed parts are printed as well, and are collapsed again afterwards.
    const folded = () => page.locator("details:not([open])").count();
    expect(await folded()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await folded()).toBe(1);
  });

  it("reports that everything is clean if it is", async () => {
    const clean = report({
      outcome: { exit: 0, reason: "nothing to act on", categories: [] },
      findings: [],
      endpoints: ["base", "linea"].map((chain) => endpoint(chain)),
    });
    const page = await open(`${store("clean", clean)}#findings`);
    expect(await shownView(page).innerText()).toBe("Clean: 2 deployments, 2 operations.");
    const none = { endpoints: [], groups: [], operations: [] };
    const check = await open(store("check", { ...clean, ...none, run: { ...clean.run, command: "check" } }));
    expect(await shownView(check).innerText()).toContain("everything generated is current");
  });
});

describe("names that contain markup", () => {
  /** Texts that would show, run or send something if they were treated as markup, code or a URL. */
  const HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    "<!--<script>",
    "]]><iframe src=http://127.0.0.1:9/>",
    "javascript:alert(1)",
    '"><a href=//127.0.0.1:9 autofocus onfocus=alert(1)>',
    "{{constructor.constructor('alert(1)')()}}",
    "&lt;b&gt;&#60;i&#62;",
    "${alert(1)}`",
    "__proto__",
    "constructor",
    "\u202eevil\u2066",
    "<style>*{display:none}</style>",
    "%3Cb%3E#findings?chain=<u>",
    "<base href=//127.0.0.1:9><meta http-equiv=refresh content=0>",
    "a'b\"c\\d\u0000e",
    "\u2028</title><b>",
    "<template><b>",
    "<xmp><plaintext>",
  ];
  const name = (index: number) => `${HOSTILE[index % HOSTILE.length]} ${index}`;

  it("are shown as text, a thousand of them in every view", async () => {
    const page = await open(`${store("hostile", hostile(name))}#findings`);
    await page.evaluate(PRINT);
    for (const view of [
      ...VIEWS,
      `coverage?operation=${encodeURIComponent(`lockup/subgraph/${name(3).trim()}`)}`,
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
      await page.waitForTimeout(50);
    }
    expect(await page.locator("dialog h2").innerText()).toContain("<!--<script> 3");
    const elements: string[] = await page.evaluate(
      "[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))].sort()",
    );
    const attributes: string[] = await page.evaluate(
      "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((one) => /^(on|src)/.test(one))",
    );
    const text = (await page.textContent("body")) ?? "";
    // Only elements of the page itself.
    expect(elements.filter((one) => !OWN_ELEMENTS.has(one))).toEqual([]);
    expect(attributes).toEqual([]);
    for (let index = 0; index < 20; index++) {
      const shown = name(index)
        .replaceAll(/[\p{Cc}\p{Cf}\u2028]+/gu, " ")
        .trim();
      expect(text).toContain(shown);
    }
    const hrefs: string[] = await page.evaluate(
      "[...document.querySelectorAll('[href]')].map((one) => one.getAttribute('href'))",
    );
    const links = hrefs.filter((href) => !/^#[a-z]+(\?[\w%+=&.*-]*)?$/.test(href));
    expect(links).toEqual([]);
  });

  it("are blocked by the content policy even if inserted as markup", async () => {
    const page = await open(worst);
    const outcome = await page.evaluate(
      "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'markup' } catch (error) { return error.name } })()",
    );
    expect(outcome).toBe("TypeError");
    const broken = pages.problems.splice(0);
    expect(broken.join()).toMatch(/TrustedHTML|Trusted Type/i);
  });
});

const OWN_ELEMENTS = new Set(
  (
    "html head meta title style body a header p code time h1 main noscript footer span script nav section div ul li b " +
    "table caption thead tbody tr th td small i svg polyline form label select option h2 h3 dl dt dd article details " +
    "summary button dialog figure figcaption pre mark"
  ).split(" "),
);

/** A report of many findings. */
function many(number: number): Report {
  return report({
    findings: Array.from({ length: number }, (_, index) =>
      goneField({ coordinate: `Asset.field${index}`, fingerprint: index.toString(16).padStart(12, "0") }),
    ),
  });
}

/** A report in which every untrusted name is hostile. */
function hostile(name: (index: number) => string): Report {
  const [hit] = goneField().operations;
  if (hit === undefined) throw new Error("The fixture hits an operation.");
  const upTo = <T>(count: number, build: (index: number) => T) =>
    Array.from({ length: count }, (_, at) => build(at));
  const surface = { protocol: "lockup", style: "subgraph" } as const;
  const row = { verdict: "conflict", rule: null, weaker: null } as const;
  return report({
    run: {
      command: `diff ${name(1)} ${name(2)}`,
      version: name(3),
      startedAt: "2026-11-20T03:00:00.000Z",
      durationMs: 1,
    },
    outcome: { exit: 1, reason: name(4), categories: [] },
    endpoints: upTo(30, (index) =>
      endpoint(name(index), { status: index % 2 ? "unreachable" : "drifted", message: name(index + 7) }),
    ),
    groups: upTo(30, (index) => ({
      ...surface,
      id: name(index),
      entities: name(index),
      release: name(index),
      features: [name(index)],
      kind: "entities" as const,
      deployments: [`lockup-${name(index)}`],
    })),
    findings: upTo(1000, (index) =>
      goneField({
        fingerprint: index.toString(16).padStart(12, "0"),
        subject: name(index),
        message: name(index + 1),
        before: name(index + 2),
        after: name(index + 3),
        fix: name(index + 5),
        coordinate: index % 3 === 0 ? null : name(index),
        derivedCoordinates: [name(index + 4)],
        where: { ...surface, deployments: [`lockup-${name(index % 30)}`] },
        operations: [{ ...hit, name: name(index), message: name(index + 6), file: name(index + 7), line: 1 }],
        acceptance: index % 5 === 0 ? { reason: name(index + 8), until: null } : null,
        accepted: index % 5 === 0,
      }),
    ),
    operations: upTo(100, (index) => ({
      ...surface,
      name: name(index),
      file: name(index + 7),
      line: 1,
      impact: "broken" as const,
      chains: [name(index % 30)],
      missing: [name((index + 1) % 30)],
    })),
    sources: upTo(100, (index) => ({
      file: name(index + 7),
      line: 1,
      text: `${name(index)}\n${name(index)}`,
    })),
    protocols: [
      {
        protocol: "lockup",
        counts: {
          equal: 0,
          mapped: 0,
          nullability: 0,
          conflict: 1,
          "only-multichain": 0,
          "only-subgraph": 0,
        },
        rows: upTo(1000, (index) => [
          { ...row, entity: name(index), field: null, multichain: "entity", subgraph: "entity" },
          {
            ...row,
            entity: name(index),
            field: name(index),
            multichain: name(index),
            subgraph: name(index + 1),
          },
        ]).flat(),
        renames: [{ entity: name(0), multichain: name(1), subgraph: name(2) }],
        opaqueEnums: [{ multichain: name(3), subgraph: name(4), shownBy: "subgraph", members: [name(5)] }],
        capabilities: [{ capability: "one by id", multichain: name(6), subgraph: null, portable: false }],
      },
    ],
  });
}

/** Returns the accessible name of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
  );
}
