/**
 * Checks the `Authorization` header as the gateway in front of the production subgraphs does: null when the
 * request may pass, else the gateway's words.
 */
export function authorize(header: string | undefined, apiKeys: readonly string[] | null): string | null {
  if (header === undefined) return "auth error: missing authorization header";
  const bearer = /^bearer(?:\s+(.*))?$/i.exec(header.trim());
  if (bearer === null) return "auth error: invalid authorization header";
  const token = bearer[1]?.trim() ?? "";
  if (token === "") return "auth error: missing API key";
  if (apiKeys !== null && !apiKeys.includes(token)) return "auth error: API key not found";
  return null;
}
