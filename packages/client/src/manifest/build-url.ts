import type { Text, Variables } from "./manifest-types.ts";

/**
 * Builds a URL from its template: reads variables and fills placeholders. Values are encoded, so that they cannot
 * change other parts of the URL. Errors show no values, because a value may contain a key.
 */
export function buildUrl(
  text: Text,
  { deployment, values }: { readonly deployment: string; readonly values: Readonly<Record<string, Text>> },
  env: Variables | undefined,
): Pick<ParsedUrl, "href" | "host"> {
  const { env: place, has = "" } = typeof text === "string" ? { env: text } : text;
  const template = requireText(text, env);
  if (!template.includes(has)) throw new Error(`${place} must contain ${has}.`);
  const filled = template
    .replaceAll("{deployment}", () => deployment)
    .replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
      // Inherited members are not values.
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) throw new Error(`${placeholder} in ${place} has no value.`);
      const part = requireText(value, env);
      if (isUrlPart(name, part)) return name === "host" ? part : encodeURIComponent(part);
      throw new Error(`The value of ${placeholder} in ${place} is not valid in a URL.`);
    });
  const url = parseUrl(filled);
  if (typeof url === "string") throw new Error(`${place} ${url}.`);
  const { href, host } = url;
  // React Native adds a slash at the end.
  return { href: filled.endsWith("/") ? href : href.replace(/(\w\/.*)\/$/, "$1"), host };
}

/** Whether a value is valid for a placeholder: a host, or one segment of a path. */
export function isUrlPart(name: string, value: string): boolean {
  return name === "host" ? /^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(value) : !/^\.*$/.test(value);
}

/** Returns a text, or the value of its variable. A platform without `process` has no values, which is not an error. */
export function readText(text: Text, env: Variables | undefined): string | undefined {
  if (typeof text === "string") return text;
  let value: unknown;
  try {
    value = env ? env[text.env] : text.read?.();
  } catch {}
  return (typeof value === "string" && value.trim()) || text.or;
}

function requireText(text: Text, env: Variables | undefined): string {
  const value = readText(text, env);
  if (value !== undefined) return value;
  throw new Error(
    `Set ${(text as { readonly env: string }).env}, pass it to endpoint(), or run "lockflow emulate".`,
  );
}

/** The parts of a URL that are used. */
type ParsedUrl = {
  readonly href: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
};

/** An error in a URL, as a clause: `LOCKFLOW_URL is not a URL`. */
export type UrlFault = "is not a URL" | "holds credentials" | "holds a key" | "must use https";

/**
 * Parses the URL of an endpoint, or returns what is wrong with it. It must use https, or http on this machine;
 * credentials and keys are refused because URLs end up in logs.
 */
export function parseUrl(text: string): ParsedUrl | UrlFault {
  // The types of DOM and Node may both be missing.
  const platform = globalThis as unknown as { readonly URL: new (text: string) => ParsedUrl };
  let url: ParsedUrl;
  try {
    url = new platform.URL(text);
  } catch {
    return "is not a URL";
  }
  const { href, username, password } = url;
  if (username + password !== "") return "holds credentials";
  if (/[\da-f]{32}|[?&][^=&]*(key|token|secret|auth)/i.test(href)) return "holds a key";
  return /^https:|^http:..(localhost|\[::1]|127(\.\d+){3})[:/]/.test(href) ? url : "must use https";
}
