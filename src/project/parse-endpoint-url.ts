import { ConfigError } from "../base/errors/config-error.ts";
import { redactUrl } from "../base/redact-url.ts";
import { parseUrl, type UrlFault } from "../runtime/parse-url.ts";

/**
 * Parses the URL of an endpoint. Only https is taken, and http on this machine; credentials and keys in a URL are
 * refused because URLs end up in generated files and logs.
 *
 * @param place the key or the variable it comes from, for messages.
 * @param shown what of it messages may show; a variable may hold a key instead.
 */
export function parseEndpointUrl(text: string, place: string, shown: string | null): string {
  const url = parseUrl(text);
  if (typeof url !== "string") return url.href;
  const { code, sentence, hint } = FAULTS[url];
  throw new ConfigError({
    code,
    sentence: `"${place}" ${sentence}${shown === null ? "." : `: ${redactUrl(shown)}`}`,
    hint,
  });
}

const FAULTS = {
  "makes no URL": {
    code: "CONFIG_INVALID_VALUE",
    sentence: "is not a URL",
    hint: "write it out in full, starting with https://.",
  },
  "holds credentials": {
    code: "CONFIG_INSECURE_URL",
    sentence: "holds credentials in its URL",
    hint: 'take them out and name the variable that holds the key: apiKey: { env: "…" }.',
  },
  "holds a key": {
    code: "CONFIG_INSECURE_URL",
    sentence: "holds a key in its URL, and URLs end up in generated files",
    hint: 'take it out and name the variable that holds the key: apiKey: { env: "…" } or headers.',
  },
  "must use https": {
    code: "CONFIG_INSECURE_URL",
    sentence: "must use https",
    hint: "http is accepted on this machine's own addresses only (127.0.0.0/8, [::1], localhost).",
  },
} as const satisfies Record<UrlFault, unknown>;
