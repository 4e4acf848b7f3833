import { suggestionList } from "graphql/jsutils/suggestionList.js";
import { cleanText } from "./clean-text.ts";
import { hideSecrets } from "./redact.ts";

/** `cleanText` of a text from outside, without the secrets. */
export function displayText(text: string, secrets: readonly string[]): string {
  return cleanText(hideSecrets(text, secrets));
}

/** A text as a sentence that another may follow: a server's words, or a name, seldom end with a full stop. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?…][)\]"'`’”»]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The name most like `given`, or null when none is near enough to be a likely slip of the hand. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  return suggestionList(given, [...names])[0] ?? null;
}

/** Quotes an argument of a command that is shown to be copied into a POSIX shell, unless it needs no quotes. */
export function shellArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `query` gives `Query`. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a name can stand unquoted in TypeScript. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** A value as TypeScript on one line. JSON would quote every key. A member that is undefined is left out. */
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

/** A value as JSON, GraphQL and TypeScript of any age read it: JSON leaves line separators as they are. */
export function quote(value: unknown): string {
  return escapeSeparators(JSON.stringify(value));
}

/** JSON as TypeScript of any age reads it. */
export function escapeSeparators(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A name as the key of an object literal. */
export function propertyName(key: string): string {
  // A plain `__proto__: …` in a literal would set the prototype instead of a member.
  if (key === "__proto__") return '["__proto__"]';
  return isIdentifier(key) ? key : quote(key);
}
