import { ConfigError } from "../errors/config-error.ts";
import { redactUrl } from "../utils/redact-url.ts";

/**
 * Parses the URL of an endpoint. Only https is taken, and http on this machine; credentials in a URL are
 * refused because URLs end up in generated files and logs.
 *
 * @param place the key it comes from, for messages.
 */
export function parseEndpointUrl(text: string, place: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"${place}" is not a URL: ${redactUrl(text)}`,
      hint: "write it out in full, starting with https://.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError({
      code: "CONFIG_INSECURE_URL",
      sentence: `"${place}" holds credentials in its URL: ${redactUrl(text)}`,
      hint: 'take them out and name the variable that holds the key: apiKey: { env: "…" }.',
    });
  }
  const secretParameter = [...url.searchParams.keys()].find((name) => /key|token|secret|auth/i.test(name));
  if (secretParameter !== undefined) {
    throw new ConfigError({
      code: "CONFIG_INSECURE_URL",
      sentence: `"${place}" holds a key in its URL, as "${secretParameter}": URLs end up in generated files.`,
      hint: 'take it out and name the variable that holds the key: apiKey: { env: "…" } or headers.',
    });
  }
  url.hash = "";
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return url.href;
  throw new ConfigError({
    code: "CONFIG_INSECURE_URL",
    sentence: `"${place}" must use https: ${redactUrl(text)}`,
    hint: "http is accepted on this machine's own addresses only (127.0.0.0/8, [::1], localhost).",
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
