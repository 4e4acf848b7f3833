/** Graph-node keeps a blank line inside that is shorter than the common indentation as it is (A.2). */
export function readBlockString(body: string): string {
  const lines = body.split(/\r?\n/);
  const first = lines.findIndex((line) => !isBlank(line));
  const last = lines.findLastIndex((line) => !isBlank(line));
  if (first < 0) return "";
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines.slice(1)) if (!isBlank(line)) common = Math.min(common, indentOf(line));
  return lines
    .map((line, index) => (index === 0 || line.length < common ? line : line.slice(common)))
    .slice(first, last + 1)
    .join("\n")
    .replaceAll('\\"""', '"""');
}

function isBlank(line: string): boolean {
  return line.trim() === "";
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
