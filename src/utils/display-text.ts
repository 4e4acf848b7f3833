/**
 * A stranger's text as messages may show it: no secret, no URL's secret parts, nothing that moves a terminal's
 * cursor, colours it or turns its writing direction, on one line of bearable length.
 *
 * @param secrets what must not be shown wherever it comes from; the shortest worth hiding has four characters.
 */
export function displayText(text: string, secrets: readonly string[]): string {
  const line = hideSecrets(text, secrets)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, " ")
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const LONGEST = 400;

/** Text without any of the secrets, also where they stand as JSON or URLs write them. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    const forms = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
    for (const form of forms) shown = shown.replaceAll(form, "<redacted>");
  }
  return shown;
}
