import { compareCodeUnits } from "../base/collections.ts";
import { ConfigError } from "../base/errors.ts";
import { nearestName } from "../base/text.ts";
import { styles } from "../dialects/index.ts";
import { AFTER_RENAMES } from "../workspace/check-definitions.ts";
import type { Snapshot } from "../workspace/snapshot.ts";
import { writtenSchema } from "../workspace/snapshot-schema.ts";
import { isScalarImport } from "./scalars.ts";

/**
 * Checks the scalars of a configuration, except for imported types, which only a compiler can check.
 *
 * @param scalars the result of `knownScalars`.
 * @throws ConfigError for an unknown name, an invalid type, and a type that contradicts the scalar's JSON.
 */
export function checkScalars(
  configured: Readonly<Record<string, string>>,
  scalars: ReadonlyMap<string, string | null>,
): void {
  for (const [name, type] of Object.entries(configured)) {
    const travels = scalars.get(name);
    if (travels === undefined) throw unknownScalar(name, scalars);
    if (isScalarImport(type)) continue;
    const kinds = typeKinds(type);
    if (kinds === null)
      throw refused({ name, type }, "is not a TypeScript type", `give a type, as in ${name}: "string".`);
    if (travels === null) continue;
    const arriving = typeKinds(travels) ?? new Set();
    if (isPossible(kinds, arriving)) continue;
    const [kind] = arriving;
    throw refused(
      { name, type },
      `does not match the JSON: ${name} arrives ${kind === "unclear" ? "unchanged" : `as a ${kind}`}, and nothing converts it`,
      kind === "string"
        ? `leave it a string, give the string a brand, as in \`string & { readonly __scalar: "${name}" }\`, and convert where you calculate: \`BigInt(value)\`.`
        : `remove the entry: the type is \`${travels}\`.`,
    );
  }
}

function isPossible(kinds: ReadonlySet<string>, arriving: ReadonlySet<string>): boolean {
  // Parsed JSON is returned unchanged, so no value of that type would ever exist.
  if (kinds.has("foreign")) return false;
  if (kinds.has("unclear")) return true;
  return arriving.has("unclear") ? kinds.size > 0 : [...kinds].some((kind) => arriving.has(kind));
}

function refused(
  { name, type }: { readonly name: string; readonly type: string },
  reason: string,
  hint: string,
): ConfigError {
  return new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `The configuration's "scalars.${name}", ${JSON.stringify(type)}, ${reason}.`,
    hint,
  });
}

function unknownScalar(name: string, scalars: ReadonlyMap<string, unknown>): ConfigError {
  const names = [...scalars.keys()].sort(compareCodeUnits);
  const nearest = nearestName(name, names)?.toLowerCase();
  // One platform has a BigInt, the other a bigint.
  const meant = names.filter((each) => each.toLowerCase() === nearest);
  return new ConfigError({
    code: "CONFIG_UNKNOWN_KEY",
    sentence: `The configuration's "scalars.${name}" does not name a scalar.`,
    hint: `${
      meant.length === 0
        ? `known scalars: ${names.join(", ")}.`
        : `did you mean ${meant.map((each) => `"${each}"`).join(" or ")}?`
    } ${AFTER_RENAMES}`,
  });
}

/** Returns the scalars of platforms and snapshots, each with the TypeScript type of its JSON; null for an unknown one. */
export function knownScalars(snapshots: readonly Snapshot[]): ReadonlyMap<string, string | null> {
  const jsonTypes = new Map<string, string | null>();
  const types = snapshots.flatMap(({ base }) => writtenSchema(base).types);
  // An enum that a platform shows as an opaque scalar is folded to lower case there, and its members are texts.
  const enums = new Set(types.flatMap(({ kind, name }) => (kind === "ENUM" ? [name.toLowerCase()] : [])));
  // Lockflow prints the snapshots, so each scalar is on its own line.
  const variants = snapshots.flatMap((snapshot) => snapshot.variants.map(({ text }) => text)).join("\n");
  const names = [
    ...types.flatMap(({ kind, name }) => (kind === "SCALAR" ? [name] : [])),
    ...[...variants.matchAll(/^scalar (\w+)/gm)].map(([, name = ""]) => name),
  ];
  for (const name of names) jsonTypes.set(name, enums.has(name) ? "string" : null);
  for (const { scalars } of Object.values(styles)) {
    for (const [name, { typescript }] of scalars) jsonTypes.set(name, typescript);
  }
  return jsonTypes;
}

/** The JSON kind of a TypeScript type. `foreign` types do not occur in JSON; `unclear` needs more than the text. */
export type TypeKind = "string" | "number" | "boolean" | "null" | "object" | "foreign" | "unclear";

/**
 * Returns the kinds of values of a TypeScript type, as far as its text shows: `string & { __brand: "x" }` is a string.
 * Returns null for a text that is not a type: a bracket or a quote is not closed, or two names follow each other, as in
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

/** Checks the text outside all brackets; the text within them is left to a compiler. */
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

/** Words that can precede a type. */
const PREFIX = /^(keyof|typeof|readonly|unique|infer|asserts|abstract|import)$/;

function kindsOf(tokens: readonly string[]): readonly TypeKind[] {
  const outside = topLevel(tokens);
  if (outside.includes("=>")) return ["foreign"];
  if (outside.some((token) => /^(\?|extends|is)$/.test(token))) return ["unclear"];
  return split(tokens, "|").flatMap((part) => intersect(split(part, "&").map(kindsOfPart)));
}

/** A brand is an object that is intersected with a primitive type; it does not affect the JSON. */
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

function topLevel(tokens: readonly string[]): string[] {
  const depths = depthsOf(tokens);
  return tokens.filter((_, at) => depths[at] === 0);
}

/** Splits a text at separators outside all brackets; a leading separator is allowed. */
function split(tokens: readonly string[], separator: string): string[][] {
  const depths = depthsOf(tokens);
  const parts: string[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    if (token === separator && depths[at] === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

function depthsOf(tokens: readonly string[]): number[] {
  let depth = 0;
  return tokens.map((token) => {
    if (CLOSING[token] !== undefined) depth++;
    else if (/^[)\]}>]$/.test(token)) depth--;
    return depth;
  });
}
