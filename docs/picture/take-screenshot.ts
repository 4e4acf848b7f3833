import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { html } from "../../src/report/forms/html.ts";
import { playWorstDay } from "./play-worst-day.ts";

/** Takes a picture of the page of the worst day, in a browser that no package installs: `CHROMIUM` says where it is. */
export async function takeScreenshot(executablePath: string): Promise<Buffer> {
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
    await page.goto(pathToFileURL(path).href);
    return await page.screenshot();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
