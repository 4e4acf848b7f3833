import { type JsonProblem, parseJson } from "./parse-json.ts";

/**
 * Parses JSON of which the first of two equal keys counts and numbers keep their digits. `JSON.parse` does the
 * work; only a text in which either may matter is read again, slowly.
 */
export function parseFirstKeyWins(
  text: string,
): { readonly value: unknown } | { readonly problem: JsonProblem } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseJson(text);
  }
  if (!MAY_LOSE_DIGITS.test(text) && !mayRepeatKeys(text, value)) return { value };
  const slow = parseJson(text);
  // What is nested too deeply for the slow reader is JSON all the same.
  return "value" in slow ? slow : { value };
}

/** A number where a value may be, with many digits or an exponent. */
const MAY_LOSE_DIGITS = /[:[,]\s*-?(?:[0-9.]{16}|[0-9.]+[eE])/;

/** Every key is a string before a colon, and so may be some text inside a string: never fewer than keys. */
function mayRepeatKeys(text: string, value: unknown): boolean {
  return (text.match(/"\s*:/g)?.length ?? 0) > countKeys(value);
}

function countKeys(value: unknown): number {
  const open = [value];
  let count = 0;
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const members = Object.values(next);
    if (!Array.isArray(next)) count += members.length;
    for (const member of members) if (typeof member === "object") open.push(member);
  }
  return count;
}
