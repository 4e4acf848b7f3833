import type { Described } from "../../../schema/entity-model.ts";
import type { GraphNodeFeatures } from "../release.ts";

/** A block string as a release shows it: until 0.40.2 graph-node kept one line feed at the end (D.1). */
export function blockDescription(text: string, { trimmedDescriptions }: GraphNodeFeatures): string {
  return trimmedDescriptions ? text : `${text}\n`;
}

/** An author's description as a release shows it; taken for a block string unless the model says otherwise. */
export function authoredDescription(
  { description, quoted }: Described,
  features: GraphNodeFeatures,
): string | null {
  if (description === null || description === "") return description;
  const text = storedText(description);
  // What has several lines is stored as a block string, however it was written.
  if (text.includes("\n")) return blockDescription(text, features);
  if (quoted || features.trimmedDescriptions) return text;
  // The older parser took the blanks off what stands in the line of the quotes, too.
  return blockDescription(text.trim(), features);
}

/** What graph-node stores: it prints `\u` with decimal numbers and reads four digits back as hexadecimal. */
function storedText(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if ((code >= 0x20 && code <= 0xffff) || "\t\n\r".includes(character)) return character;
    const digits = String(code).padStart(4, "0");
    return String.fromCharCode(Number.parseInt(digits.slice(0, 4), 16)) + digits.slice(4);
  }).join("");
}
