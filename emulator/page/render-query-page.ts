import { once } from "../../src/base/collections.ts";
import { readOwnFile } from "../../src/base/own-package.ts";

/**
 * Renders the page that a node shows in a browser: a query editor that sends to the URL above it, beside what can be
 * asked. It is one file and loads nothing.
 */
export function renderQueryPage(deployment: string): string {
  return page().replaceAll("{deployment}", () => escapeHtml(deployment));
}

const page = once((): string => {
  const read = (name: string) => readOwnFile(`emulator/page/${name}`);
  return read("query-page.html")
    .replace(/<link rel="stylesheet" href="(.*)">/, (_, name) => `<style>\n${read(name)}</style>`)
    .replace(/<script src="(.*)">/, (_, name) => `<script>\n${read(name)}`);
});

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
