import { BlockList, isIP } from "node:net";
import { ConfigError } from "../base/errors.ts";
import type { Environ } from "./variables.ts";

/** An HTTP proxy that requests go through. */
export type HttpProxy = {
  /** May contain a password: only for requests, never for messages. */
  readonly url: string;
  /** Its scheme, host and port, for messages. */
  readonly name: string;
  /** The variable that names it. */
  readonly variable: string;
};

/**
 * Returns the proxy for a URL, from the variables that curl reads; null for none. A loopback address never has one.
 *
 * @throws ConfigError if the value of the variable is not the URL of an HTTP proxy.
 */
export function resolveHttpProxy(url: string, env: Environ): HttpProxy | null {
  const { protocol, hostname, port } = new URL(url);
  // Servers that run CGI programs set HTTP_PROXY to a header of the request.
  const names = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"];
  const variable = names.find((name) => env[name] !== undefined) ?? "";
  const value = env[variable]?.trim() ?? "";
  if (value === "") return null;
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  const excluded = env["no_proxy"] ?? env["NO_PROXY"] ?? "";
  const address = { host, port: port || (protocol === "https:" ? "443" : "80") };
  const isDirect = isLoopback(host) || excluded.split(/[\s,]+/).some((entry) => covers(entry, address));
  if (isDirect) return null;
  const proxy = parseProxy(value);
  if (proxy === null) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `The value of the environment variable ${variable} is not the URL of an HTTP proxy.`,
      hint: "set it to a URL such as http://proxy.example:3128, or unset it. SOCKS is not supported.",
    });
  }
  return { url: proxy.href, name: `${proxy.protocol}//${proxy.host}`, variable };
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || contains(LOOPBACK, host);
}

/** Returns whether an entry of `no_proxy` covers a host: `*`, a domain, an address or a subnet, each with or without a port. */
function covers(entry: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (entry === "*") return true;
  const [subnet = "", bits = ""] = entry.split("/");
  const family = isIP(subnet);
  if (family !== 0) {
    const list = new BlockList();
    const longest = family === 4 ? 32 : 128;
    const prefix = bits === "" ? longest : Number(bits);
    if (!Number.isInteger(prefix) || prefix < 0 || prefix > longest) return false;
    list.addSubnet(subnet, prefix, family === 4 ? "ipv4" : "ipv6");
    return contains(list, host);
  }
  const [, name = "", onlyPort = port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  const domain = name.replace(/^\*?\.|^\[|\]$|\.$/g, "");
  return domain !== "" && onlyPort === port && (host === domain || host.endsWith(`.${domain}`));
}

function contains(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? "ipv4" : "ipv6");
}

/** Parses a value such as `http://user:password@proxy.example:3128` or `proxy.example:3128`. */
function parseProxy(value: string): URL | null {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  try {
    const url = new URL(text);
    decodeURIComponent(`${url.username}${url.password}`);
    return /^https?:$/.test(url.protocol) ? url : null;
  } catch {
    return null;
  }
}
