/** A description as snapshots keep it; releases of one platform differ in white space. Null when empty. */
export function normalizeDescription(description: string | null): string | null {
  if (description === null) return null;
  // Most are a line that has nothing to mend, and to see that is several times faster than to mend it.
  if (PLAIN_LINE.test(description)) return description;
  const lines = description
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    // Other control characters are not allowed in a GraphQL document at all.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
    .replaceAll(/[\u0000-\u0009\u000b-\u001f]/g, "")
    .split("\n")
    .map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== "");
  if (first < 0) return null;
  const last = lines.findLastIndex((line) => line !== "");
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line !== "") common = Math.min(common, line.search(/\S/));
  return lines
    .slice(first, last + 1)
    .map((line) => line.slice(common))
    .join("\n");
}

/** ASCII with neither control characters nor blanks at its ends. */
const PLAIN_LINE = /^[!-~](?:[ -~]*[!-~])?$/;
