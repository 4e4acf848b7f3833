/** What a TypeScript type is as JSON. No JSON holds what is foreign; the text alone does not tell what is unclear. */
export type TypeKind = "string" | "number" | "boolean" | "null" | "object" | "foreign" | "unclear";

/**
 * The kinds of values that a TypeScript type has, as far as its text says: `string & { __brand: "x" }` is a string.
 * Null for a text that is no type, because a bracket or a quote has no counterpart or words stand side by side, as in
 * `0x${string}` without its backticks.
 */
export function typeKinds(text: string): ReadonlySet<TypeKind> | null {
  const tokens = text.replaceAll(COMMENT, " ").match(TOKEN) ?? [];
  if (tokens.some((token) => STRAY.test(token)) || !isBalanced(tokens) || !isType(tokens)) return null;
  return new Set(kindsOf(tokens));
}

/** A quote without its counterpart, or a character that no type has outside of texts. */
const STRAY = /^["'`/\\@#%^*+!~]$/;

const COMMENT = /\/\*[\s\S]*?\*\//g;

/** A text, a number, a name with its path, an arrow, or any other character that is not white space. */
const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|-?\d[\w.]*|[\w$]+(?:\s*\.\s*[\w$]+)*|=>|\S/g;

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

function isBalanced(tokens: readonly string[]): boolean {
  const open: string[] = [];
  for (const token of tokens) {
    const closing = CLOSING[token];
    if (closing !== undefined) open.push(closing);
    else if (/^[)\]}>]$/.test(token) && open.pop() !== token) return false;
  }
  return open.length === 0;
}

/** Looks at what stands outside all brackets; what is within them is left to a compiler. */
function isType(tokens: readonly string[]): boolean {
  const outside = topLevel(tokens);
  if (outside.some((token) => /^[;,=]$/.test(token)) || /^[|&]$/.test(outside.at(-1) ?? "")) return false;
  // Functions and conditions have words between types.
  if (outside.some((token) => /^(=>|\?|extends|is)$/.test(token))) return true;
  const parts = split(tokens, "|").flatMap((part) => split(part, "&"));
  return parts.length > 0 && parts.every(isSingleType);
}

/** A type with arguments, indexes and members behind it; of brackets the closing ones are looked at. */
function isSingleType(tokens: readonly string[]): boolean {
  const [first, ...rest] = topLevel(tokens).filter((token) => !PREFIX.test(token));
  return first !== undefined && rest.every((token, at) => /^[>\].]$/.test(token) || rest[at - 1] === ".");
}

/** Words that stand before a type. */
const PREFIX = /^(keyof|typeof|readonly|unique|infer|asserts|abstract|import)$/;

function kindsOf(tokens: readonly string[]): readonly TypeKind[] {
  const outside = topLevel(tokens);
  if (outside.includes("=>")) return ["foreign"];
  if (outside.some((token) => /^(\?|extends|is)$/.test(token))) return ["unclear"];
  return split(tokens, "|").flatMap((part) => intersect(split(part, "&").map(kindsOfPart)));
}

/** A brand is an object that a primitive type is intersected with, and says nothing of what travels. */
function intersect(parts: readonly (readonly TypeKind[])[]): readonly TypeKind[] {
  const [first, ...others] = parts.filter((kinds) => !kinds.includes("object") && !kinds.includes("unclear"));
  if (first) return first.filter((kind) => others.every((kinds) => kinds.includes(kind)));
  return parts.find((kinds) => kinds.includes("unclear")) ?? parts[0] ?? [];
}

function kindsOfPart(tokens: readonly string[]): readonly TypeKind[] {
  const [first = "", ...rest] = tokens;
  if (rest.length === 0) return kindsOfWord(first);
  // An array or a tuple; with something between the brackets, a property of something.
  if (rest.at(-1) === "]") return [rest.at(-2) === "[" || first === "[" ? "object" : "unclear"];
  if (first === "{") return ["object"];
  if (first === "(") return kindsOf(tokens.slice(1, -1));
  if (first === "readonly") return kindsOfPart(rest);
  return rest[0] === "<" ? kindsOfWord(first) : ["unclear"];
}

function kindsOfWord(word: string): readonly TypeKind[] {
  if (/^["'`]/.test(word)) return ["string"];
  if (/^-?\d/.test(word)) return [word.endsWith("n") ? "foreign" : "number"];
  if (/^(never|undefined|void)$/.test(word)) return [];
  const [kind = "unclear"] = WORDS.find(([, words]) => words.split(" ").includes(word)) ?? [];
  return [kind];
}

const WORDS: readonly (readonly [TypeKind, string])[] = [
  ["string", "string Capitalize Lowercase Uncapitalize Uppercase"],
  ["number", "number"],
  ["boolean", "boolean true false"],
  ["null", "null"],
  ["object", "object Array ReadonlyArray Record"],
  ["foreign", "bigint symbol BigInt Buffer Date Function Map Number Promise RegExp Set"],
  ["foreign", "Symbol URL Uint8Array Temporal.Instant"],
];

/** The tokens outside all brackets. */
function topLevel(tokens: readonly string[]): string[] {
  const depths = depthsOf(tokens);
  return tokens.filter((_, at) => depths[at] === 0);
}

/** The parts between separators that stand outside all brackets; a separator may lead. */
function split(tokens: readonly string[], separator: string): string[][] {
  const depths = depthsOf(tokens);
  const parts: string[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    if (token === separator && depths[at] === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** How many brackets are open behind each token. */
function depthsOf(tokens: readonly string[]): number[] {
  let depth = 0;
  return tokens.map((token) => {
    if (CLOSING[token] !== undefined) depth++;
    else if (/^[)\]}>]$/.test(token)) depth--;
    return depth;
  });
}
