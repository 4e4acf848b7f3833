import { suggestionList } from "graphql/jsutils/suggestionList.js";
import { hideSecrets } from "./redact.ts";

/**
 * A stranger's text as messages may show it, on one line of bearable length: no secret, no command to whoever reads the
 * log, nothing that moves or colours a terminal, turns its writing direction or is not seen.
 */
export function displayText(text: string, secrets: readonly string[]): string {
  const line = withoutCommands(hideSecrets(text, secrets).replaceAll(UNSEEN, " ").toWellFormed()).trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
}

const LONGEST = 400;

/** Control and format characters, and the ends of lines that are neither. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/**
 * Text in which nobody who runs jobs finds a command, such as `::add-mask::`, `##[stop-commands]` and `##vso[…]`: a blank
 * takes each mark apart. An IPv6 address in brackets keeps its colons: it begins no line, and holds no word.
 */
export function withoutCommands(text: string): string {
  return text
    .replaceAll(BRACKETS_OR_COLON, (match, inside: string | undefined) => {
      if (inside === undefined) return ": ";
      return isAddress(inside) ? match : match.replaceAll(COLON, ": ");
    })
    .replaceAll(HASH, "# ");
}

const COLON = /:(?=:)/g;
const BRACKETS_OR_COLON = /\[([0-9a-f:.]{2,45}(?:%[0-9a-z]{1,20})?)\]|:(?=:)/gi;

function isAddress(text: string): boolean {
  return URL.canParse(`http://[${text.replace(/%.*/, "")}]/`);
}

/** Before another one that opens a bracket, with or without the name of a system between: `##[`, `##vso[`. */
const HASH = /#(?=#[a-z]{0,20}\[)/gi;

/** JSON, or JavaScript, of the same values in which nobody finds a command, and nothing that is not seen. */
export function jsonWithoutCommands(json: string): string {
  return json
    .replaceAll(/:(?=:)/g, "\\u003a")
    .replaceAll(HASH, "\\u0023")
    .replaceAll(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const code = character.charCodeAt(at).toString(16);
    return `\\u${code.padStart(4, "0")}`;
  }).join("");
}

/** A text as a sentence that another may follow: a server's words, or a name, seldom end with a full stop. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed === "" || /[.!?…][)\]"'`’”»]*$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The first of many names, and how many there are besides: `a, b, c and 4 more`. */
export function listSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** The name most like `given`, or null when none is near enough to be a likely slip of the hand. */
export function nearestName(given: string, names: Iterable<string>): string | null {
  return suggestionList(given, [...names])[0] ?? null;
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
