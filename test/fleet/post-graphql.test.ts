import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { EndpointError } from "../../src/base/errors.ts";
import { postGraphql } from "../../src/fleet/post-graphql.ts";
import { listen } from "../support/listen.ts";
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
/** A whole answer, and one that is longer than what is sent of it. */
const WHOLE = `${JSON_OK}content-length: 2\r\n\r\n{}`;
const LONGER = `${JSON_OK}content-length: 9\r\n\r\n{}`;
const CHUNKED = `${JSON_OK}transfer-encoding: chunked\r\n\r\n`;
const provisional = (line: string, headers = "") => `HTTP/1.1 ${line}\r\n${headers}\r\n`;
const upgrade = (to: string) =>
  provisional("101 Switching Protocols", `connection: Upgrade\r\nupgrade: ${to}\r\n`);
const encoded = (encoding: string, length = 2) =>
  bytes(
    `${JSON_OK}content-encoding: ${encoding}\r\ncontent-length: ${length}\r\n\r\n${"{}".slice(0, length)}`,
  );

/** Timeouts in milliseconds for tests that expect a timeout, and for all others. */
const LATE_AFTER = 100;
const NEVER_LATE = 8000;

/** Sends a request to a server with this answer. */
async function post(answer: Answer, timeout = NEVER_LATE) {
  const target = {
    url: await rawServer(answer),
    headers: { authorization: `Bearer ${SECRET}` },
    proxy: null,
  };
  const sent = postGraphql({ target, query: "{ a }", timeout });
  const result = await sent.catch((error: unknown) => {
    if (!(error instanceof EndpointError)) throw error;
    return error;
  });
  return { result, host: new URL(target.url).host };
}

/** Returns `body: …` or `CODE: sentence`. */
async function ask(answer: Answer, timeout: number): Promise<string> {
  const { result } = await post(answer, timeout);
  if (result instanceof EndpointError) return `${result.code}: ${result.sentence}`;
  return `body: ${Buffer.from(result).toString("utf8")}`;
}

const SECRET = "s3cret-9";

const BODY = /^body: \{\}$/;
const SWITCHED = /^ENDPOINT_STATUS: The endpoint answered HTTP 101\.$/;
const CLOSED = /^ENDPOINT_UNREACHABLE: .* the connection was closed before the answer was complete\.$/;
const NO_HTTP = /^ENDPOINT_UNREACHABLE: .* its answer is not valid HTTP\.$/;
const TOO_LARGE = /^ENDPOINT_BODY_TOO_LARGE: .* larger than 16 MB/;
const LATE = /^ENDPOINT_TIMEOUT: /;

