import { suggestionList } from "graphql/jsutils/suggestionList.js";
import { cleanText } from "./clean-text.ts";
import { hideSecrets } from "./redact.ts";

/** Returns text from outside as messages may show it: cleaned, and without secrets. */
export function displayText(text: string, secrets: readonly string[]): string {
  return cleanText(hideSecrets(text, secrets));
}

/** Adds a full stop to text from outside, unless it ends with one. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?…][)\]"'`’”»]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Returns the name that is most similar to `word`; null if none is similar enough to be a likely typo. */
export function nearestName(word: string, names: Iterable<string>): string | null {
  return suggestionList(word, [...names])[0] ?? null;
}

/** Returns the names that are similar to `word`, the most similar first. */
export function nearestNames(word: string, names: Iterable<string>, most: number): string[] {
  return suggestionList(word, [...names]).slice(0, most);
}

/** Quotes an argument of a command for a POSIX shell, if it needs quotes. */
export function shellArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `query` gives `Query`. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `Query` gives `query`. */
export function uncapitalize(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Returns whether a name is a valid identifier in TypeScript. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Renders a value as TypeScript on one line. Keys are quoted only if needed; undefined members are left out. */
export function typescriptLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(typescriptLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${propertyName(key)}: ${typescriptLiteral(member)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return quote(value);
}

/** Renders a value as JSON that is also valid in GraphQL and in old versions of TypeScript. */
export function quote(value: unknown): string {
  return escapeSeparators(JSON.stringify(value));
}

/** Escapes line separators in JSON, which are not valid in strings of old versions of TypeScript. */
export function escapeSeparators(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Renders a name as the key of an object literal. */
export function propertyName(key: string): string {
  // A plain `__proto__: …` in a literal would set the prototype instead of a member.
  if (key === "__proto__") return '["__proto__"]';
  return isIdentifier(key) ? key : quote(key);
}
