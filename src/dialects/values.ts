import { type ConstValueNode, type FieldNode, Kind, type ValueNode } from "graphql";

/** A constant GraphQL value: a list, an object, or a leaf in its shortest spelling. */
export type Value =
  | { readonly kind: "list"; readonly items: readonly Value[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Value> }
  | { readonly kind: "leaf"; readonly text: string };

/** Parses exactly one constant GraphQL value without loading graphql-js; null for any other text. */
export function parseValue(text: string): Value | null {
  const tokens = readTokens(text);
  if (tokens === null) return null;
  let next = 0;

  function readValue(depth: number): Value | null {
    const token = tokens?.[next++];
    if (token === undefined || depth > DEEPEST_VALUE) return null;
    if (token === "[") return readList(depth);
    if (token === "{") return readObject(depth);
    if (PUNCTUATORS.has(token)) return null;
    // Block strings and escaped strings with the same value become equal.
    return { kind: "leaf", text: token.startsWith('"') ? JSON.stringify(readString(token)) : token };
  }

  function readList(depth: number): Value | null {
    const items: Value[] = [];
    while (tokens?.[next] !== "]") {
      const item = readValue(depth + 1);
      if (item === null) return null;
      items.push(item);
    }
    next++;
    return { kind: "list", items };
  }

  function readObject(depth: number): Value | null {
    const members = new Map<string, Value>();
    while (tokens?.[next] !== "}") {
      const key = tokens?.[next++];
      if (key === undefined || !/^[_A-Za-z]/.test(key) || members.has(key)) return null;
      if (tokens?.[next++] !== ":") return null;
      const value = readValue(depth + 1);
      if (value === null) return null;
      members.set(key, value);
    }
    next++;
    return { kind: "object", members };
  }

  const value = readValue(0);
  return next === tokens.length ? value : null;
}

/** Splits a text into tokens; null if a part of it is not a token. */
function readTokens(text: string): string[] | null {
  if (text.length > LONGEST_VALUE || !text.isWellFormed()) return null;
  const tokens: string[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== end) return null;
    end += match[0].length;
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return end === text.length ? tokens : null;
}

// Limits for hostile text, which could exhaust the stacks of regular expressions and parsers.
const LONGEST_VALUE = 16 * 1024;
const DEEPEST_VALUE = 64;

const PUNCTUATORS: ReadonlySet<string> = new Set(["[", "]", "{", "}", ":"]);

const UNICODE_ESCAPE = [
  /[0-9A-Ca-cE-Fe-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2}/,
  /[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}/,
  /\{(?![Dd][89A-Fa-f][0-9A-Fa-f]{2}\})(?:(?:10|[0-9A-Fa-f])?[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,3})\}/,
].map(({ source }) => source);

/** Strings, names, numbers and punctuators (group 1), or separators. */
const TOKEN = new RegExp(
  [
    String.raw`("""(?:\\"""|\\(?!""")|[^"\\]|"(?!""))*"""`,
    String.raw`"(?!"")(?:[^"\\\n\r]|\\(?:["\\/bfnrt]|u(?:${UNICODE_ESCAPE.join("|")})))*"`,
    "[_A-Za-z][_0-9A-Za-z]*",
    String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])`,
    String.raw`[[\]{}:])|[\t\n\r ,\ufeff]+`,
  ].join("|"),
  "g",
);

/** Reads a quoted GraphQL string with valid escapes, without the time it takes to load graphql-js. */
function readString(token: string): string {
  if (token.startsWith('"""'))
    return dedent(
      token
        .slice(3, -3)
        .replaceAll('\\"""', '"""')
        .split(/\r\n|[\n\r]/),
    );
  return token.slice(1, -1).replaceAll(ESCAPE, (_, braced?: string, four?: string, single?: string) => {
    if (braced !== undefined) return String.fromCodePoint(Number.parseInt(braced, 16));
    if (four !== undefined) return String.fromCharCode(Number.parseInt(four, 16));
    return CONTROLS.get(single ?? "") ?? single ?? "";
  });
}

const ESCAPE = /\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|(.))/g;

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/**
 * Removes blank lines at both ends, and the common indentation of all lines but the first, as the GraphQL specification
 * does for block strings (2.9.4).
 *
 * @param text finds the first character of a line that is not blank.
 */
export function dedent(
  lines: readonly string[],
  text = /[^\t ]/,
  cut = (line: string, indent: number) => line.slice(indent),
): string {
  const indents = lines.map((line) => line.search(text));
  const first = indents.findIndex((indent) => indent >= 0);
  if (first < 0) return "";
  const last = indents.findLastIndex((indent) => indent >= 0);
  let common = Number.POSITIVE_INFINITY;
  for (const indent of indents.slice(1)) if (indent >= 0 && indent < common) common = indent;
  return lines
    .map((line, index) => (index === 0 ? line : cut(line, common)))
    .slice(first, last + 1)
    .join("\n");
}

/** Prints a default as graph-node does: sorted members, `1.50` as `1.5`. The printer of graphql-js differs. */
export function printValue(node: ConstValueNode): string {
  switch (node.kind) {
    case Kind.NULL:
      return "null";
    case Kind.BOOLEAN:
      return String(node.value);
    case Kind.INT:
    case Kind.ENUM:
      return node.value;
    case Kind.FLOAT:
      return printFloat(Number(node.value));
    case Kind.STRING:
      return JSON.stringify(node.value);
    case Kind.LIST:
      return `[${node.values.map(printValue).join(", ")}]`;
    case Kind.OBJECT: {
      const members = new Map(node.fields.map(({ name, value }) => [name.value, value]));
      const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${sorted.map(([name, value]) => `${name}: ${printValue(value)}`).join(", ")}}`;
    }
  }
}

/** Prints a number without an exponent. */
function printFloat(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const sign = value < 0 ? "-" : "";
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}

/** Returns the value of an argument of a field; null if it is null or not given. */
export function argumentValue({ arguments: args = [] }: FieldNode, name: string): ValueNode | null {
  const value = args.find((argument) => argument.name.value === name)?.value;
  return value === undefined || value.kind === Kind.NULL ? null : value;
}
