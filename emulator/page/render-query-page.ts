import { once } from "../../src/base/collections.ts";
import { readOwnFile } from "../../src/base/own-package.ts";

/**
 * Renders the query page of a node: an editor that posts to its own URL, beside the schema. A single file that loads
 * nothing.
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
