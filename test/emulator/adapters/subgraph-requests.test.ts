import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";
import { send, sendBytes, sendJson, splitUrl } from "./send-raw.ts";

const NAME = "protocol-flow-sepolia";
const OWN_HEADERS = { "content-type": "application/json", "access-control-allow-origin": "*" };

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
    const headers = [
      "User-Agent: curl/7.88.1",
      "Accept: */*",
      "Connection: close",
      "content-type: application/json",
    ];
    const head = [`POST /testing/${NAME} HTTP/1.1`, `Host: ${new URL(url).host}`, ...headers];
    const bytes = [...head, `Content-Length: ${body.length}`, "", body].join("\r\n");
    const answer = await sendBytes(emulator.url, bytes);
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
    await expectRefusal(body, "the request body is not valid JSON");
  });

  const NO_OBJECT = "Request data is not an object";
  const NO_QUERY = 'The "query" field is not a string';
  const NO_VARIABLES = "Invalid query variables provided";
  const variables = (text: string) => `{"query":"{ __typename }","variables":${text}}`;
  it.each([
    [variables(`{"a":${"[".repeat(126)}${"]".repeat(126)}}`), "recursion limit exceeded"],
    ["[]", NO_OBJECT],
    [`[{"query":"${HEALTH}"}]`, NO_OBJECT],
    ["1", NO_OBJECT],
    ["1e3", NO_OBJECT],
    ["null", NO_OBJECT],
    ["{}", 'The "query" field is missing in request data'],
    ['{"query":1}', NO_QUERY],
    ['{"query":null}', NO_QUERY],
    [variables("[]"), NO_VARIABLES],
    [variables('"{}"'), NO_VARIABLES],
    [variables("1.5"), NO_VARIABLES],
    [
      variables('{"a":[1e30,18446744073709551615,18446744073709551616]}'),
      "invalid type: integer `18446744073709551616` as u128, expected any value",
    ],
    [
      variables('{"a":-9223372036854775809}'),
      "invalid type: integer `-9223372036854775809` as i128, expected any value",
    ],
  ])("is refused if its body is %s", expectRefusal);

  async function expectRefusal(body: string, words: string): Promise<void> {
    const { status, headers, text } = await sendJson(url, body);
    expect(status).toBe(400);
    expect(headers).toEqual(OWN_HEADERS);
    expect(text).toBe(JSON.stringify({ error: `GraphQL server error (client error): ${words}` }));
  }

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
      expect(sent.headers).toEqual(OWN_HEADERS);
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
    await expect(post(url, { query: "{ ...Nope }" })).rejects.toThrow();
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
    ...OWN_HEADERS,
    "access-control-allow-headers": "Content-Type, User-Agent",
    "access-control-allow-methods": "GET, OPTIONS, POST",
  };

  async function head(): Promise<string> {
    const { text } = await sendJson(url, { query: "{ _meta { block { hash number timestamp } } }" });
    const { data } = JSON.parse(text) as { data: { _meta: { block: unknown } } };
    return JSON.stringify(data._meta.block);
  }

  it.each([
    ["{ __typename }", "true", true],
    ["foo", "true", false],
    ["{ foo }", "true", false],
    ["{ streams(where: {nope: 1}) { id } }", "true", false],
    ["{ stream { id } }", "true", false],
    ["query a { __typename } query b { __typename }", "true", false],
    ["{ streams(where: { and: null }) { id } }", "true", true],
    ["{ streams(first: 1001) { id } }", "false", true],
    ["{ _meta(block: {number: 2147483647}) { block { number } } }", "true", false],
    ['{ _meta(block: {hash: "0x00"}) { block { number } } }', "true", false],
    ["{ streams }", "true", true],
    ["{ __typename streams(first: 1001, block: {number_gte: 1}) { id } }", "false", true],
  ])("of %s have graph-attestable: %s and graph-indexed: %s", async (query, attestable, isRun) => {
    const { status, headers } = await sendJson(url, { query });
    expect(status).toBe(200);
    const indexed = isRun ? await head() : "null";
    expect(headers).toEqual({ ...COMMON, "graph-attestable": attestable, "graph-indexed": indexed });
  });

  it("have the content type twice", async () => {
    const answer = await post(url, { query: "{ __typename }" });
    expect(answer.headers.get("content-type")).toBe("application/json, application/json");
  });

  it("have graph-attestable: false for an error of strict validation", async () => {
    const strict = await emulate({ settings: { strictValidation: true } });
    const { url } = endpoint(strict, "subgraph", "testing", NAME);
    const { headers } = await sendJson(url, { query: "{ foo }" });
    expect(headers).toEqual({ ...COMMON, "graph-attestable": "false", "graph-indexed": "null" });
  });

  it("have graph-indexed for an order without a column, an error at run time", async () => {
    const entities = `interface Ghost { id: ID! size: Int }
      type Ship @entity(immutable: false) { id: ID! ghost: Ghost }`;
    const rows = { Ship: [{ id: "a" }] };
    const ships = await emulate({ indexers: [{ style: "subgraph", entities, rows }] });
    const query = "{ ships(orderBy: ghost__size) { id } }";
    const { headers, text } = await sendJson(`${ships.url}/testing/indexer`, { query });
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
    const { url } = endpoint(other, "subgraph", "testing", NAME);
    const { headers } = await sendJson(url, { query: "{ __typename }" });
    expect("graph-indexed" in headers).toBe(isThere);
    expect(headers["graph-attestable"]).toBe("true");
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
    expect(await refused.text()).toContain("2 queries a day");
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
    const own = `${limited.url}/subgraphs/name/protocol-lockup-base`;
    for (let time = 0; time < 3; time++) {
      const paid = await post(production.url, { query: HEALTH }, { authorization: "Bearer key" });
      const statuses = [paid, await post(own, { query: HEALTH }), await fetch(testing.url)].map(
        ({ status }) => status,
      );
      expect(statuses).toEqual([200, 200, 200]);
    }
    expect((await post(testing.url, { query: HEALTH })).status).toBe(200);
    expect((await post(`${testing.url}/`, { query: HEALTH })).status).toBe(429);
  });
});
