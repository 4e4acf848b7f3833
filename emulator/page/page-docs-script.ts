/** The part of the page's script that shows what can be asked, and puts it into the query. */
export const PAGE_DOCS_SCRIPT = `
const TYPE = "kind name ofType { kind name ofType { kind name ofType { kind name } } }";
const SCHEMA_QUERY = "{ __schema { queryType { name } types { kind name description " +
  "fields { name description args { name type { " + TYPE + " } } type { " + TYPE + " } } " +
  "inputFields { name description type { " + TYPE + " } } enumValues { name description } } } }";

let types = new Map(), root = null;

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
  const found = types.get(named(type));
  return !found || found.kind === "SCALAR" || found.kind === "ENUM";
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
  const inner = (types.get(named(field.type)) || {}).fields || [];
  const leaves = inner.filter((child) => isLeaf(child.type)).map((child) => child.name);
  const chosen = leaves.length > 0 ? leaves : ["__typename"];
  return indent + call + " {\\n" + chosen.map((name) => indent + "  " + name).join("\\n") + "\\n" + indent + "}";
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
  query.value = before + "\\n" + snippet(field, "  ") + "\\n}\\n";
  query.focus();
}

function fieldItem(field, isRoot) {
  const item = element("li");
  const button = element("button");
  button.type = "button";
  button.title = "Insert into the query" + (field.description ? "\\n\\n" + field.description : "");
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
`;
