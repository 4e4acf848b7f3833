/** What is used of a URL. */
export type ParsedUrl = {
  readonly href: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
};

/** What is wrong with a URL, to follow the name of what makes it. */
export type UrlFault = "makes no URL" | "holds credentials" | "holds a key" | "must use https";

/**
 * Parses the URL of an endpoint, or returns what is wrong with it. It must use https, or http on this machine;
 * credentials and keys are refused because URLs end up in logs.
 */
export function parseUrl(text: string): ParsedUrl | UrlFault {
  // A project may know the types of no platform.
  const platform = globalThis as unknown as { readonly URL: new (text: string) => ParsedUrl };
  let url: ParsedUrl;
  try {
    url = new platform.URL(text);
  } catch {
    return "makes no URL";
  }
  const { href, username, password } = url;
  if (username + password !== "") return "holds credentials";
  if (/[\da-f]{32}|[?&][^=&]*(key|token|secret|auth)/i.test(href)) return "holds a key";
  return /^https:|^http:..(localhost|\[::1]|127(\.\d+){3})[:/]/.test(href) ? url : "must use https";
}
