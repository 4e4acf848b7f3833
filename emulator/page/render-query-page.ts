import { PAGE_DOCS_SCRIPT } from "./page-docs-script.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** The health query every subgraph answers, which the page starts with. */
const FIRST_QUERY = `{
  _meta {
    block {
      number
    }
  }
}`;

/**
 * Renders the page a node shows in a browser: a query editor that sends to the URL it lies below, beside what
 * can be asked. It is one file and loads nothing.
 */
export function renderQueryPage(deployment: string): string {
  const name = escapeHtml(deployment);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
  <h1>${name}</h1>
  <span class="tag">emulator</span>
  <code id="endpoint"></code>
  <span class="spacer"></span>
  <span id="status" role="status"></span>
  <select id="history" title="Earlier queries" aria-label="Earlier queries" hidden></select>
  <button id="run" type="button" title="Ctrl-Enter">Run <kbd>Ctrl ↵</kbd></button>
</header>
<main>
  <section class="ask" aria-label="Query">
    <label for="query">Query</label>
    <textarea id="query" spellcheck="false" autocomplete="off" autocapitalize="off">${escapeHtml(FIRST_QUERY)}</textarea>
    <label for="variables">Variables (JSON)</label>
    <textarea id="variables" spellcheck="false" autocomplete="off" placeholder='{ "first": 10 }'></textarea>
  </section>
  <section class="answer" aria-label="Result">
    <div class="label" id="result-label">Result</div>
    <pre id="result" tabindex="0" aria-labelledby="result-label">Run the query to see its result.</pre>
    <details id="headers" hidden>
      <summary>Response headers</summary>
      <dl id="header-list"></dl>
    </details>
  </section>
  <section class="docs" aria-label="Schema">
    <label for="filter">Schema</label>
    <input id="filter" type="search" placeholder="Filter fields and types" autocomplete="off">
    <div id="docs">Loading…</div>
  </section>
</main>
<script>${PAGE_SCRIPT}${PAGE_DOCS_SCRIPT}</script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
