/**
 * A description as a TSDoc comment. The text comes from a server: it must not end the comment.
 *
 * @returns the comment with a line feed after it, or nothing when there is no description.
 */
export function docComment(description: string | null, indent: string): string {
  if (description === null || description.trim() === "") return "";
  const lines = description.replaceAll("*/", "*\\/").split(/\r\n?|[\n\u2028\u2029]/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
