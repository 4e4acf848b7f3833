import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { EndpointError } from "../../src/base/errors.ts";
import { postGraphql } from "../../src/fleet/post-graphql.ts";
import { rawServer } from "../support/raw-server.ts";

type Answer = (socket: Socket) => void;

const bytes =
  (...parts: readonly (string | Uint8Array)[]): Answer =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };
const thenEnd =
  (answer: Answer): Answer =>
  (socket) => {
    answer(socket);
    socket.end();
  };
const thenReset =
  (answer: Answer): Answer =>
  (socket) => {
    answer(socket);
    setTimeout(() => socket.resetAndDestroy(), 20);
  };
/** Writes a text repeatedly until the connection closes. */
const forEver =
  (first: string, again: string): Answer =>
  (socket) => {
    socket.write(first);
    const write = () => {
      if (!socket.destroyed) socket.write(again, () => setImmediate(write));
    };
    write();
  };

const OK = "HTTP/1.1 200 OK\r\n";
const JSON_OK = `${OK}content-type: application/json\r\n`;

/** Timeouts in milliseconds for tests that expect a timeout, and for all others. */
const LATE_AFTER = 100;
const NEVER_LATE = 8000;

const ask = async (answer: Answer, timeout: number): Promise<string> => {
  const url = await rawServer(answer);
  try {
    const body = await postGraphql({ target: { url, headers: {}, proxy: null }, query: "{ a }", timeout });
    return `body: ${Buffer.from(body).toString("utf8")}`;
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return `${error.code}: ${error.sentence}`;
  }
};

/** Detects a request that never settles; without a timer the process would end silently. */
const SILENCE = "nothing was heard";
const askWithin = (answer: Answer, timeout: number): Promise<string> =>
  Promise.race([
    ask(answer, timeout),
    new Promise<string>((resolve) => setTimeout(() => resolve(SILENCE), timeout + NEVER_LATE)),
  ]);

const CLOSED = /^ENDPOINT_UNREACHABLE: .* the connection was closed before the answer was complete\.$/;
const NO_HTTP = /^ENDPOINT_UNREACHABLE: .* its answer is not valid HTTP\.$/;
const LATE = /^ENDPOINT_TIMEOUT: /;

