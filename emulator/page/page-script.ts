/**
 * What the query page does in the browser. It is text, not a function turned into text, because tools that
 * compile this file would put helpers into a function that the browser does not have.
 */
export const PAGE_SCRIPT = `
"use strict";
const byId = (id) => document.getElementById(id);
const query = byId("query"), variables = byId("variables"), result = byId("result");
const run = byId("run"), status = byId("status"), docs = byId("docs"), filter = byId("filter");
const earlier = byId("history"), headers = byId("headers"), headerList = byId("header-list");

/** The page lies below what it asks. */
const endpoint = location.pathname.replace(/\\/graphql$/, "");

byId("endpoint").textContent = "POST " + location.origin + endpoint;

async function send(body) {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: [...response.headers], text: await response.text() };
}

function say(text, mood) {
  status.textContent = text;
  status.className = mood;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** More than this is shown without colours, which take a while. */
const MOST_COLOURED = 200000;

/** Keys, texts, and all other values of indented JSON. */
const TOKENS = /("(?:[^"\\\\]|\\\\.)*")(:)?|-?\\b[0-9][0-9.eE+-]*|\\b(?:true|false|null)\\b/g;

function showJson(text) {
  result.replaceChildren();
  if (text.length > MOST_COLOURED) {
    result.textContent = text;
    return;
  }
  let shown = 0;
  for (const token of text.matchAll(TOKENS)) {
    result.append(text.slice(shown, token.index));
    const [whole, string, colon] = token;
    result.append(element("span", string || whole, colon ? "key" : string ? "text" : "value"));
    if (colon) result.append(colon);
    shown = token.index + whole.length;
  }
  result.append(text.slice(shown));
}

function showHeaders(list) {
  headers.hidden = list.length === 0;
  headerList.replaceChildren();
  for (const [name, value] of list) headerList.append(element("dt", name), element("dd", value));
}

async function runQuery() {
  const body = { query: query.value };
  if (variables.value.trim() !== "") {
    try {
      body.variables = JSON.parse(variables.value);
    } catch (error) {
      say("variables are not JSON", "bad");
      result.textContent = String(error);
      return;
    }
  }
  run.disabled = true;
  say("…", "");
  const started = performance.now();
  try {
    const answer = await send(body);
    const took = Math.round(performance.now() - started);
    let failed = answer.status !== 200;
    try {
      const value = JSON.parse(answer.text);
      failed = failed || "errors" in value;
      showJson(JSON.stringify(value, null, 2));
    } catch {
      result.textContent = answer.text;
    }
    result.scrollTop = 0;
    showHeaders(answer.headers);
    remember();
    say("HTTP " + answer.status + (failed ? ", with errors" : "") + ", " + took + " ms", failed ? "bad" : "good");
  } catch (error) {
    say("no answer", "bad");
    result.textContent = String(error);
    showHeaders([]);
  } finally {
    run.disabled = false;
  }
}

/** Kept in this browser, for this endpoint. */
const MEMORY = "queries of " + endpoint;
const MOST_REMEMBERED = 20;
let memory = [];

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(MEMORY));
    if (Array.isArray(kept)) memory = kept.filter((entry) => entry && typeof entry.query === "string");
  } catch {
    memory = [];
  }
}

function remember() {
  const entry = { query: query.value, variables: variables.value };
  const others = memory.filter((one) => one.query !== entry.query || one.variables !== entry.variables);
  memory = [entry, ...others].slice(0, MOST_REMEMBERED);
  try {
    localStorage.setItem(MEMORY, JSON.stringify(memory));
  } catch {
    // A browser that keeps nothing has a history until the page is left.
  }
  showMemory();
}

function showMemory() {
  earlier.hidden = memory.length === 0;
  const options = memory.map((entry, index) => {
    const option = element("option", entry.query.replace(/\\s+/g, " ").trim().slice(0, 70) || "(empty)");
    option.value = String(index);
    return option;
  });
  const title = element("option", "History");
  title.value = "";
  earlier.replaceChildren(title, ...options);
}

earlier.addEventListener("change", () => {
  const entry = memory[earlier.value];
  earlier.value = "";
  if (!entry) return;
  query.value = entry.query;
  variables.value = entry.variables || "";
  query.focus();
});

run.addEventListener("click", runQuery);
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    runQuery();
  }
});

/** Through the browser's own command, so that it can be undone. */
function type(text) {
  if (!document.execCommand("insertText", false, text)) {
    query.setRangeText(text, query.selectionStart, query.selectionEnd, "end");
  }
}

query.addEventListener("keydown", (event) => {
  const before = query.value.slice(0, query.selectionStart);
  if (event.key === "Tab" && !event.shiftKey) {
    event.preventDefault();
    type("  ");
  } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
    const line = before.slice(before.lastIndexOf("\\n") + 1);
    const indent = line.match(/^ */)[0] + (/[{(\\[]\\s*$/.test(line) ? "  " : "");
    if (indent === "") return;
    event.preventDefault();
    type("\\n" + indent);
  } else if (event.key === "}" && /\\n {2,}$/.test(before)) {
    // A closing brace on a line of its own stands below what it closes.
    event.preventDefault();
    query.setSelectionRange(query.selectionStart - 2, query.selectionEnd);
    type("}");
  }
});

const linked = new URLSearchParams(location.search);
if (linked.get("query")) query.value = linked.get("query");
if (linked.get("variables")) variables.value = linked.get("variables");
recall();
showMemory();
`;
