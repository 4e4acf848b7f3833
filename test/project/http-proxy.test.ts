import { expect, it } from "vitest";
import { resolveHttpProxy } from "../../src/project/http-proxy.ts";
import { catchError } from "../support/catch-error.ts";

const A = "http://a:1";
const SECURE = "https://indexer.test/x";
const PLAIN = "http://indexer.test/x";

it.each<[name: string, url: string, env: Record<string, string>, want: string | null]>([
  ["no variable", SECURE, {}, null],
  ["https_proxy", SECURE, { https_proxy: A }, "http://a:1 https_proxy"],
  ["HTTPS_PROXY", SECURE, { HTTPS_PROXY: A }, "http://a:1 HTTPS_PROXY"],
  ["lower case first", SECURE, { HTTPS_PROXY: "http://b:2", https_proxy: A }, "http://a:1 https_proxy"],
  ["an empty variable", SECURE, { HTTPS_PROXY: A, https_proxy: "" }, null],
  ["http_proxy", PLAIN, { http_proxy: A }, "http://a:1 http_proxy"],
  ["HTTP_PROXY, which a request can set", PLAIN, { HTTP_PROXY: A }, null],
  ["https_proxy for plain HTTP", PLAIN, { https_proxy: A }, null],
  ["http_proxy for HTTPS", SECURE, { http_proxy: A }, null],
  ["no scheme", SECURE, { https_proxy: "proxy.corp:3128" }, "http://proxy.corp:3128 https_proxy"],
  ["a proxy with TLS", SECURE, { https_proxy: " https://p/ " }, "https://p https_proxy"],
  ["a login", SECURE, { https_proxy: "http://u:s3cret@p:1" }, "http://p:1 https_proxy"],
  ["an IPv6 proxy", SECURE, { https_proxy: "http://[fd00::1]:3128" }, "http://[fd00::1]:3128 https_proxy"],
])("resolveHttpProxy %s", (_, url, env, want) => {
  const proxy = resolveHttpProxy(url, env);
  expect(proxy && `${proxy.name} ${proxy.variable}`).toBe(want);
});

it.each([
  "localhost",
  "LOCALHOST:4350",
  "a.localhost",
  "localhost.",
  "127.0.0.1",
  "127.255.0.9:4350",
  "127.1",
  "0x7f.0.0.1",
  "[::1]:4350",
  "[::ffff:127.0.0.1]",
])("resolveHttpProxy never returns a proxy for %s", (host) => {
  const env = { https_proxy: A, http_proxy: A };
  expect(resolveHttpProxy(`https://${host}/x`, env)).toBeNull();
  expect(resolveHttpProxy(`http://${host}/x`, env)).toBeNull();
});

it.each<[entry: string, covered: readonly string[], others: readonly string[]]>([
  ["*", ["a.example", "10.0.0.1", "[fd00::1]"], []],
  [
    "a.example",
    ["a.example", "A.example", "b.a.example", "a.example.", "a.example:8443"],
    ["aa.example", "example"],
  ],
  [".a.example", ["a.example", "b.a.example"], ["aa.example"]],
  ["*.a.example", ["a.example", "b.a.example"], ["aa.example"]],
  ["A.Example", ["a.example"], []],
  ["a.example:8443", ["a.example:8443"], ["a.example", "a.example:8444"]],
  ["a.example:443", ["a.example"], ["a.example:8443"]],
  ["10.0.0.1", ["10.0.0.1", "10.0.0.1:8443"], ["10.0.0.2", "110.0.0.1", "a.10.0.0.1.example"]],
  ["10.0.0.1:8443", ["10.0.0.1:8443"], ["10.0.0.1"]],
  ["10.0.0.0/8", ["10.255.1.2"], ["11.0.0.1", "a.example"]],
  ["10.0.0.0/99", [], ["10.0.0.1"]],
  ["fd00::/8", ["[fd12::1]"], ["[fe00::1]"]],
  ["[fd00::1]:8443", ["[fd00::1]:8443"], ["[fd00::1]"]],
  ["x, a.example b.example", ["a.example", "b.example"], ["c.example"]],
  ["", [], ["a.example"]],
  [" , .", [], ["a.example"]],
])("resolveHttpProxy with no_proxy %j", (entry, covered, others) => {
  const isDirect = (host: string, env: Record<string, string>) =>
    resolveHttpProxy(`https://${host}/x`, { https_proxy: A, ...env }) === null;
  expect(covered.filter((host) => !isDirect(host, { no_proxy: entry }))).toEqual([]);
  expect(covered.filter((host) => !isDirect(host, { NO_PROXY: entry }))).toEqual([]);
  expect(others.filter((host) => isDirect(host, { no_proxy: entry, NO_PROXY: "*" }))).toEqual([]);
});

it.each(["socks5://s3cret@p:1", "http://", "http://a:99999", "http://%zz:s3cret@p", "a b", "ftp://p"])(
  "error: %j, without showing it",
  (value) => {
    const error = catchError(() => resolveHttpProxy(SECURE, { HTTPS_PROXY: value }));
    expect(error).toMatchObject({ code: "CONFIG_INVALID_VALUE" });
    expect(error.message).toMatch(
      /^The value of the environment variable HTTPS_PROXY is not the URL of an HTTP proxy\./,
    );
    expect(error.message).not.toContain("s3cret");
  },
);

it("resolveHttpProxy ignores an invalid proxy that is not needed", () => {
  expect(resolveHttpProxy("https://localhost/", { https_proxy: "socks5://p" })).toBeNull();
});
