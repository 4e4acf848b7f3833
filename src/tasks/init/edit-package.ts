/** The scripts of a package.json after `init`. */
export type ScriptPlan = {
  readonly added: readonly Script[];
  /** Notes about scripts with an unusual name, or without a free name. */
  readonly notes: readonly string[];
  /** The name of each script, present or added; null if every name is taken. */
  readonly names: Readonly<Record<ScriptTask, string | null>>;
};

const TASKS = ["generate", "check"] as const;

type ScriptTask = (typeof TASKS)[number];

/** Plans the scripts to add. Existing scripts are not replaced; a taken name gets the prefix `lockflow:`. */
export function planScripts(scripts: Readonly<Record<string, string>>): ScriptPlan {
  const added: Script[] = [];
  const notes: string[] = [];
  const names: Record<ScriptTask, string | null> = { generate: null, check: null };
  for (const task of TASKS) {
    const command = `lockflow ${task}`;
    const same = Object.keys(scripts).find((name) => scripts[name] === command);
    const free = [task, `lockflow:${task}`].find((name) => !Object.hasOwn(scripts, name));
    names[task] = same ?? free ?? null;
    if (same !== undefined) continue;
    if (free === undefined) notes.push(`has no free name for a script of \`${command}\``);
    else added.push({ name: free, command });
    if (free !== undefined && free !== task)
      notes.push(`has a script "${task}" already, so the new one is "${free}"`);
  }
  return { added, notes, names };
}

/** A script to add to a package.json. */
export type Script = { readonly name: string; readonly command: string };

/** Adds scripts to the text of a valid package.json. Every other byte stays as it is. */
export function addScripts(text: string, scripts: readonly Script[]): string {
  return addMembers(
    text,
    "scripts",
    scripts.map(({ name, command }) => [name, command]),
  );
}

/** Adds a dependency to the text of a valid package.json. Every other byte stays as it is. */
export function addDependency(text: string, name: string, range: string): string {
  return addMembers(text, "dependencies", [[name, range]]);
}

function addMembers(
  text: string,
  section: string,
  members: readonly (readonly [name: string, value: string])[],
): string {
  if (members.length === 0) return text;
  const ends = findEnds(text, section);
  const isEmpty = text.slice(0, ends.root).trimEnd().endsWith("{");
  const indent = /^[^"]*\n([ \t]*)"/.exec(text)?.[1] ?? (isEmpty ? "  " : "");
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const isOneLine = !isEmpty && !text.slice(0, ends.root).includes("\n");
  const entries = members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lineOf = (depth: number) => lineEnd + indent.repeat(depth);
  const lineOrNull = (depth: number) => (isOneLine ? null : lineOf(depth));
  if (ends.section !== null) {
    return insert(text, ends.section, { entries, line: lineOrNull(2), lastLine: lineOf(1) });
  }
  const lines = entries.map((entry) => lineOf(2) + entry).join(",");
  const added = isOneLine ? `{ ${entries.join(", ")} }` : `{${lines}${lineOf(1)}}`;
  return insert(text, ends.root, {
    entries: [`"${section}": ${added}`],
    line: lineOrNull(1),
    lastLine: lineOf(0),
  });
}

/** Inserts members before the closing brace at `end`, in lines of their own if the object has lines. */
function insert(text: string, end: number, { entries, line, lastLine }: Insertion): string {
  const head = text.slice(0, end).trimEnd();
  const isEmpty = head.endsWith("{");
  const tail = text.slice(isEmpty ? end : head.length);
  const comma = isEmpty ? "" : ",";
  if (line === null || !(isEmpty || text.slice(head.length, end).includes("\n"))) {
    return `${head}${comma}${isEmpty ? "" : " "}${entries.join(", ")}${tail}`;
  }
  return `${head}${comma}${entries.map((entry) => line + entry).join(",")}${isEmpty ? lastLine : ""}${tail}`;
}

type Insertion = {
  readonly entries: readonly string[];
  /** The line end and indentation before a member; null for an object on one line. */
  readonly line: string | null;
  /** The line end and indentation before the closing brace. */
  readonly lastLine: string;
};

/** Finds the closing braces of the object and of a section. The last section of the name counts. */
function findEnds(text: string, section: string): { readonly root: number; readonly section: number | null } {
  let [depth, key] = [0, ""];
  let found: number | null = null;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token !== "}" && token !== "]") key = depth === 1 ? JSON.parse(token) : key;
    else if (--depth === 0) return { root: index, section: found };
    else if (depth === 1 && key === section) found = index;
  }
  return { root: text.length, section: found };
}

/** Renders scripts as in package.json: `"generate": "lockflow generate"`. */
export function renderScripts(scripts: readonly Script[]): string {
  return scripts.map(({ name, command }) => `"${name}": "${command}"`).join(", ");
}
