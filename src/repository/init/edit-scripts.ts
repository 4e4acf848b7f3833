/** A script to add to a package.json. */
export type Script = { readonly name: string; readonly command: string };

/**
 * Adds scripts to the text of a package.json. Every other byte stays as it is: indentation, line ends, order, the
 * byte order mark and the last line's end.
 *
 * @param text valid JSON that holds an object, with an object or nothing as `scripts`.
 */
export function addScripts(text: string, scripts: readonly Script[]): string {
  if (scripts.length === 0) return text;
  const scanned = scanObject(text, text.indexOf("{"));
  // Of two members of one name, the last is the one that counts.
  const member = scanned.members.findLast(({ name }) => name === "scripts");
  const entries = scripts.map(({ name, command }) => `${JSON.stringify(name)}: ${JSON.stringify(command)}`);
  const style = styleOf(text, scanned);
  if (!member) return insert(text, scanned, [renderScripts(entries, style)], style.indent, style);
  return insert(text, scanObject(text, member.start), entries, style.indent.repeat(2), style);
}

type Style = { readonly indent: string; readonly lineEnd: string; readonly isOneLine: boolean };

type ScannedObject = {
  readonly members: readonly Member[];
  /** Where its last member ends; behind its brace when it has none. */
  readonly lastEnd: number;
  /** Where its closing brace is. */
  readonly close: number;
};

type Member = { readonly name: string; readonly keyStart: number; readonly start: number };

function styleOf(text: string, { members, close }: ScannedObject): Style {
  const first = members[0];
  const before = first ? (/\n([ \t]*)$/.exec(text.slice(0, first.keyStart))?.[1] ?? null) : "  ";
  return {
    indent: before ?? "",
    lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
    isOneLine: before === null && !text.slice(0, close).includes("\n"),
  };
}

function renderScripts(entries: readonly string[], { indent, lineEnd, isOneLine }: Style): string {
  if (isOneLine) return `"scripts": { ${entries.join(", ")} }`;
  const lines = entries.map((entry) => `${indent}${indent}${entry}`).join(`,${lineEnd}`);
  return `"scripts": {${lineEnd}${lines}${lineEnd}${indent}}`;
}

function insert(
  text: string,
  { members, lastEnd, close }: ScannedObject,
  entries: readonly string[],
  indent: string,
  { lineEnd, isOneLine, indent: step }: Style,
): string {
  const head = text.slice(0, lastEnd);
  const comma = members.length > 0 ? "," : "";
  const isInline = isOneLine || (members.length > 0 && !text.slice(lastEnd, close).includes("\n"));
  if (isInline) {
    const blank = members.length > 0 ? " " : "";
    return `${head}${comma}${blank}${entries.join(", ")}${text.slice(lastEnd)}`;
  }
  const lines = entries.map((entry) => `${lineEnd}${indent}${entry}`).join(",");
  if (members.length > 0) return `${head}${comma}${lines}${text.slice(lastEnd)}`;
  return `${head}${lines}${lineEnd}${indent.slice(step.length)}${text.slice(close)}`;
}

/** Scans the object whose brace is at `open`, for the places of its members. The text is known to be valid. */
function scanObject(text: string, open: number): ScannedObject {
  const members: Member[] = [];
  let lastEnd = open + 1;
  let at = skipBlanks(text, open + 1);
  while (text[at] === '"') {
    const keyStart = at;
    const keyEnd = skipString(text, at);
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    lastEnd = skipValue(text, start);
    members.push({ name: JSON.parse(text.slice(keyStart, keyEnd)) as string, keyStart, start });
    at = skipBlanks(text, lastEnd);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return { members, lastEnd, close: at };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++;
  return at;
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      at = skipString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if ("{[".includes(character)) depth++;
    else if ("}]".includes(character)) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && ", \t\r\n".includes(character)) return at;
    at++;
  }
  return at;
}
