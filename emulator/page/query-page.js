const byId = (id) => document.getElementById(id);
const query = byId("query");
const variables = byId("variables");
const result = byId("result");
const run = byId("run");
const status = byId("status");
const docs = byId("docs");
const filter = byId("filter");
const earlier = byId("history");
const headers = byId("headers");
const headerList = byId("header-list");

/** The page lies below what it asks. */
const endpoint = location.pathname.replace(/\/graphql$/, "");

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
const TOKENS = /("(?:[^"\\]|\\.)*")(:)?|-?\b[0-9][0-9.eE+-]*|\b(?:true|false|null)\b/g;

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
    addToHistory();
    say(`HTTP ${answer.status}${failed ? ", with errors" : ""}, ${took} ms`, failed ? "bad" : "good");
  } catch (error) {
    say("no answer", "bad");
    result.textContent = String(error);
    showHeaders([]);
  } finally {
    run.disabled = false;
  }
}

/** Kept in this browser, for this endpoint. */
const STORAGE_KEY = "queries of " + endpoint;
const MOST_EARLIER = 20;
let entries = [];

function loadHistory() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY));
    if (Array.isArray(stored)) entries = stored.filter((entry) => entry && typeof entry.query === "string");
  } catch {
    entries = [];
  }
}

function addToHistory() {
  const entry = { query: query.value, variables: variables.value };
  const others = entries.filter(
    (other) => other.query !== entry.query || other.variables !== entry.variables,
  );
  entries = [entry, ...others].slice(0, MOST_EARLIER);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(entries));
  } catch {
    // A browser that keeps nothing has a history until the page is left.
  }
  showHistory();
}

function showHistory() {
  earlier.hidden = entries.length === 0;
  const options = entries.map((entry, index) => {
    const option = element("option", entry.query.replace(/\s+/g, " ").trim().slice(0, 70) || "(empty)");
    option.value = String(index);
    return option;
  });
  const title = element("option", "History");
  title.value = "";
  earlier.replaceChildren(title, ...options);
}

earlier.addEventListener("change", () => {
  const entry = entries[earlier.value];
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
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const indent = line.match(/^ */)[0] + (/[{([]\s*$/.test(line) ? "  " : "");
    if (indent === "") return;
    event.preventDefault();
    type("\n" + indent);
  } else if (event.key === "}" && /\n {2,}$/.test(before)) {
    // A closing brace on a line of its own stands below what it closes.
    event.preventDefault();
    query.setSelectionRange(query.selectionStart - 2, query.selectionEnd);
    type("}");
  }
});

const linked = new URLSearchParams(location.search);
if (linked.get("query")) query.value = linked.get("query");
if (linked.get("variables")) variables.value = linked.get("variables");
loadHistory();
showHistory();

const TYPE = "kind name ofType { kind name ofType { kind name ofType { kind name } } }";
const SCHEMA_QUERY = `{ __schema { queryType { name } types { kind name description
  fields { name description args { name type { ${TYPE} } } type { ${TYPE} } }
  inputFields { name description type { ${TYPE} } } enumValues { name description } } } }`;

let types = new Map();
let root = null;

function typeText(type) {
  if (type.kind === "NON_NULL") return typeText(type.ofType) + "!";
  if (type.kind === "LIST") return "[" + typeText(type.ofType) + "]";
  return type.name;
}

function named(type) {
  while (type.ofType) type = type.ofType;
  return type.name;
}

function isLeaf(type) {
  const leaf = types.get(named(type));
  return !leaf || leaf.kind === "SCALAR" || leaf.kind === "ENUM";
}

function isList(type) {
  return typeText(type).startsWith("[");
}

/** What to insert for a field: its required arguments, and the plain fields of what it gives. */
function snippet(field, indent) {
  const args = [];
  for (const arg of field.args) {
    const text = typeText(arg.type);
    if (arg.name === "first" && isList(field.type)) args.push("first: 5");
    else if (text.endsWith("!") && arg.name !== "subgraphError") args.push(arg.name + ': ""');
  }
  const call = field.name + (args.length > 0 ? "(" + args.join(", ") + ")" : "");
  if (isLeaf(field.type)) return indent + call;
  const inner = types.get(named(field.type))?.fields || [];
  const leaves = inner.filter((child) => isLeaf(child.type)).map((child) => child.name);
  const chosen = leaves.length > 0 ? leaves : ["__typename"];
  return indent + call + " {\n" + chosen.map((name) => indent + "  " + name).join("\n") + "\n" + indent + "}";
}

/** A root field goes before the last brace, any other field to where the cursor is. */
function insert(field, isRoot) {
  if (!isRoot) {
    query.setRangeText(snippet(field, "  "), query.selectionStart, query.selectionEnd, "end");
    query.focus();
    return;
  }
  const text = query.value.trimEnd();
  const end = text.lastIndexOf("}");
  const before = end < 0 ? "{" : text.slice(0, end).trimEnd();
  query.value = before + "\n" + snippet(field, "  ") + "\n}\n";
  query.focus();
}

function fieldItem(field, isRoot) {
  const item = element("li");
  const button = element("button");
  button.type = "button";
  button.title = "Insert into the query" + (field.description ? "\n\n" + field.description : "");
  button.append(element("code", field.name));
  button.addEventListener("click", () => insert(field, isRoot));
  item.append(button, " ", element("code", typeText(field.type), "of"));
  return item;
}

function plainItem(member) {
  const item = element("li");
  item.append(element("code", member.name));
  if (member.type) item.append(" ", element("code", typeText(member.type), "of"));
  if (member.description) item.title = member.description;
  return item;
}

function typeEntry(type) {
  const entry = element("details");
  const summary = element("summary");
  summary.append(element("code", type.name, "of"));
  entry.append(summary);
  entry.addEventListener("toggle", () => {
    if (!entry.open || entry.childElementCount > 1) return;
    if (type.description) entry.append(element("p", type.description));
    const list = element("ul");
    for (const field of type.fields || []) list.append(fieldItem(field, false));
    for (const member of type.inputFields || type.enumValues || []) list.append(plainItem(member));
    entry.append(list);
  });
  return entry;
}

function showDocs() {
  const wanted = filter.value.trim().toLowerCase();
  const matches = (thing) => thing.name.toLowerCase().includes(wanted);
  const fields = root.fields.filter(matches);
  const others = [...types.values()].filter(
    (type) => type !== root && !type.name.startsWith("__") && matches(type),
  );
  docs.replaceChildren();
  if (fields.length > 0) {
    const list = element("ul");
    for (const field of fields) list.append(fieldItem(field, true));
    docs.append(element("h2", "Root fields"), list);
  }
  if (others.length > 0) docs.append(element("h2", "Types"), ...others.map(typeEntry));
  if (docs.childElementCount === 0) docs.textContent = "Nothing is named like that.";
}

async function loadDocs() {
  try {
    const answer = await send({ query: SCHEMA_QUERY });
    const schema = JSON.parse(answer.text).data.__schema;
    types = new Map(schema.types.map((type) => [type.name, type]));
    root = types.get(schema.queryType.name);
    showDocs();
    filter.addEventListener("input", showDocs);
  } catch (error) {
    docs.textContent = "The schema could not be read: " + error;
  }
}

loadDocs();
