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
 * Renders the page a testing URL shows in a browser: a query editor that sends to the very URL it was opened
 * at, beside what can be asked. It is one file and loads nothing.
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
  <span class="spacer"></span>
  <span id="status" role="status"></span>
  <button id="run" type="button" title="Ctrl-Enter">Run <kbd>Ctrl ↵</kbd></button>
</header>
<main>
  <section class="ask" aria-label="Query">
    <label for="query">Query</label>
    <textarea id="query" spellcheck="false" autocomplete="off">${escapeHtml(FIRST_QUERY)}</textarea>
    <label for="variables">Variables (JSON)</label>
    <textarea id="variables" spellcheck="false" autocomplete="off" placeholder='{ "first": 10 }'></textarea>
  </section>
  <section class="answer" aria-label="Result">
    <label for="result">Result</label>
    <pre id="result" tabindex="0">Run the query to see its result.</pre>
  </section>
  <section class="docs" aria-label="Schema">
    <label for="filter">Schema</label>
    <input id="filter" type="search" placeholder="Filter fields and types" autocomplete="off">
    <div id="docs">Loading…</div>
  </section>
</main>
<script>${PAGE_SCRIPT}</script>
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
