import { createHash } from "node:crypto";
import { cleanText, withoutCommands } from "../../base/clean-text.ts";
import type { Renderer, RenderOptions, Report } from "../report.ts";
import { commitsLine, exitLine, verdictOf } from "../verdict.ts";
import { renderJson } from "./json.ts";
import { pageAssets } from "./page-assets.ts";

/** Browsers do not open a page with many more. */
const MOST_FINDINGS = 5000;

/**
 * A page for people: one file that requests nothing. The verdict is there before the script runs. The policy of the page
 * allows only the script of Lockflow, and that script makes no markup of text.
 */
export const html: Renderer = { render: renderPage };

function renderPage(report: Report, { accept }: RenderOptions): string {
  const { script, style } = pageAssets();
  const findings = report.findings.slice(0, MOST_FINDINGS);
  const more = report.findings.length - findings.length;
  const { startedAt, version } = report.run;
  const command = `lockflow ${report.run.command}`;
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const verdict = escapeHtml(verdictOf(report));
  const commits = commitsLine(report);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(command)}: ${verdict}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<p class="run"><code>${escapeHtml(command)}</code> <time datetime="${escapeHtml(startedAt)}">${escapeHtml(timeOf(startedAt))}</time></p>
<h1 class="exit-${report.outcome.exit}">${verdict}</h1>
${commits === null ? "" : `<p>${escapeHtml(commits)}</p>\n`}</header>
<main id="main" tabindex="-1" data-accept="${accept}" data-more="${more}">
<noscript><p>This page needs JavaScript. The reports in JSON and Markdown do not.</p></noscript>
</main>
<footer><code>${escapeHtml(exitLine(report))}</code> <span>Lockflow ${escapeHtml(version)}</span></footer>
<script type="application/json" id="report">${jsonInHtml({ ...report, findings })}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The policy allows scripts and styles by their hash. */
function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function jsonInHtml(report: Report): string {
  return renderJson(report).replaceAll(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
}

function timeOf(time: string): string {
  return `${time.slice(0, 16).replace("T", " ")} UTC`;
}

function escapeHtml(text: string): string {
  return withoutCommands(cleanText(text)).replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
