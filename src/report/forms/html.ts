import { createHash } from "node:crypto";
import { cleanText, jsonWithoutCommands, withoutCommands } from "../../base/clean-text.ts";
import { buildPageData } from "../html/build-page-data.ts";
import type { PageData } from "../html/page-data.ts";
import type { Renderer } from "../report.ts";
import { exitLine, verdictOf } from "../verdict.ts";
import { type PageAssets, pageAssets } from "./page-assets.ts";

/** A page that people look at: one file that asks nobody for anything. */
export const html: Renderer = {
  render: (report, options) => {
    const head = { verdict: verdictOf(report), exit: exitLine(report), version: report.run.version };
    return renderPage(buildPageData(report, options), head, pageAssets());
  },
};

/** What stands in the page itself, so that it is there before anything runs. */
export type PageHead = {
  /** The first line of the report. */
  readonly verdict: string;
  /** Its last line. */
  readonly exit: string;
  /** Of Lockflow. */
  readonly version: string;
};

/**
 * Renders the page: one file that asks nobody for anything. Its policy lets nothing run but the script of Lockflow, and
 * that script makes no markup of text.
 */
export function renderPage(data: PageData, head: PageHead, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const verdict = escapeHtml(head.verdict);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(data.command)}: ${verdict}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<p class="run"><code>${escapeHtml(data.command)}</code> <time datetime="${escapeHtml(data.startedAt)}">${escapeHtml(timeOf(data.startedAt))}</time></p>
<h1 class="exit-${data.exit}">${verdict}</h1>
</header>
<main id="main" tabindex="-1">
<noscript><p>The views of this report need scripts, which are off here. The report in JSON or Markdown needs none.</p></noscript>
</main>
<footer><code>${escapeHtml(head.exit)}</code> <span>Lockflow ${escapeHtml(head.version)}</span></footer>
<script type="application/json" id="data">${toJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The policy names what may run by its hash. */
function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** JSON in which no tag begins or ends. */
function toJson(data: PageData): string {
  return jsonWithoutCommands(JSON.stringify(data)).replaceAll(
    /[<>&]/g,
    (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`,
  );
}

/** `2026-11-21 03:17 UTC` of a moment as reports have it. */
function timeOf(moment: string): string {
  return `${moment.slice(0, 16).replace("T", " ")} UTC`;
}

function escapeHtml(text: string): string {
  return withoutCommands(cleanText(text)).replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
