/** A URL, or other text, for messages: without credentials, query, fragment, and parts of the path that may be keys. */
export function redactUrl(text: string): string {
  const withoutQuery = text.replace(/[?#].*$/s, "");
  const withoutCredentials = withoutQuery.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1<redacted>@");
  return withoutCredentials.replaceAll(/[0-9a-f]{32,}|(?<=\/)[A-Za-z0-9_-]{40,}(?=\/|$)/gi, "<redacted>");
}

/** Free text from elsewhere with every URL in it redacted, and every run of 32 or more hex digits. */
export function redactText(text: string): string {
  return text
    .replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, redactUrl)
    .replaceAll(/(?<!0x[0-9a-f]*)\b[0-9a-f]{32,}\b/gi, "<redacted>");
}