describe("postGraphql returns a body or an error for every kind of answer", () => {
  it.each<readonly [string, Answer, RegExp]>([
    ["a body with a content length", bytes(WHOLE), BODY],
    ["a body in chunks", bytes(`${CHUNKED}2\r\n{}\r\n0\r\n\r\n`), BODY],
    ["a body that ends with the connection", thenEnd(bytes(`${JSON_OK}\r\n{}`)), BODY],
    ["a body with trailers", bytes(`${CHUNKED}2\r\n{}\r\n0\r\na: b\r\n\r\n`), BODY],
    ["an answer after early hints", bytes(provisional("103 Early Hints", "link: </a>\r\n"), WHOLE), BODY],
    ["an answer after 100 Continue", bytes(provisional("100 Continue"), WHOLE), BODY],
    ["more than one answer", bytes(WHOLE.repeat(3)), BODY],
    ["error: 101 with an upgrade", bytes(upgrade("websocket")), SWITCHED],
    ["error: 101 with an upgrade, and the connection closes", thenEnd(bytes(upgrade("h2c"))), SWITCHED],
    ["error: 101 and bytes of the other protocol", thenReset(bytes(upgrade("x"), "\x81\x05abcde")), SWITCHED],
    ["error: 101 without an upgrade", bytes(provisional("101 Switching Protocols")), SWITCHED],
    [
      "200 with an upgrade, as of a tunnel",
      thenEnd(bytes(`${OK}connection: Upgrade\r\nupgrade: h2c\r\n\r\n`)),
      /^body: $/,
    ],
    ["error: 102 without a final answer", bytes(provisional("102 Processing")), LATE],
    ["error: the connection closes after 102", thenEnd(bytes(provisional("102 Processing"))), CLOSED],
    [
      "error: provisional answers without end",
      forEver("", provisional("100 Continue")),
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
    ["error: the connection closes in the body", thenEnd(bytes(LONGER)), CLOSED],
    ["error: a reset in the body", thenReset(bytes(LONGER)), CLOSED],
    ["error: the answer stops in the body", bytes(LONGER), LATE],
    ["error: the connection closes in a chunk", thenEnd(bytes(`${CHUNKED}9\r\n{}`)), CLOSED],
    ["error: the connection closes before the last chunk", thenEnd(bytes(`${CHUNKED}2\r\n{}\r\n`)), CLOSED],
    ["error: a chunk with an invalid size", bytes(`${CHUNKED}zz\r\n{}`), CLOSED],
    ["error: the connection closes in the trailers", thenEnd(bytes(`${CHUNKED}2\r\n{}\r\n0\r\na: `)), CLOSED],
    [
      "error: trailers without end",
      forEver(`${CHUNKED}2\r\n{}\r\n0\r\n`, `a: ${"b".repeat(1000)}\r\n`),
      /^ENDPOINT_(TIMEOUT|UNREACHABLE): /,
    ],
    ["error: a body without end", forEver(`${JSON_OK}\r\n`, "x".repeat(2 ** 20)), TOO_LARGE],
    [
      "error: a small compressed body with large content",
      thenEnd(bytes(`${JSON_OK}content-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(17 * 2 ** 20)))),
      TOO_LARGE,
    ],
    [
      "error: both a length and chunks",
      bytes(`${CHUNKED.replace(/\r\n$/, "content-length: 2\r\n\r\n")}2\r\n{}\r\n0\r\n\r\n`),
      NO_HTTP,
    ],
    ["error: two lengths", bytes(`${JSON_OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`), NO_HTTP],
    ["error: a header line without a colon", bytes(`${OK}a\r\n\r\n`), NO_HTTP],
    ["error: another protocol", bytes("220 mail.example ESMTP\r\n"), NO_HTTP],
    ["error: an HTTP/2 answer", bytes("\0\0\0\x04\0\0\0\0\0"), NO_HTTP],
    ["error: status 99", thenEnd(bytes(provisional("099 Odd"))), /^ENDPOINT_STATUS: .* HTTP 99\.$/],
    ["error: status 204", bytes(provisional("204 No Content")), /^ENDPOINT_STATUS: .* HTTP 204\.$/],
    ["error: status 304", bytes(provisional("304 Not Modified")), /^ENDPOINT_REDIRECT: /],
    [
      "error: an uncompressed body with content-encoding gzip",
      thenEnd(bytes(`${JSON_OK}content-encoding: gzip\r\n\r\n{}`)),
      /^ENDPOINT_UNREACHABLE: .* its compressed answer is (broken|cut off)\.$/,
    ],
    ...["br", "deflate", "zstd", "gzip, gzip"].map(
      (name) =>
        [
          `error: a body with content-encoding ${name}`,
          encoded(name),
          new RegExp(`^ENDPOINT_NOT_JSON: The answer is encoded as "${name}", but only gzip was requested`),
        ] as const,
    ),
    ["a body with content-encoding identity", encoded("identity"), BODY],
    ["an empty body with content-encoding gzip", encoded("gzip", 0), /^(body: |ENDPOINT_UNREACHABLE)/],
  ])("%s", async (_, answer, want) => {
    expect(await ask(answer, want === LATE ? LATE_AFTER : NEVER_LATE)).toMatch(want);
  });
});

describe("postGraphql reports the first GraphQL error of a failed request, and what to do", () => {
  const said = (message: unknown) => JSON.stringify({ errors: [{ message }, { message: "another" }] });
  const TYPE = "content-type: application/json; charset=utf-8\r\n";
  const HTTP = "The endpoint answered HTTP";
  const ACCESS = "The endpoint refused access";
  const QUOTA = "The endpoint's quota is used up (HTTP 429)";
  const URL_HINT = /check that the URL is the GraphQL endpoint of this deployment/;
  const echo = said(`key ${SECRET} of https://a.example/?k=1 is unknown`);
  const disabled = "GraphQL introspection is not allowed";

  it.each<[status: number, body: string, want: string, hint: RegExp, headers?: string]>([
    [400, said("Cannot query field x"), `${HTTP} 400: Cannot query field x.`, URL_HINT],
    [401, said("invalid key"), `${ACCESS} (HTTP 401): invalid key.`, /check the key/],
    [402, said("pay!"), `${HTTP} 402: pay!`, /balance of the account/],
    [403, said("no"), `${ACCESS} (HTTP 403): no.`, /check the key/],
    [404, said("no such"), `${HTTP} 404: no such.`, /may have moved/],
    [405, "{}", `${HTTP} 405.`, /does not accept POST/],
    [410, said("gone"), `${HTTP} 410: gone.`, /set its status to "retired"/],
    [413, "[]", `${HTTP} 413.`, /smaller requests/],
    [422, said("bad"), `${HTTP} 422: bad.`, URL_HINT],
    [429, said("slow"), `${QUOTA}: slow.`, /try again later/],
    [429, "", `${QUOTA}; it asks to wait 30 s.`, /try again later/, "retry-after: 30\r\n"],
    [500, said("db down"), `${HTTP} 500: db down.`, /try again later/],
    [502, "<html>", `${HTTP} 502.`, /try again later/],
    [500, said(7), `${HTTP} 500: an error without a message.`, /later/],
    [400, said(disabled), `The endpoint does not answer introspection: ${disabled}.`, /ask its operator/],
    [403, echo, `${ACCESS} (HTTP 403): key <redacted> of https://a.example/ is unknown.`, /check the key/],
  ])("HTTP %i with %j: %s", async (status, body, want, hint, headers = "") => {
    const head = `HTTP/1.1 ${status} X\r\n${TYPE}${headers}content-length: ${body.length}\r\n\r\n`;
    const { result } = await post(bytes(`${head}${body}`));
    expect(result).toMatchObject({ sentence: want, hint: expect.stringMatching(hint) });
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
  const moved = (status: number, to: string) =>
    `The endpoint has moved permanently (HTTP ${status}) to ${to}.`;

  it.each<[status: number, location: string | null, movedTo: string | null]>([
    [301, "https://new.example/a", "https://new.example/a"],
    [308, "https://b/", "https://b/"],
    [301, `https://u:p@b/x?key=${SECRET}#y`, "https://<redacted>@b/x"],
    [301, `https://b/${SECRET}/x`, "https://b/<redacted>/x"],
    [301, "/v2", "http://HERE/v2"],
    [301, "http://[", "http://["],
    [301, null, null],
    [302, "https://b/", null],
    [307, "https://b/", null],
  ])("HTTP %s to %s", async (status, location, movedTo) => {
    const header = location === null ? "" : `location: ${location}\r\n`;
    const { result, host } = await post(thenEnd(bytes(`HTTP/1.1 ${status} X\r\n${header}\r\n`)));
    const { code, sentence, movedTo: to } = result as EndpointError;
    expect([code, to?.replace(host, "HERE") ?? null, sentence.replace(host, "HERE")]).toEqual([
      "ENDPOINT_REDIRECT",
      movedTo,
      movedTo === null ? `The endpoint redirects (HTTP ${status}).` : moved(status, movedTo),
    ]);
  });

  it("without the secret of a header", async () => {
    const answer = provisional("302 Found", `location: https://a.example/${SECRET}/login\r\n`);
    const { message } = (await post(thenEnd(bytes(answer)))).result as EndpointError;
    expect(message).toContain("https://a.example/");
    expect(message).not.toContain(SECRET);
  });
});

describe("postGraphql and a kept connection", () => {
  const reset: Answer = (socket) => socket.resetAndDestroy();

  /** Answers the requests of all connections in turn. Returns what the second of two calls returned, and all requests. */
  const askTwice = async (second: Answer, third: Answer): Promise<string> => {
    const answers = [bytes(WHOLE), second, third];
    let requests = 0;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        if (chunk.toString("latin1").startsWith("POST")) answers[requests++]?.(socket);
      });
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const send = (timeout: number) =>
      postGraphql({ target: { url, headers: {}, proxy: null }, query: "{ a }", timeout });
    await send(NEVER_LATE);
    // The agent gets the connection back in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    const result = await send(LATE_AFTER * 5).then(
      () => "a body",
      (error) => error.code,
    );
    return `${result}, ${requests} requests`;
  };

  it.each([
    ["that was closed: sends the request again", reset, bytes(WHOLE), "a body, 3 requests"],
    ["that ended: sends the request again", thenEnd(bytes()), bytes(WHOLE), "a body, 3 requests"],
    ["that was closed, then another: fails", reset, reset, "ENDPOINT_UNREACHABLE, 3 requests"],
    [
      "reset within an answer: fails",
      thenReset(bytes("HTTP/1.1 20")),
      bytes(WHOLE),
      "ENDPOINT_UNREACHABLE, 2 requests",
    ],
    ["without an answer: fails", bytes(), bytes(WHOLE), "ENDPOINT_TIMEOUT, 2 requests"],
    ["that works: sends one request", bytes(WHOLE), reset, "a body, 2 requests"],
  ])("%s", async (_, second, third, want) => {
    expect(await askTwice(second, third)).toBe(want);
  });
});
