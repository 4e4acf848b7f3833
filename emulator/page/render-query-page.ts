import { existsSync, readFileSync } from "node:fs";
import { once } from "../../src/base/once.ts";

/** Where the page's files lie in the repository and in the published package, which both have a `package.json` above. */
const FOLDER = "emulator/page/";

/**
 * Renders the page that a node shows in a browser: a query editor that sends to the URL above it, beside what can be
 * asked. It is one file and loads nothing.
 */
export function renderQueryPage(deployment: string): string {
  return page().replaceAll("{deployment}", () => escapeHtml(deployment));
}

const page = once((): string => {
  const root = packageRoot();
  const read = (name: string) => readFileSync(new URL(FOLDER + name, root), "utf8");
  return read("query-page.html")
    .replace(/<link rel="stylesheet" href="(.*)">/, (_, name) => `<style>\n${read(name)}</style>`)
    .replace(/<script src="(.*)">/, (_, name) => `<script>\n${read(name)}`);
});

/** The nearest folder above this module with a `package.json`: a build has put the module into a file of its own. */
function packageRoot(): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) folder = new URL("..", folder);
  return folder;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
