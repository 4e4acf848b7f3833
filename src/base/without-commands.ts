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
