/** A server's description as a TSDoc comment with a line feed, or nothing: it ends no comment and holds no tag. */
export function docComment(
  description: string | null,
  indent: string,
  deprecation: string | null = null,
): string {
  const lines = description === null || description.trim() === "" ? [] : textLines(description);
  if (deprecation !== null) {
    const [first = "", ...more] = textLines(deprecation);
    if (lines.length > 0) lines.push("");
    lines.push(`@deprecated ${first}`.trimEnd(), ...more);
  }
  if (lines.length === 0) return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function textLines(text: string): string[] {
  return text
    .replaceAll("*/", "*\\/")
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => line.replace(TAG, "$1\\@"));
}

/** Editors take an at sign for a tag wherever it follows a blank, not only at the start of a line. */
const TAG = /(^|[\s\u0085\u200b])@(?=\S)/g;
