import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";
import { send, sendBytes, sendJson, splitUrl } from "./send-raw.ts";

const NAME = "protocol-flow-sepolia";

let emulator: Emulator;
let url: string;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 3 });
  url = endpoint(emulator, "subgraph", "testing", NAME).url;
});
afterAll(() => emulator.close());

describe("a request to a node", () => {
  it("is answered for the exact bytes of a health query from curl", async () => {
    const body = `{"query":"${HEALTH}"}`;
    const { host } = new URL(url);
    const answer = await sendBytes(
      emulator.url,
      [
        `POST /testing/${NAME} HTTP/1.1`,
        `Host: ${host}`,
        "User-Agent: curl/7.88.1",
        "Accept: */*",
        "Connection: close",
        "content-type: application/json",
        `Content-Length: ${body.length}`,
        "",
        body,
      ].join("\r\n"),
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/^\{"data":\{"_meta":\{"block":\{"number":\d+\}\}\}\}$/);
  });

  it.each([
    ["empty", " \n "],
    ["not JSON", "not json"],
    ["the start of an object", '{"query":"{'],
    ["with a trailing comma", '{"query":"{ __typename }",}'],
    ["JSON with trailing characters", '{"query":"{ __typename }"} {'],
    ["with a lone first surrogate", String.raw`{"query":"{ __typename }","more":["\ud800"]}`],
    ["with two first surrogates", String.raw`{"query":"{ __typename }","more":"\ud800\ud800"}`],
    ["with a lone second surrogate in a key", String.raw`{"query":"{ __typename }","\udc00":1}`],
    ["nested too deeply before its end", "[".repeat(300)],
  ])("is refused if its body is %s", async (_, body) => {
    const { status, headers, text } = await sendJson(url, body);
    expect([status, headers]).toEqual([
      400,
      { "content-type": "application/json", "access-control-allow-origin": "*" },
    ]);
    expect(text).toBe('{"error":"GraphQL server error (client error): the request body is not valid JSON"}');
  });

  it.each([
    [
      "nested too deeply",
      `{"query":"{ __typename }","variables":{"a":${"[".repeat(126)}${"]".repeat(126)}}}`,
      "recursion limit exceeded",
    ],
    ["a list", "[]", "Request data is not an object"],
    ["a batch", `[{"query":"${HEALTH}"}]`, "Request data is not an object"],
    ["a number", "1", "Request data is not an object"],
    ["null", "null", "Request data is not an object"],
    ["without a query", "{}", 'The "query" field is missing in request data'],
    ["with a query that is not a string", '{"query":1}', 'The "query" field is not a string'],
    ["with null as the query", '{"query":null}', 'The "query" field is not a string'],
    [
      "with a list of variables",
      '{"query":"{ __typename }","variables":[]}',
      "Invalid query variables provided",
    ],
    [
      "with a string as the variables",
      '{"query":"{ __typename }","variables":"{}"}',
      "Invalid query variables provided",
    ],
    [
      "with an integer of more than 64 bits",
      '{"query":"{ __typename }","variables":{"a":[1e30,18446744073709551615,18446744073709551616]}}',
      "invalid type: integer `18446744073709551616` as u128, expected any value",
    ],
    [
      "with a negative integer of more than 64 bits",
      '{"query":"{ __typename }","variables":{"a":-9223372036854775809}}',
      "invalid type: integer `-9223372036854775809` as i128, expected any value",
    ],
    ["a number with an exponent", "1e3", "Request data is not an object"],
    [
      "with a number as the variables",
      '{"query":"{ __typename }","variables":1.5}',
      "Invalid query variables provided",
    ],
  ])("is refused if its body is %s", async (_, body, words) => {
    const { status, headers, text } = await sendJson(url, body);
    expect(status).toBe(400);
    expect(headers).toEqual({ "content-type": "application/json", "access-control-allow-origin": "*" });
    expect(text).toBe(JSON.stringify({ error: `GraphQL server error (client error): ${words}` }));
  });

  it("keeps the notation of numbers in its variables", async () => {
    const body = '{"query":"query ($a: [Int]) { __typename }","variables":{"a":[1.0,"1.0",2]}}';
    const { text } = await sendJson(url, body);
    expect(text).toContain("Invalid value provided for argument `a`: Float(1.0)");
  });

  const TYPE = { "Content-Type": "text/anything" };

  it.each([
    ["without a content type", {}, "{}", "Content-Type header is required"],
    ["without a content type or body", {}, "", "Content-Type header is required"],
    ["without a body", TYPE, "", "Body is required"],
    ["with Content-Length 0", { ...TYPE, "Content-Length": "0" }, "", "Body is required"],
  ])("is refused %s, at any path", async (_, headers, body, error) => {
    for (const at of [url, `${emulator.url}/subgraphs/nowhere`]) {
      const sent = await send(at, { headers, body });
      expect([sent.status, sent.text]).toEqual([400, JSON.stringify({ error })]);
      expect(sent.headers).toEqual({
        "content-type": "application/json",
        "access-control-allow-origin": "*",
      });
    }
  });

  it("is refused with a chunked body, which has no Content-Length", async () => {
    const { origin, host, target } = splitUrl(url);
    const head = ["Connection: close", "Content-Type: a/b", "Transfer-Encoding: chunked"].join("\r\n");
    const { status, text } = await sendBytes(
      origin,
      `POST ${target} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    );
    expect([status, text]).toEqual([400, '{"error":"Body is required"}']);
  });

  it("may have 127 nested lists and objects", async () => {
    const nested = `${"[".repeat(125)}${"]".repeat(125)}`;
    const { text } = await sendJson(url, `{"query":"{ __typename }","variables":{"a":${nested}}}`);
    expect(text).toBe('{"data":{"__typename":"Query"}}');
  });

  it("with an undefined fragment gets no answer", async () => {
    const query = { query: "{ ...Nope }" };
    await expect(
      fetch(url, { method: "POST", headers: TYPE, body: JSON.stringify(query) }),
    ).rejects.toThrow();
    expect((await post(url, { query: "{ __typename }" })).status).toBe(200);
  });

  it("may have any content type", async () => {
    const { text } = await send(url, { headers: TYPE, body: '{"query":"{ __typename }"}' });
    expect(text).toBe('{"data":{"__typename":"Query"}}');
  });

  it("may have null variables and unknown fields; the operation name is ignored", async () => {
    const body = { query: "{ __typename }", variables: null, operationName: "Nope", extensions: 1, extra: 1 };
    expect((await sendJson(url, body)).text).toBe('{"data":{"__typename":"Query"}}');
    const two = { query: "query a { __typename } query b { __typename }", operationName: "a" };
    expect((await sendJson(url, two)).text).toBe('{"errors":[{"message":"Operation name required"}]}');
  });

  it("gets an error in the query reported before one in the variables", async () => {
    const { status, text } = await sendJson(url, { query: "foo", variables: [] });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveProperty("errors.0.locations");
    // Only a parser of the GraphQL specification accepts this number.
    const wide = '{"query":"query ($a: Float = 1e99) { __typename }","variables":{"a":18446744073709551616}}';
    expect((await sendJson(url, wide)).text).toContain("unsupported Float 1e99");
  });
});

describe("the headers of a node's answer", () => {
  const COMMON = {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "Content-Type, User-Agent",
    "access-control-allow-methods": "GET, OPTIONS, POST",
  };

  async function head(): Promise<string> {
    const { text } = await sendJson(url, { query: "{ _meta { block { hash number timestamp } } }" });
    const { data } = JSON.parse(text) as { data: { _meta: { block: unknown } } };
    return JSON.stringify(data._meta.block);
  }

  it.each([
    ["data", "{ __typename }", "true", true],
    ["a syntax error", "foo", "true", false],
    ["an unknown field", "{ foo }", "true", false],
    ["a bad argument", "{ streams(where: {nope: 1}) { id } }", "true", false],
    ["a missing argument", "{ stream { id } }", "true", false],
    ["two operations", "query a { __typename } query b { __typename }", "true", false],
    ["a bad filter", "{ streams(where: { and: null }) { id } }", "true", true],
    ["a range error", "{ streams(first: 1001) { id } }", "false", true],
    ["a future block", "{ _meta(block: {number: 2147483647}) { block { number } } }", "true", false],
    ["an unknown block", '{ _meta(block: {hash: "0x00"}) { block { number } } }', "true", false],
    ["a missing selection set", "{ streams }", "true", true],
    [
      "data and a range error",
      "{ __typename streams(first: 1001, block: {number_gte: 1}) { id } }",
      "false",
      true,
    ],
  ])("have graph-attestable and graph-indexed for %s", async (_, query, attestable, isRun) => {
    const { status, headers } = await sendJson(url, { query });
    expect(status).toBe(200);
    expect(headers).toEqual({
      ...COMMON,
      "graph-attestable": attestable,
      "graph-indexed": isRun ? await head() : "null",
    });
  });

  it("have the content type twice", async () => {
    const answer = await post(url, { query: "{ __typename }" });
    expect(answer.headers.get("content-type")).toBe("application/json, application/json");
  });

  it("have graph-attestable: false for an error of strict validation", async () => {
    const strict = await emulate({ settings: { strictValidation: true } });
    const { headers } = await sendJson(endpoint(strict, "subgraph", "testing", NAME).url, {
      query: "{ foo }",
    });
    expect(headers).toEqual({ ...COMMON, "graph-attestable": "false", "graph-indexed": "null" });
  });

  it("have graph-indexed for an order without a column, an error at run time", async () => {
    const entities = `interface Ghost { id: ID! size: Int }
      type Ship @entity(immutable: false) { id: ID! ghost: Ghost }`;
    const ships = await emulate({
      indexers: [{ style: "subgraph", entities, rows: { Ship: [{ id: "a" }] } }],
    });
    const { headers, text } = await sendJson(`${ships.url}/testing/indexer`, {
      query: "{ ships(orderBy: ghost__size) { id } }",
    });
    expect(text).toContain("Cannot order by child interface");
    expect(headers["graph-attestable"]).toBe("false");
    expect(headers["graph-indexed"]).toMatch(/^\{"hash":/);
  });

  it("have graph-attestable: false and graph-indexed: null for an unknown deployment", async () => {
    const { status, headers, text } = await sendJson(`${emulator.url}/testing/nope`, { query: HEALTH });
    expect(status).toBe(200);
    expect(headers).toEqual({ ...COMMON, "graph-attestable": "false", "graph-indexed": "null" });
    expect(text).toBe('{"errors":[{"message":"deployment `nope` does not exist"}]}');
  });

  it.each([
    ["graph-node-0.35", false],
    ["graph-node-0.36", true],
    ["graph-node-0.44", true],
  ])("have graph-indexed on %s: %s", async (release, isThere) => {
    const other = await emulate({ fleet: { [NAME]: release } });
    const { headers } = await sendJson(endpoint(other, "subgraph", "testing", NAME).url, {
      query: "{ __typename }",
    });
    expect("graph-indexed" in headers).toBe(isThere);
    expect(headers["graph-attestable"]).toBe("true");
  });
});

describe("the bodies of a node's answers", () => {
  it.each([
    [
      "{ foo }",
      `{"errors":[{"locations":[{"line":1,"column":3}],"message":"Type \`Query\` has no field \`foo\`"}]}`,
    ],
    [
      "{ streams(first: 1001) { id } }",
      '{"errors":[{"message":"The `first` argument must be between 0 and 1000, but is 1001"}]}',
    ],
  ])("have the error of %s", async (query, want) => {
    const { status, text } = await sendJson(url, { query });
    expect([status, text]).toEqual([200, want]);
  });
});

describe("the daily limit of a testing URL", () => {
  const NOON = Date.UTC(2025, 7, 21, 12);

  it("is per deployment and day, and is reported with Retry-After", async () => {
    let now = NOON;
    const limited = await emulate({ dailyQueries: 2, now: () => now });
    const { url } = endpoint(limited, "subgraph", "testing", "protocol-lockup-base");
    const other = endpoint(limited, "subgraph", "testing", "protocol-flow-base");
    const status = async (at: string) => (await post(at, { query: HEALTH })).status;

    expect([await status(url), await status(url)]).toEqual([200, 200]);
    const refused = await post(url, { query: HEALTH });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe(String(12 * 3600));
    expect(await refused.json()).toEqual({
      errors: [{ message: expect.stringContaining("2 queries a day") }],
    });
    expect(await status(other.url)).toBe(200);

    now = NOON + 12 * 3600 * 1000 - 1;
    expect((await post(url, { query: HEALTH })).headers.get("retry-after")).toBe("1");
    now += 1;
    expect(await status(url)).toBe(200);
  });

  it("does not apply to production URLs, paths of the node, or pages", async () => {
    const limited = await emulate({ dailyQueries: 1, now: () => NOON });
    const testing = endpoint(limited, "subgraph", "testing", "protocol-lockup-base");
    const production = endpoint(limited, "subgraph", "production", "protocol-lockup-base");
    for (let time = 0; time < 3; time++) {
      expect((await post(production.url, { query: HEALTH }, { authorization: "Bearer key" })).status).toBe(
        200,
      );
      const own = `${limited.url}/subgraphs/name/protocol-lockup-base`;
      expect((await post(own, { query: HEALTH })).status).toBe(200);
      expect((await fetch(testing.url)).status).toBe(200);
    }
    expect((await post(testing.url, { query: HEALTH })).status).toBe(200);
    expect((await post(`${testing.url}/`, { query: HEALTH })).status).toBe(429);
  });
});
