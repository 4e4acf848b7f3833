/** A script to add to a package.json. */
export type Script = { readonly name: string; readonly command: string };

/** Adds scripts to the text of a valid package.json. Every other byte stays as it is. */
export function addScripts(text: string, scripts: readonly Script[]): string {
  if (scripts.length === 0) return text;
  const ends = findEnds(text);
  const isEmpty = text.slice(0, ends.root).trimEnd().endsWith("{");
  const indent = /^[^"]*\n([ \t]*)"/.exec(text)?.[1] ?? (isEmpty ? "  " : "");
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const isOneLine = !isEmpty && !text.slice(0, ends.root).includes("\n");
  const entries = scripts.map(({ name, command }) => `${JSON.stringify(name)}: ${JSON.stringify(command)}`);
  const lineOf = (depth: number) => lineEnd + indent.repeat(depth);
  if (ends.scripts !== null) return insert(text, ends.scripts, entries, isOneLine, [lineOf(2), lineOf(1)]);
  const lines = entries.map((entry) => lineOf(2) + entry).join(",");
  const added = isOneLine ? `{ ${entries.join(", ")} }` : `{${lines}${lineOf(1)}}`;
  return insert(text, ends.root, [`"scripts": ${added}`], isOneLine, [lineOf(1), lineOf(0)]);
}

/** Inserts members before the closing brace at `end`; what begins a line of a member, and that of the brace. */
function insert(
  text: string,
  end: number,
  entries: readonly string[],
  isOneLine: boolean,
  [line, lastLine]: readonly [string, string],
): string {
  const head = text.slice(0, end).trimEnd();
  const isEmpty = head.endsWith("{");
  const tail = text.slice(isEmpty ? end : head.length);
  const comma = isEmpty ? "" : ",";
  if (isOneLine || !(isEmpty || text.slice(head.length, end).includes("\n"))) {
    return `${head}${comma}${isEmpty ? "" : " "}${entries.join(", ")}${tail}`;
  }
  return `${head}${comma}${entries.map((entry) => line + entry).join(",")}${isEmpty ? lastLine : ""}${tail}`;
}

/** Finds the closing braces of the object and of its `scripts`, of which the last counts where there are several. */
function findEnds(text: string): { readonly root: number; readonly scripts: number | null } {
  let [depth, key] = [0, ""];
  let scripts: number | null = null;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token !== "}" && token !== "]") key = depth === 1 ? JSON.parse(token) : key;
    else if (--depth === 0) return { root: index, scripts };
    else if (depth === 1 && key === "scripts") scripts = index;
  }
  return { root: text.length, scripts };
}
