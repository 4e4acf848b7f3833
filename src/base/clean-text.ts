// This file also runs in the page of a report: it needs no Node.

/**
 * Returns text from outside as messages may show it: on one line of at most 400 characters, without commands to a CI log,
 * and without characters that are invisible, colour a terminal or change the writing direction.
 */
export function cleanText(text: string): string {
  const line = wellFormed(withoutCommands(text.replaceAll(UNSEEN, " "))).trim();
  return line.length > LONGEST ? `${wellFormed(line.slice(0, LONGEST))}…` : line;
}

const LONGEST = 400;

/** Control characters, format characters and the line separators of Unicode. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** Replaces lone surrogates. Older browsers lack `toWellFormed`. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/**
 * Breaks commands to a CI log, such as `::add-mask::`, `##[stop-commands]` and `##vso[…]`, with a blank inside each mark.
 * An IPv6 address in brackets keeps its colons, because it cannot be a command.
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
  try {
    // Older browsers lack `URL.canParse`.
    return new URL(`ws://[${text.replace(/%.*/, "")}]/`).href !== "";
  } catch {
    return false;
  }
}

/** The first `#` of `##[` and `##vso[`. */
const HASH = /#(?=#[a-z]{0,20}\[)/gi;

/** Escapes commands to a CI log and invisible characters in JSON or JavaScript. Its values stay the same. */
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

/** Returns the first names and the number of the others: `a, b, c and 4 more`. */
export function listSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
