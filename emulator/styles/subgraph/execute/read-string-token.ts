import { showCharacter } from "./token-stream.ts";

/** The text of a string token, or what is unexpected in it. */
export type StringReading = { readonly text: string } | { readonly unexpected: string };

/** Reads a token of kind StringValue, quotes included. Only half a surrogate pair is refused among escapes. */
export function readStringToken(token: string): StringReading {
  const inside = token.slice(1, -1);
  if (!inside.includes("\\")) return { text: inside };
  let text = "";
  for (let index = 0; index < inside.length; index++) {
    const character = inside[index];
    if (character !== "\\") {
      text += character;
      continue;
    }
    index++;
    const escaped = String.fromCodePoint(inside.codePointAt(index) ?? 0);
    const known = ESCAPES[escaped];
    if (known !== undefined) text += known;
    else if (escaped === "u") {
      // Four characters are at most eight units; to look at all that follows would take longer with every escape.
      const code = [...inside.slice(index + 1, index + 9)].slice(0, 4).join("");
      if ([...code].length < 4) {
        return { unexpected: `\\u must have 4 characters after it, only found '${code}'` };
      }
      if (!/^[0-9A-Fa-f]{4}$/.test(code) || /^d[89a-f]/i.test(code)) {
        return { unexpected: `${code} is not a valid unicode code point` };
      }
      text += String.fromCharCode(Number.parseInt(code, 16));
      index += 4;
    } else return { unexpected: `bad escaped char '${showCharacter(escaped.codePointAt(0) ?? 0)}'` };
  }
  return { text };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
