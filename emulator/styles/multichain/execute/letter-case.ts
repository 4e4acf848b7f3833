/** A text in lower case, character by character, as the database has it: no letter becomes two (C.4). */
export function lowerText(text: string): string {
  return BEYOND_ASCII.test(text) ? Array.from(text, lowerCharacter).join("") : text.toLowerCase();
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The character and what it is in either case, which is all that the database takes for it. */
export function caseVariants(character: string): ReadonlySet<string> {
  return new Set([character, lowerCharacter(character), alone(character.toUpperCase(), character)]);
}

function lowerCharacter(character: string): string {
  return character === "İ" ? "i" : alone(character.toLowerCase(), character);
}

function alone(mapped: string, character: string): string {
  return mapped.length > 1 && [...mapped].length > 1 ? character : mapped;
}
