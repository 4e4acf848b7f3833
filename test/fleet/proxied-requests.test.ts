import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, request } from "node:https";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createFetch } from "../../src/fleet/create-fetch.ts";
import { postGraphql } from "../../src/fleet/post-graphql.ts";
import { TunnelAgent } from "../../src/fleet/tunnel-agent.ts";
import { resolveHttpProxy } from "../../src/project/http-proxy.ts";
import { certificate, hasOpenssl } from "../support/certificate.ts";
import { connectProxy } from "../support/connect-proxy.ts";
import { listen } from "../support/listen.ts";
import { tempProject } from "../support/temp-project.ts";
import { closedUrl } from "../support/test-server.ts";

const LATE_AFTER = 300;
const KEY = "s3cret-9";
const ANSWER: RequestListener = (request, response) => {
  request.resume().on("end", () => {
    const { host, authorization, "proxy-authorization": login = "none" } = request.headers;
    const body = JSON.stringify({ host, authorization, login, path: request.url });
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(gzipSync(body));
  });
};

const plainServer = () => listen(createHttpServer(ANSWER));
const secureServer = () =>
  listen(createServer(certificate(tempProject().root, "indexer", { host: "indexer.test" }), ANSWER));

/** Sends a request as commands do, with the variables of an environment. */
async function post(url: string, env: Record<string, string>, timeout = 8000): Promise<string> {
  const headers = { authorization: `Bearer ${KEY}` };
  const target = { url, headers, proxy: resolveHttpProxy(url, env) };
  try {
    return Buffer.from(await postGraphql({ target, query: "{ a }", timeout })).toString();
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toContain(KEY);
    expect(message).not.toContain("pa:ss");
    return message;
  }
}

/** Sends a request as the client of `ask` does. */
async function ask(url: string, env: Record<string, string>, signal?: AbortSignal): Promise<string> {
  const headers = { authorization: `Bearer ${KEY}` };
  const options = { method: "POST", headers, body: "{}", redirect: "manual" } as const;
  return (await createFetch(env)(url, { ...options, signal: signal ?? null })).text();
}

const PLAIN = "http://indexer.test/x";
const SECURE = "https://indexer.test/x";
const AT_INDEXER = { host: "indexer.test", authorization: `Bearer ${KEY}`, login: "none" };

/** A proxy before an endpoint with a certificate, which requests accept. */
async function secureProxy(skip: (isSkipped: boolean, note: string) => void) {
  skip(!hasOpenssl(), "OpenSSL 3 is missing");
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  return connectProxy({ "indexer.test:443": await secureServer() });
}

