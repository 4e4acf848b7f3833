import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "./launch-chromium.ts";

/** Opens pages in one browser. */
export type Pages = {
  readonly browser: () => Browser;
  /** The errors and dialogs of the last page. A test that expects some takes them. */
  readonly problems: string[];
  /** The URLs that the last page requested, with the bodies. */
  readonly requests: { readonly url: string; readonly body: string }[];
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
};

/** Opens pages. No test may cause an error or a warning on a page, or a request that is not its own. */
export function openPages(isOwn: (url: string) => boolean = () => true): Pages {
  let browser: Browser;
  const problems: string[] = [];
  const requests: Pages["requests"] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(problems.splice(0)).toEqual([]);
    expect(requests.splice(0).filter(({ url }) => !isOwn(url))).toEqual([]);
  });
  return {
    browser: () => browser,
    problems,
    requests,
    open: async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => {
        if (/^(error|warning)$/.test(message.type())) problems.push(message.text());
      });
      page.on("dialog", (dialog) => {
        problems.push(`dialog ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => requests.push({ url: request.url(), body: request.postData() ?? "" }));
      return page;
    },
  };
}
