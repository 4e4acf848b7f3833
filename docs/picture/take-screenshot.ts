import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import { hash } from "../../src/base/hash.ts";
import { html } from "../../src/report/forms/html.ts";
import { playWorstDay } from "./play-worst-day.ts";

/** A picture and the digest of its content. */
export type Screenshot = { readonly image: Buffer; readonly digest: string };

/**
 * Takes a picture of the report page of the worst day.
 *
 * @param executablePath the path of a Chromium.
 */
export async function takeScreenshot(executablePath: string): Promise<Screenshot> {
  const folder = mkdtempSync(join(tmpdir(), "lockflow-picture-"));
  const browser = await chromium.launch({
    executablePath,
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
  try {
    const path = join(folder, "report.html");
    const options = { color: false, verbose: false, anchor: "", folder: "", accept: "report" } as const;
    writeFileSync(path, html.render(await playWorstDay(), options));
    const page = await browser.newPage({ viewport: { width: 1400, height: 780 } });
    await page.goto(`${pathToFileURL(path).href}#fleet`);
    return { image: await page.screenshot(), digest: await digestShown(page) };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the digest of the shown elements and the style. It does not depend on the fonts of the machine. */
export async function digestShown(page: Page): Promise<string> {
  const shown: string = await page.evaluate(
    "['h1', '#view-fleet', 'style'].map((one) => document.querySelector(one).outerHTML).join('\\n')",
  );
  return hash(shown);
}