describe("postGraphql returns a body or an error for every kind of answer", () => {
  it.each<readonly [string, Answer, RegExp]>([
    ["a body with a content length", bytes(`${JSON_OK}content-length: 2\r\n\r\n{}`), /^body: \{\}$/],
    [
      "a body in chunks",
      bytes(`${JSON_OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
      /^body: \{\}$/,
    ],
    ["a body that ends with the connection", thenEnd(bytes(`${JSON_OK}\r\n{}`)), /^body: \{\}$/],
    [
      "a body with trailers",
      bytes(`${JSON_OK}trailer: a\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\na: b\r\n\r\n`),
      /^body: \{\}$/,
    ],
    [
      "an answer after early hints",
      bytes("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", `${JSON_OK}content-length: 2\r\n\r\n{}`),
      /^body: \{\}$/,
    ],
    [
      "an answer after 100 Continue",
      bytes("HTTP/1.1 100 Continue\r\n\r\n", `${JSON_OK}content-length: 2\r\n\r\n{}`),
      /^body: \{\}$/,
    ],
    ["more than one answer", bytes(`${JSON_OK}content-length: 2\r\n\r\n{}`.repeat(3)), /^body: \{\}$/],
    [
      "error: 101 with an upgrade",
      bytes("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n"),
      /^ENDPOINT_STATUS: The endpoint answered HTTP 101\.$/,
    ],
    [
      "error: 101 with an upgrade, and the connection closes",
      thenEnd(bytes("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n")),
      /^ENDPOINT_STATUS: The endpoint answered HTTP 101\.$/,
    ],
    [
      "error: 101 with an upgrade, and bytes of the other protocol",
      thenReset(
        bytes(
          "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: x\r\n\r\n",
          "\x81\x05abcde",
        ),
      ),
      /^ENDPOINT_STATUS: The endpoint answered HTTP 101\.$/,
    ],
    [
      "error: 101 without an upgrade",
      bytes("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
      /^ENDPOINT_STATUS: The endpoint answered HTTP 101\.$/,
    ],
    [
      "200 with an upgrade, as of a tunnel",
      thenEnd(bytes(`${OK}connection: Upgrade\r\nupgrade: h2c\r\n\r\n`)),
      /^body: $/,
    ],
    ["error: 102 without a final answer", bytes("HTTP/1.1 102 Processing\r\n\r\n"), LATE],
    ["error: the connection closes after 102", thenEnd(bytes("HTTP/1.1 102 Processing\r\n\r\n")), CLOSED],
    [
      "error: provisional answers without end",
      forEver("", "HTTP/1.1 100 Continue\r\n\r\n"),
      /^ENDPOINT_UNREACHABLE: .* it sent only provisional answers\.$/,
    ],
    ["error: no answer", bytes(), LATE],
    ["error: the connection closes before the first byte", thenEnd(bytes()), CLOSED],
    ["error: a reset before the first byte", thenReset(bytes()), CLOSED],
    ["error: the connection closes in the status line", thenEnd(bytes("HTTP/1.1 20")), CLOSED],
    ["error: the connection closes in the headers", thenEnd(bytes(`${OK}content-ty`)), CLOSED],
    ["error: a reset in the headers", thenReset(bytes(`${OK}content-ty`)), CLOSED],
    ["error: the answer stops in the headers", bytes(`${OK}content-ty`), LATE],
    ["error: headers without end", forEver(OK, `a: ${"b".repeat(1000)}\r\n`), NO_HTTP],
    [
      "error: the connection closes in the body",
      thenEnd(bytes(`${JSON_OK}content-length: 9\r\n\r\n{}`)),
      CLOSED,
    ],
    ["error: a reset in the body", thenReset(bytes(`${JSON_OK}content-length: 9\r\n\r\n{}`)), CLOSED],
    ["error: the answer stops in the body", bytes(`${JSON_OK}content-length: 9\r\n\r\n{}`), LATE],
    [
      "error: the connection closes in a chunk",
      thenEnd(bytes(`${JSON_OK}transfer-encoding: chunked\r\n\r\n9\r\n{}`)),
      CLOSED,
    ],
    [
      "error: the connection closes before the last chunk",
      thenEnd(bytes(`${JSON_OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`)),
      CLOSED,
    ],
    [
      "error: a chunk with an invalid size",
      bytes(`${JSON_OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}`),
      CLOSED,
    ],
    [
      "error: the connection closes in the trailers",
      thenEnd(bytes(`${JSON_OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\na: `)),
      CLOSED,
    ],
    [
      "error: trailers without end",
      forEver(`${JSON_OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, `a: ${"b".repeat(1000)}\r\n`),
      /^ENDPOINT_(TIMEOUT|UNREACHABLE): /,
    ],
    [
      "error: a body without end",
      forEver(`${JSON_OK}\r\n`, "x".repeat(2 ** 20)),
      /^ENDPOINT_BODY_TOO_LARGE: /,
    ],
    [
      "error: both a length and chunks",
      bytes(`${JSON_OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
      NO_HTTP,
    ],
    ["error: two lengths", bytes(`${JSON_OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`), NO_HTTP],
    ["error: a header line without a colon", bytes(`${OK}a\r\n\r\n`), NO_HTTP],
    ["error: another protocol", bytes("220 mail.example ESMTP\r\n"), NO_HTTP],
    ["error: an HTTP/2 answer", bytes("\0\0\0\x04\0\0\0\0\0"), NO_HTTP],
    ["error: status 99", thenEnd(bytes("HTTP/1.1 099 Odd\r\n\r\n")), /^ENDPOINT_STATUS: .* HTTP 99\.$/],
    ["error: status 204", bytes("HTTP/1.1 204 No Content\r\n\r\n"), /^ENDPOINT_STATUS: .* HTTP 204\.$/],
    ["error: status 304", bytes("HTTP/1.1 304 Not Modified\r\n\r\n"), /^ENDPOINT_REDIRECT: /],
    [
      "error: an uncompressed body with content-encoding gzip",
      thenEnd(bytes(`${JSON_OK}content-encoding: gzip\r\n\r\n{}`)),
      /^ENDPOINT_UNREACHABLE: .* its compressed answer is (broken|cut off)\.$/,
    ],
    ...["br", "deflate", "zstd", "gzip, gzip"].map(
      (encoding) =>
        [
          `error: a body with content-encoding ${encoding}`,
          bytes(`${JSON_OK}content-encoding: ${encoding}\r\ncontent-length: 2\r\n\r\n{}`),
          new RegExp(
            `^ENDPOINT_NOT_JSON: The answer is encoded as "${encoding}", but only gzip was requested`,
          ),
        ] as const,
    ),
    [
      "a body with content-encoding identity",
      bytes(`${JSON_OK}content-encoding: identity\r\ncontent-length: 2\r\n\r\n{}`),
      /^body: \{\}$/,
    ],
    [
      "an empty body with content-encoding gzip",
      bytes(`${JSON_OK}content-encoding: gzip\r\ncontent-length: 0\r\n\r\n`),
      /^(body: |ENDPOINT_UNREACHABLE)/,
    ],
  ])("%s", async (_, answer, want) => {
    expect(await askWithin(answer, want === LATE ? LATE_AFTER : NEVER_LATE)).toMatch(want);
  });
});

it("error: postGraphql redacts each word of a sent header in the URL of a redirect", async () => {
  const url = await rawServer(
    thenEnd(bytes("HTTP/1.1 302 Found\r\nlocation: https://a.example/s3cret-9/login\r\n\r\n")),
  );
  const headers = { authorization: "Bearer s3cret-9" };
  const error = await postGraphql({
    target: { url, headers, proxy: null },
    query: "{ a }",
    timeout: NEVER_LATE,
  }).catch((one) => one);
  expect(error).toMatchObject({ code: "ENDPOINT_REDIRECT" });
  expect(error.message).toContain("https://a.example/");
  expect(error.message).not.toContain("s3cret-9");
});

const SECRET = "s3cret-9";

describe("postGraphql reports the first GraphQL error of a failed request, and what to do", () => {
  const said = (message: unknown) => JSON.stringify({ errors: [{ message }, { message: "another" }] });
  const TYPE = "content-type: application/json; charset=utf-8\r\n";
  const REFUSED = /check that the URL is the GraphQL endpoint of this deployment/;

  it.each<[name: string, status: number, body: string, want: string, hint: RegExp]>([
    [
      "400",
      400,
      said("Cannot query field x"),
      "The endpoint answered HTTP 400: Cannot query field x.",
      REFUSED,
    ],
    [
      "401",
      401,
      said("invalid key"),
      "The endpoint refused access (HTTP 401): invalid key.",
      /check the key/,
    ],
    ["402", 402, said("pay!"), "The endpoint answered HTTP 402: pay!", /balance of the account/],
    ["403", 403, said("no"), "The endpoint refused access (HTTP 403): no.", /check the key/],
    ["404", 404, said("no such"), "The endpoint answered HTTP 404: no such.", /may have moved/],
    ["405", 405, "{}", "The endpoint answered HTTP 405.", /does not accept POST/],
    ["410", 410, said("gone"), "The endpoint answered HTTP 410: gone.", /set its status to "retired"/],
    ["413", 413, "[]", "The endpoint answered HTTP 413.", /smaller requests/],
    ["422", 422, said("bad"), "The endpoint answered HTTP 422: bad.", REFUSED],
    ["429", 429, said("slow"), "The endpoint's quota is used up (HTTP 429): slow.", /try again later/],
    ["500", 500, said("db down"), "The endpoint answered HTTP 500: db down.", /try again later/],
    ["502 with HTML", 502, "<html>", "The endpoint answered HTTP 502.", /try again later/],
    [
      "an error without a message",
      500,
      said(7),
      "The endpoint answered HTTP 500: an error without a message.",
      /later/,
    ],
    [
      "disabled introspection",
      400,
      said("GraphQL introspection is not allowed"),
      "The endpoint does not answer introspection: GraphQL introspection is not allowed.",
      /ask its operator/,
    ],
    [
      "an echo of the key",
      403,
      said(`key ${SECRET} of https://a.example/?k=1 is unknown`),
      "The endpoint refused access (HTTP 403): key <redacted> of https://a.example/ is unknown.",
      /check the key/,
    ],
  ])("%s", async (_, status, body, want, hint) => {
    const url = await rawServer(
      bytes(`HTTP/1.1 ${status} X\r\n${TYPE}content-length: ${body.length}\r\n\r\n${body}`),
    );
    const headers = { authorization: `Bearer ${SECRET}` };
    const error = await postGraphql({
      target: { url, headers, proxy: null },
      query: "{ a }",
      timeout: NEVER_LATE,
    }).catch((one) => one);
    expect(error).toBeInstanceOf(EndpointError);
    expect(error.sentence).toBe(want);
    expect(error.hint).toMatch(hint);
  });

  it.each([
    ["is cut off", thenReset(bytes(`HTTP/1.1 503 X\r\n${TYPE}content-length: 9\r\n\r\n{}`))],
    ["stops", bytes(`HTTP/1.1 503 X\r\n${TYPE}content-length: 9\r\n\r\n{}`)],
    ["is not gzip", bytes(`HTTP/1.1 503 X\r\n${TYPE}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`)],
  ])("a status whose body %s", async (_, answer) => {
    expect(await ask(answer, LATE_AFTER)).toBe("ENDPOINT_STATUS: The endpoint answered HTTP 503.");
  });
});

describe("postGraphql reports where a redirect leads", () => {
  const MOVED = "The endpoint has moved permanently (HTTP 301) to";

  it.each<[status: number, location: string | null, movedTo: string | null, sentence: string]>([
    [301, "https://new.example/a", "https://new.example/a", `${MOVED} https://new.example/a.`],
    [308, "https://b/", "https://b/", "The endpoint has moved permanently (HTTP 308) to https://b/."],
    [301, `https://u:p@b/x?key=${SECRET}#y`, "https://<redacted>@b/x", `${MOVED} https://<redacted>@b/x.`],
    [301, `https://b/${SECRET}/x`, "https://b/<redacted>/x", `${MOVED} https://b/<redacted>/x.`],
    [301, "/v2", "http://HERE/v2", `${MOVED} http://HERE/v2.`],
    [301, "http://[", "http://[", `${MOVED} http://[.`],
    [301, null, null, `The endpoint redirects (HTTP 301).`],
    [302, "https://b/", null, `The endpoint redirects (HTTP 302).`],
    [307, "https://b/", null, `The endpoint redirects (HTTP 307).`],
  ])("HTTP %s to %s", async (status, location, movedTo, sentence) => {
    const url = await rawServer(
      thenEnd(bytes(`HTTP/1.1 ${status} X\r\n${location === null ? "" : `location: ${location}\r\n`}\r\n`)),
    );
    const headers = { authorization: `Bearer ${SECRET}` };
    const error = await postGraphql({
      target: { url, headers, proxy: null },
      query: "{ a }",
      timeout: NEVER_LATE,
    }).catch((one) => one);
    const here = (text: string | null) => text?.replace(new URL(url).host, "HERE") ?? null;
    expect([error.code, here(error.movedTo), here(error.sentence)]).toEqual([
      "ENDPOINT_REDIRECT",
      movedTo,
      sentence,
    ]);
  });
});

describe("postGraphql and a kept connection", () => {
  const KEPT = `${JSON_OK}content-length: 2\r\n\r\n{}`;
  const reset: Answer = (socket) => socket.resetAndDestroy();

  /** Answers the requests of all connections in turn. Returns what the second of two calls returned, and all requests. */
  const askTwice = async (second: Answer, third: Answer): Promise<string> => {
    const answers = [bytes(KEPT), second, third];
    let requests = 0;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        if (chunk.toString("latin1").startsWith("POST")) answers[requests++]?.(socket);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const post = (timeout: number) =>
      postGraphql({ target: { url, headers: {}, proxy: null }, query: "{ a }", timeout });
    await post(NEVER_LATE);
    // The agent gets the connection back in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    const result = await post(LATE_AFTER * 5).then(
      () => "a body",
      (error) => error.code,
    );
    return `${result}, ${requests} requests`;
  };

  it.each([
    ["that was closed: sends the request again", reset, bytes(KEPT), "a body, 3 requests"],
    ["that ended: sends the request again", thenEnd(bytes()), bytes(KEPT), "a body, 3 requests"],
    ["that was closed, then another: fails", reset, reset, "ENDPOINT_UNREACHABLE, 3 requests"],
    [
      "reset within an answer: fails",
      thenReset(bytes("HTTP/1.1 20")),
      bytes(KEPT),
      "ENDPOINT_UNREACHABLE, 2 requests",
    ],
    ["without an answer: fails", bytes(), bytes(KEPT), "ENDPOINT_TIMEOUT, 2 requests"],
    ["that works: sends one request", bytes(KEPT), reset, "a body, 2 requests"],
  ])("%s", async (_, second, third, want) => {
    expect(await askTwice(second, third)).toBe(want);
  });
});