describe.each([
  ["postGraphql", post],
  ["the fetch of ask", ask],
])("%s", (_, send) => {
  it("sends plain HTTP through http_proxy", async () => {
    const proxy = await connectProxy({ "indexer.test:80": await plainServer() });
    const answer = await send(`${PLAIN}?a=b#c`, { http_proxy: `http://user:pa%3Ass@${proxy.address}` });
    expect(JSON.parse(answer)).toEqual({ ...AT_INDEXER, path: "/x" });
    expect(proxy.received).toEqual(["POST http://indexer.test/x?a=b as user:pa:ss"]);
  });

  it("opens one tunnel for several requests through https_proxy, and the proxy never sees the key", async ({
    skip,
  }) => {
    const proxy = await secureProxy(skip);
    const env = { https_proxy: `user:pa%3Ass@${proxy.address}` };
    for (const path of ["/x", "/y"]) {
      expect(JSON.parse(await send(`https://indexer.test${path}`, env))).toEqual({ ...AT_INDEXER, path });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(proxy.received).toEqual(["CONNECT indexer.test:443 as user:pa:ss"]);
  });
});

it.runIf(hasOpenssl()).each([
  ["203.0.113.5", "203.0.113.5", "200"],
  ["203.0.113.5", "localhost", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ["indexer.test", "indexer.test", "200"],
  ["indexer.test", "localhost", "ERR_TLS_CERT_ALTNAME_INVALID"],
])("a tunnel to %s and a certificate for %s: %s", async (target, host, want) => {
  const pair = certificate(tempProject().root, "indexer", { host });
  const proxy = await connectProxy({ [`${target}:443`]: await listen(createServer(pair, ANSWER)) });
  const agent = new TunnelAgent(`http://${proxy.address}`);
  const result = await new Promise<unknown>((resolve) => {
    const sent = request(`https://${target}/`, { agent, ca: pair.cert });
    sent
      .on("response", ({ statusCode }) => resolve(statusCode))
      .on("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
    sent.end();
  });
  expect(String(result)).toBe(want);
});

describe("errors of requests through a proxy", () => {
  const tunnel = (status: number) => connectProxy({}, () => status);

  it("the certificate of the endpoint is verified", async ({ skip }) => {
    skip(!hasOpenssl(), "OpenSSL 3 is missing");
    const proxy = await connectProxy({ "indexer.test:443": await secureServer() });
    const message = await post(SECURE, { https_proxy: proxy.address });
    expect(message).toMatch(/could not be reached: the certificate of indexer\.test is self-signed\./);
    expect(message).toContain(`through the proxy http://${proxy.address}`);
  });

  it.each([
    [
      407,
      /refused to connect to indexer\.test \(HTTP 407\).*check the user and the password in https_proxy/s,
    ],
    [403, /refused to connect to indexer\.test \(HTTP 403\).*check no_proxy, or ask the operator/s],
    [502, /refused to connect to indexer\.test \(HTTP 502\)/],
  ])("a tunnel is refused with %s", async (status, want) => {
    const proxy = await tunnel(status);
    const message = await post(SECURE, { https_proxy: `user:pa%3Ass@${proxy.address}` });
    expect(message).toMatch(want);
    expect(message).toMatch(new RegExp(`^The proxy http://${proxy.address} `));
    await vi.waitFor(() => expect(proxy.connections()).toBe(0));
  });

  it("plain HTTP without a login", async () => {
    const proxy = await tunnel(407);
    expect(await post(PLAIN, { http_proxy: proxy.address })).toMatch(
      /^The endpoint answered HTTP 407\..*through the proxy .*the user and the password/s,
    );
  });

  it.each([
    ["https_proxy", SECURE],
    ["http_proxy", PLAIN],
  ])("the proxy of %s is down", async (variable, url) => {
    const proxy = await closedUrl();
    const message = await post(url, { [variable]: proxy });
    expect(message).toMatch(`The proxy ${proxy} could not be reached: the connection was refused.`);
    expect(message).toContain(`Hint: check ${variable} and no_proxy.`);
  });

  it("the proxy does not exist", async () => {
    const message = await post(SECURE, { https_proxy: "http://proxy.invalid:1" });
    expect(message).toMatch(/^The proxy http:\/\/proxy\.invalid:1 could not be reached: the host/);
  });

  it.each<[name: string, bytes: string]>([
    ["closes the connection", ""],
    ["speaks another protocol", "220 mail.example ESMTP\r\n\r\n"],
    ["sends an invalid header", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n"],
  ])("the proxy %s", async (_, bytes) => {
    const server = createHttpServer().on("connect", (_request, socket) => socket.end(bytes));
    expect(await post(SECURE, { https_proxy: `127.0.0.1:${await listen(server)}` })).toMatch(
      /^The proxy .* could not be reached: the connection failed/,
    );
  });

  it("a proxy that does not answer is late, and its connection is closed", async () => {
    const proxy = await tunnel(0);
    const message = await post(SECURE, { https_proxy: proxy.address }, LATE_AFTER);
    expect(message).toMatch(/^The endpoint did not answer completely within 0\.3 s\..*through the proxy/s);
    await vi.waitFor(() => expect(proxy.connections()).toBe(0));
  });

  it("an aborted request of ask is closed", async () => {
    const proxy = await tunnel(0);
    const stop = new AbortController();
    const asked = ask(SECURE, { https_proxy: proxy.address }, stop.signal);
    await vi.waitFor(() => expect(proxy.connections()).toBe(1));
    stop.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(proxy.connections()).toBe(0));
  });

  it("a tunnel that was closed while idle is opened again", async ({ skip }) => {
    const proxy = await secureProxy(skip);
    const env = { https_proxy: proxy.address };
    await post(SECURE, env);
    await new Promise((resolve) => setImmediate(resolve));
    proxy.closeAll();
    expect(await post(SECURE, env)).toMatch(/^\{/);
    expect(proxy.received).toHaveLength(2);
  });
});
