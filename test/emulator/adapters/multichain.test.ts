import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { emulate, endpoint } from "../support.ts";
import { send, sendBytes, sendJson, splitUrl } from "./send-raw.ts";

const TYPE = "application/json; charset=utf-8";
const REQUEST = "Hasura.GraphQL.Transport.HTTP.Protocol.GQLReq(GQLReq)";
const NOT_FOUND = '{"path":"$","error":"resource does not exist","code":"not-found"}';
const QUERY = { query: "{ __typename }" };
const ANSWER = '{"data":{"__typename":"query_root"}}';

function error(message: string, path: string, code: string): string {
  return JSON.stringify({ errors: [{ message, extensions: { path, code } }] });
}

const NO_FIELD = error(
  "field 'nope' not found in type: 'query_root'",
  "$.selectionSet.nope",
  "validation-failed",
);

let emulator: Emulator;
let url: string;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 3 });
  url = endpoint(emulator, "multichain").url;
});
afterAll(() => emulator.close());

describe("the envelope of the multichain platform", () => {
  it("has only data for a success", async () => {
    expect(new URL(url).pathname).toMatch(/^\/[0-9a-f]{7}\/v1\/graphql$/);
    const answer = await sendJson(url, QUERY);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(ANSWER);
    expect(answer.headers).toEqual({ "content-type": TYPE });
  });

  it("has one error for a failure, with status 200", async () => {
    const answer = await sendJson(url, { query: "{ nope }" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({ "content-type": TYPE });
    expect(answer.text).toBe(NO_FIELD);
  });

  it.each([
    ["none", {}],
    ["another one", { "Content-Type": "text/plain" }],
  ])("ignores the content type of the request: %s", async (_, headers) => {
    expect((await send(url, { headers, body: JSON.stringify(QUERY) })).text).toBe(ANSWER);
  });

  it.each([
    [
      "null for optional fields, and an unknown field",
      { ...QUERY, variables: null, operationName: null, extra: 1 },
    ],
    ["a surrogate pair in escapes", String.raw`{"query":"{ __typename }","more":"\ud83d\ude80"}`],
    ["equal keys of different objects", '{"query":"{ __typename }","more":[{"a":{"a":1}},{"a":1}]}'],
    ["a string that looks like a key", String.raw`{"query":"{ __typename }","more":["a\\",":\"query\":"]}`],
  ])("accepts %s", async (_, body) => {
    expect((await sendJson(url, body)).text).toBe(ANSWER);
  });

  it("answers a batch with a list, in which a member may fail", async () => {
    const answer = await sendJson(url, [QUERY, { query: "{ nope }" }]);
    expect(answer.text).toBe(`[${ANSWER},${NO_FIELD}]`);
    expect((await sendJson(url, [])).text).toBe("[]");
  });

  it.each(["", "?query=%7B__typename%7D"])("never runs a query over GET: %j", async (search) => {
    const answer = await send(`${url}${search}`, { method: "GET" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({ "content-type": TYPE });
    expect(answer.text).toBe(error("PersistedQueryNotSupported", "$", "not-supported"));
  });

  it.each([
    ["POST", "/0000000/v1/graphql"],
    ["GET", "/v1/graphql"],
    ["POST", "/nowhere"],
    ["PUT", null],
    ["DELETE", null],
    ["OPTIONS", null],
  ])("answers %s %s with 404", async (method, path) => {
    const answer = await send(path === null ? url : `${emulator.url}${path}`, { method });
    expect(answer.status).toBe(404);
    expect(answer.headers).toEqual({ "content-type": TYPE });
    expect(answer.text).toBe(NOT_FOUND);
  });

  it("is served at /v1/graphql if there is only one indexer", async () => {
    const alone = await emulate({
      deployments: [
        { name: "mine", protocol: "flow", style: "multichain", chainIds: [1], environments: ["production"] },
      ],
    });
    expect((await sendJson(`${alone.url}/v1/graphql`, QUERY)).text).toBe(ANSWER);
    expect((await send(`${alone.url}/`, { method: "GET" })).text).toBe(NOT_FOUND);
  });

  it("answers /v1/version and /healthz", async () => {
    for (const base of [emulator.url, url.replace("/v1/graphql", "")]) {
      const version = await send(`${base}/v1/version`, { method: "GET" });
      expect([version.status, version.text]).toEqual([200, '{"server_type":"ce","version":"v2.43.0"}']);
      expect(version.headers).toEqual({ "content-type": TYPE });
      const health = await send(`${base}/healthz`, { method: "GET" });
      expect([health.status, health.text]).toEqual([200, "OK"]);
      expect(health.headers["content-type"]).toMatch(/^text\/plain\b/);
    }
  });
});

describe("an invalid body for the multichain platform", () => {
  async function expectError(
    body: string,
    ...of: [message: string, path: string, code: string]
  ): Promise<void> {
    const answer = await sendJson(url, body);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({ "content-type": TYPE });
    expect(answer.text).toBe(error(...of));
  }

  it.each([
    "",
    "not json",
    '{"query":',
    '{"query":"{ __typename }",}',
    '{"query":"{ __typename }"} x',
    '{"query":"\u0001"}',
    String.raw`{"query":"{ User(where: {id: {_eq: \"\ud800\"}}) { id } }"}`,
    String.raw`[{"query":"{ __typename }","more":{"\uDC00":1}}]`,
  ])("is not JSON: %j", async (body) => {
    await expectError(body, "the request body is not valid JSON", "$", "invalid-json");
  });

  it.each([
    ["two equal keys in an object of the body", '{"query":"{ __typename }","query":"{ nope }"}'],
    ["two equal keys in an object of the body", String.raw`{"query":"a","\u0071uery":"b"}`],
    ["two equal keys in an object of the body", '[{"query":"a","variables":{"a":[{"x":1,"x":1}]}}]'],
    ["a body nested deeper than 2000 levels", `${"[".repeat(2001)}${"]".repeat(2001)}`],
  ])("has %s: %s", async (what, body) => {
    await expectError(body, `the emulator does not support ${what}`, "$", "not-supported");
  });

  it.each([
    ["1", "$", REQUEST, "Object", "Number"],
    ["1e400", "$", REQUEST, "Object", "Number"],
    ["null", "$", REQUEST, "Object", "Null"],
    ['"a"', "$", REQUEST, "Object", "String"],
    ["true", "$", REQUEST, "Object", "Boolean"],
    ["[[]]", "$[0]", REQUEST, "Object", "Array"],
    ['{"query":1}', "$.query", "Text", "String", "Number"],
    ['{"query":null}', "$.query", "Text", "String", "Null"],
    ['[{"query":1}]', "$[0].query", "Text", "String", "Number"],
    ['{"query":"{__typename}","variables":[]}', "$.variables", "HashMap", "Object", "Array"],
    ['{"query":"{__typename}","operationName":1}', "$.operationName", "Name", "String", "Number"],
  ])("has a value of another type: %s", async (body, path, type, expected, found) => {
    const message = `parsing ${type} failed, expected ${expected}, but encountered ${found}`;
    await expectError(body, message, path, "parse-failed");
  });

  it.each([
    ["{}", `parsing ${REQUEST} failed, key "query" not found`, "$"],
    ['[{"query":"{__typename}"},{}]', `parsing ${REQUEST} failed, key "query" not found`, "$[1]"],
    ['{"query":"{__typename}","operationName":""}', " is not valid GraphQL name", "$.operationName"],
  ])("has a missing or empty value: %s", async (body, message, path) => {
    await expectError(body, message, path, "parse-failed");
  });
});

describe("numbers in variables", () => {
  it("keep their digits", async () => {
    const query = "query ($n: numeric) { Stream(where: {depositAmount: {_gt: $n}}) { id } }";
    const ask = async (n: string) =>
      (await sendJson(url, `{"query":"${query}","variables":{"n":${n}}}`)).text;
    expect(await ask("1e400")).toBe('{"data":{"Stream":[]}}');
    expect(await ask("-1e400")).toContain('"id"');
  });
});

describe("other origins", () => {
  const ORIGIN = { Origin: "http://localhost:3000" };
  const ALLOWED = {
    "access-control-allow-origin": "http://localhost:3000",
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "X-Hasura-Query-Cache-Key,X-Hasura-Query-Family-Cache-Key,Warning",
  };

  it.each<[place: string, at: () => string]>([
    ["the URL of an indexer", () => url],
    ["another URL", () => `${emulator.url}/nowhere`],
  ])("may send a preflight request to %s", async (_, at) => {
    const headers = { ...ORIGIN, "Access-Control-Request-Headers": "content-type,authorization" };
    const answer = await send(at(), { method: "OPTIONS", headers });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers).toEqual({
      ...ALLOWED,
      "access-control-max-age": "1728000",
      "access-control-allow-headers": "content-type,authorization",
      "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
    });
  });

  it("get CORS headers, also with errors", async () => {
    expect((await sendJson(url, QUERY, ORIGIN)).headers).toMatchObject(ALLOWED);
    expect((await sendJson(url, "nope", ORIGIN)).headers).toEqual({ ...ALLOWED, "content-type": TYPE });
    const nowhere = await sendJson(`${emulator.url}/nowhere`, "", ORIGIN);
    expect(nowhere.headers).toEqual({ ...ALLOWED, "content-type": TYPE });
    expect((await sendJson(url, QUERY)).headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("authentication", () => {
  it.each(["X-Hasura-Admin-Secret", "X-Hasura-Access-Key"])("denies access with a wrong %s", async (name) => {
    const answer = await sendJson(url, "nope", { [name]: "wrong" });
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual({ "content-type": TYPE });
    const message = 'invalid "x-hasura-admin-secret"/"x-hasura-access-key"';
    expect(answer.text).toBe(error(message, "$", "access-denied"));
  });

  it("error: the emulator has no admin role", async () => {
    const { text } = await sendJson(url, QUERY, { "X-Hasura-Admin-Secret": "testing" });
    const message = "the emulator has no admin role: omit the admin secret to use the public role";
    expect(text).toBe(error(message, "$", "not-supported"));
  });

  it("ignores X-Hasura-Role", async () => {
    expect((await sendJson(url, QUERY, { "X-Hasura-Role": "admin" })).text).toBe(ANSWER);
  });

  it("needs a key if keys are configured", async () => {
    const hosted = await emulate({ multichainKeys: ["secret"] });
    const { url } = endpoint(hosted, "multichain");
    for (const headers of [{}, { Authorization: "Bearer wrong" }, { Authorization: "Basic secret" }]) {
      expect((await sendJson(url, QUERY, headers)).status).toBe(401);
    }
    expect((await sendJson(url, QUERY, { Authorization: "Bearer secret" })).text).toBe(ANSWER);
  });
});

describe("a WebSocket", () => {
  it("is refused", async () => {
    const { origin, host, target } = splitUrl(url);
    const head = [
      `GET ${target} HTTP/1.1`,
      `Host: ${host}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Protocol: graphql-transport-ws",
      "Sec-WebSocket-Version: 13",
    ];
    const answer = await sendBytes(origin, `${head.join("\r\n")}\r\n\r\n`);
    expect(answer.status).toBe(501);
    expect(answer.text).toContain("no WebSocket");
  });
});
