import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiKey } from "../../../emulator/adapters/adapter.ts";
import { judgeAnswer } from "../../../emulator/adapters/subgraph/gateway.ts";
import {
  deploymentHash,
  indexerAddress,
  subgraphId,
} from "../../../emulator/indexers/emulated-deployment.ts";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { emulate, HEALTH } from "../support.ts";
import { send, sendJson } from "./send-raw.ts";

const NAME = "protocol-lockup-base";
const OTHER = "protocol-flow-base";
const ID = subgraphId(NAME);
const HASH = deploymentHash(NAME);
const INDEXER = indexerAddress(NAME);

const KEY = "0123456789abcdef0123456789abcdef";
const BEARER = { Authorization: `Bearer ${KEY}` };
const QUERY = { query: "{ __typename }" };
const ANSWER = '{"data":{"__typename":"Query"}}';
const GATEWAY_HEADERS = { "access-control-allow-origin": "*", "content-type": "application/json" };

function errors(message: string): string {
  return JSON.stringify({ errors: [{ message }] });
}

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 3 });
});
afterAll(() => emulator.close());

describe("the routes of the gateway", () => {
  it.each([
    ["a production URL", `/production/${NAME}`, BEARER],
    ["a subgraph's id", `/api/subgraphs/id/${ID}`, BEARER],
    ["a deployment's hash", `/api/deployments/id/${HASH}`, BEARER],
    ["a subgraph's id with a key in the path", `/api/${KEY}/subgraphs/id/${ID}`, {}],
    ["a deployment's hash with a key in the path", `/api/${KEY}/deployments/id/${HASH}`, {}],
    ["one indexer of a deployment", `/api/deployments/id/${HASH}/indexers/id/${INDEXER}`, BEARER],
  ])("answer a query at %s", async (_, path, headers) => {
    const answer = await sendJson(`${emulator.url}${path}`, QUERY, headers);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(ANSWER);
    const { "graph-attestation": attestation = "", ...others } = answer.headers;
    expect(others).toEqual(GATEWAY_HEADERS);
    expect(JSON.parse(attestation)).toEqual({
      requestCID: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      responseCID: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      subgraphDeploymentID: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      r: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      s: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      v: 27,
    });
  });

  it("ignore operationName, and need no Content-Type", async () => {
    const url = `${emulator.url}/production/${NAME}`;
    const two = { query: "query a { __typename } query b { __typename }", operationName: "a" };
    expect((await sendJson(url, two, BEARER)).text).toBe(errors("Operation name required"));
    const bare = await send(url, { headers: BEARER, body: JSON.stringify(QUERY) });
    expect(bare.text).toBe(ANSWER);
  });

  it("answer preflight requests", async () => {
    const answer = await send(`${emulator.url}/production/${NAME}`, { method: "OPTIONS" });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect(answer.headers).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "*",
      "access-control-allow-methods": "OPTIONS, POST",
    });
  });

  it.each(["GET", "PUT", "HEAD"])("refuse the method %s", async (method) => {
    for (const path of [`/production/${NAME}`, `/api/subgraphs/id/${ID}`]) {
      const answer = await send(`${emulator.url}${path}`, { method, headers: BEARER });
      expect([answer.status, answer.text, answer.headers.allow]).toEqual([405, "", "OPTIONS,POST"]);
    }
  });

  it.each(["/api/nothing", "/api/subgraphs/name/a", `/api/subgraphs/id/${ID}/indexers/id/${INDEXER}`])(
    "do not include %s",
    async (path) => {
      expect((await sendJson(`${emulator.url}${path}`, QUERY, BEARER)).status).toBe(404);
    },
  );
});

describe("the keys of the gateway", () => {
  const PAID = "11111111111111111111111111111111";
  const KEYS: readonly (string | ApiKey)[] = [
    "plain",
    { key: "ABCDEFABCDEFABCDEFABCDEFABCDEFAB" },
    { key: PAID, domains: ["example.org", "*.example.com"], deployments: [NAME] },
    { key: "22222222222222222222222222222222", exhausted: "queries" },
    { key: "33333333333333333333333333333333", exhausted: "spend-limit", domains: ["example.org"] },
  ];
  const ORIGIN = { Origin: "https://example.org:8443" };

  let strict: Emulator;
  beforeAll(async () => {
    strict = await startEmulator({ streams: 3, apiKeys: KEYS });
  });
  afterAll(() => strict.close());

  const AT = `/production/${NAME}`;
  it.each<[name: string, path: string, headers: Record<string, string>, message: string]>([
    ["a missing header", AT, {}, "auth error: missing authorization header"],
    ["another scheme", AT, { Authorization: "Basic abc" }, "auth error: invalid authorization header"],
    ["a header without a scheme", AT, { Authorization: "abc" }, "auth error: invalid authorization header"],
    ["an empty header", AT, { Authorization: "" }, "auth error: invalid authorization header"],
    ["an empty token", AT, { Authorization: "Bearer " }, "auth error: invalid authorization header"],
    ["too few digits", AT, { Authorization: `Bearer ${KEY.slice(1)}` }, "auth error: malformed API key"],
    [
      "a letter that is not a hex digit",
      AT,
      { Authorization: `Bearer ${KEY.replace("0", "g")}` },
      "auth error: malformed API key",
    ],
    ["a malformed key in the path", `/api/abc/subgraphs/id/${ID}`, {}, "auth error: malformed API key"],
    ["an unknown key", AT, BEARER, "auth error: API key not found"],
    ["an unknown key in the path", `/api/${KEY}/deployments/id/${HASH}`, {}, "auth error: API key not found"],
    [
      "an unknown key in the header even with a valid one in the path",
      `/api/plain/subgraphs/id/${ID}`,
      BEARER,
      "auth error: API key not found",
    ],
    [
      "a key without remaining queries",
      AT,
      { Authorization: "Bearer 22222222222222222222222222222222" },
      "auth error: payment required for subsequent requests for this API key",
    ],
    [
      "a key at its spend limit",
      AT,
      { Authorization: "Bearer 33333333333333333333333333333333" },
      "auth error: spend limit exceeded for this API key",
    ],
    [
      "a key with domains, without an Origin",
      AT,
      { Authorization: `Bearer ${PAID}` },
      "auth error: domain not authorized by user",
    ],
    [
      "a key from another domain",
      AT,
      { Authorization: `Bearer ${PAID}`, Origin: "https://evil-example.org" },
      "auth error: domain not authorized by user",
    ],
    [
      "a key for another subgraph",
      `/production/${OTHER}`,
      { Authorization: `Bearer ${PAID}`, ...ORIGIN },
      "auth error: subgraph not authorized by user",
    ],
    [
      "a key for another deployment",
      `/api/deployments/id/${deploymentHash(OTHER)}`,
      { Authorization: `Bearer ${PAID}`, ...ORIGIN },
      "auth error: deployment not authorized by user",
    ],
  ])("refused with status 200: %s", async (_, path, headers, message) => {
    const answer = await sendJson(`${strict.url}${path}`, { query: HEALTH }, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual(GATEWAY_HEADERS);
    expect(answer.text).toBe(errors(message));
  });

  it.each<[name: string, path: string, headers: Record<string, string>]>([
    ["as configured", AT, { Authorization: "Bearer plain" }],
    ["with any case of the scheme", AT, { Authorization: "bearer plain" }],
    ["with any case of the digits", AT, { Authorization: "Bearer abcdefabcdefabcdefabcdefabcdefab" }],
    ["in the path", `/api/plain/subgraphs/id/${ID}`, {}],
    [
      "in the header with an unknown key in the path",
      `/api/nope/subgraphs/id/${ID}`,
      { Authorization: "Bearer plain" },
    ],
    ["from an allowed domain for an allowed subgraph", AT, { Authorization: `Bearer ${PAID}`, ...ORIGIN }],
    [
      "from an allowed subdomain for an allowed deployment",
      `/api/deployments/id/${HASH}`,
      { Authorization: `Bearer ${PAID}`, Origin: "https://app.example.com" },
    ],
  ])("accepted %s", async (_, path, headers) => {
    expect((await sendJson(`${strict.url}${path}`, QUERY, headers)).text).toBe(ANSWER);
  });

  it("accepted without configured keys: any key", async () => {
    const answer = await sendJson(`${emulator.url}${AT}`, QUERY, { Authorization: "Bearer any" });
    expect(answer.text).toBe(ANSWER);
  });
});

describe("the gateway refuses", () => {
  const UNKNOWN_ID = subgraphId("unknown");
  const UNKNOWN_HASH = deploymentHash("unknown");

  it.each<[name: string, path: string, body: unknown, message: string]>([
    ["an unknown name", "/production/nope", QUERY, "subgraph not found: nope"],
    ["an unknown subgraph", `/api/subgraphs/id/${UNKNOWN_ID}`, QUERY, `subgraph not found: ${UNKNOWN_ID}`],
    [
      "an invalid subgraph id",
      "/api/subgraphs/id/0OIl",
      QUERY,
      "subgraph not found: invalid subgraph ID: 0OIl",
    ],
    [
      "an unknown deployment",
      `/api/deployments/id/${UNKNOWN_HASH}`,
      QUERY,
      `subgraph not found: ${UNKNOWN_HASH}`,
    ],
    [
      "an invalid deployment hash",
      "/api/deployments/id/Qm1",
      QUERY,
      "subgraph not found: invalid deployment ID: Qm1",
    ],
    [
      "a body that is not JSON",
      `/production/${NAME}`,
      "<html>",
      "bad query: the request body is not valid JSON",
    ],
    [
      "a body without a query",
      `/production/${NAME}`,
      {},
      "bad query: the request has no `query` that is a string",
    ],
    [
      "a query that is not a string",
      `/production/${NAME}`,
      { query: 1 },
      "bad query: the request has no `query` that is a string",
    ],
    [
      "variables that are not an object",
      `/production/${NAME}`,
      { query: "{ a }", variables: [] },
      "bad query: `variables` is not an object",
    ],
    [
      "a block before the first",
      `/production/${NAME}`,
      { query: "{ streams(block: {number: 0}) { id } }" },
      expect.stringMatching(
        /^bad query: requested block 0, before minimum `startBlock` of manifest \d+$/,
      ) as string,
    ],
  ])("%s", async (_, path, body, message) => {
    const answer = await sendJson(`${emulator.url}${path}`, body, BEARER);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual(GATEWAY_HEADERS);
    expect(JSON.parse(answer.text)).toEqual({ errors: [{ message }] });
  });
});

describe("the gateway and a node's errors", () => {
  it.each([
    ["a syntax error", "foo"],
    ["an unknown field", "{ foo }"],
    ["a bad argument", "{ streams(where: {nope: 1}) { id } }"],
    ["a missing argument", "{ stream { id } }"],
    ["a bad filter", "{ streams(where: {and: null}) { id } }"],
  ])("returns the node's answer unchanged for %s", async (_, query) => {
    const node = await sendJson(`${emulator.url}/subgraphs/name/${NAME}`, { query });
    const gateway = await sendJson(`${emulator.url}/production/${NAME}`, { query }, BEARER);
    expect(gateway.text).toBe(node.text);
    expect(JSON.parse(gateway.text)).toHaveProperty("errors");
    expect(gateway.headers).toHaveProperty("graph-attestation");
  });

  it.each([
    [
      "a range error",
      "{ streams(first: 2000) { id } }",
      "BadResponse(unattestable response: The `first` argument must be between 0 and 1000, but is 2000)",
    ],
    [
      "a bad member of `or`",
      "{ streams(where: {or: [{nope: 1}]}) { id } }",
      'BadResponse(unattestable response: Invalid value provided for argument `where`: Object({"or": List([Object({"nope": Int(Number(1))})])}))',
    ],
    [
      "a bad member of `and`",
      "{ streams(where: {and: [{nope: 1}]}) { id } }",
      'BadResponse(unattestable response: Invalid value provided for argument `where`: Object({"and": List([Object({"nope": Int(Number(1))})])}))',
    ],
    [
      "an order by block__timestamp",
      "{ streams(orderBy: block__timestamp) { id } }",
      'BadResponse(unattestable response: Invalid value provided for argument `orderBy`: Enum("block__timestamp"))',
    ],
    ["an unknown block", '{ streams(block: {hash: "0x00"}) { id } }', "Unavailable(missing block)"],
    ["a closed connection", "{ ...Nope }", "BadResponse(failed to connect)"],
  ])("reports a bad indexer for %s", async (_, query, reason) => {
    const answer = await sendJson(`${emulator.url}/production/${NAME}`, { query }, BEARER);
    expect([answer.status, answer.text]).toEqual([200, errors(`bad indexers: {${INDEXER}: ${reason}}`)]);
    expect(answer.headers).toEqual(GATEWAY_HEADERS);
  });

  it("reports a bad indexer for a future block, with the indexer's latest block", async () => {
    const url = `${emulator.url}/production/${NAME}`;
    const health = JSON.parse((await sendJson(url, { query: HEALTH }, BEARER)).text) as {
      data: { _meta: { block: { number: number } } };
    };
    const { number } = health.data._meta.block;
    const query = `{ streams(block: {number: ${number + 7}}) { id } }`;
    expect((await sendJson(url, { query }, BEARER)).text).toBe(
      errors(`bad indexers: {${INDEXER}: Unavailable(missing block: ${number + 7}, latest: ${number})}`),
    );
  });

  it("reports a bad indexer for an error of strict validation", async () => {
    const strict = await emulate({ settings: { strictValidation: true } });
    const answer = await sendJson(`${strict.url}/production/${NAME}`, { query: "{ foo }" }, BEARER);
    expect(answer.text).toBe(
      errors(
        `bad indexers: {${INDEXER}: BadResponse(no attestation: Cannot query field "foo" on type "Query".)}`,
      ),
    );
  });

  it.each([
    ["by default", "{ streams(first: 1) { id } }"],
    ["even if errors are allowed", "{ streams(first: 1, subgraphError: allow) { id } }"],
  ])("reports a bad indexer for a failed subgraph, %s", async (_, query) => {
    const failed = await emulate({ faults: [{ kind: "indexing-error", deployment: NAME }] });
    const node = await sendJson(`${failed.url}/subgraphs/name/${NAME}`, { query });
    expect(JSON.parse(node.text)).toHaveProperty("errors", [{ message: "indexing_error" }]);
    expect(node.headers["graph-attestable"]).toBe("false");
    expect(node.headers["graph-indexed"]).toMatch(/^\{"hash":/);
    const gateway = await sendJson(`${failed.url}/production/${NAME}`, { query }, BEARER);
    expect(gateway.text).toBe(
      errors(`bad indexers: {${INDEXER}: BadResponse(no attestation: indexing_error)}`),
    );
  });

  const AHEAD =
    "Failed to decode `block.number` value: `subgraph Qm1 has only indexed up to block number 10 and data for block number 99 is therefore not yet available`";
  const PRUNED =
    "Failed to decode `block.number` value: `subgraph Qm1 only has data starting at block number 50 and data for block number 7 is therefore not available`";

  it.each([
    ["indexing_error", { reason: "BadResponse(no attestation: indexing_error)" }],
    ["Query timed out", { reason: "BadResponse(unattestable response: Query timed out)" }],
    [AHEAD, { reason: "Unavailable(missing block: 99, latest: 10)" }],
    [PRUNED, { reason: "Unavailable(missing block: 7)" }],
    [PRUNED.replace("number 7", "number 5"), { reason: "Unavailable(missing block: 5)" }],
    [
      PRUNED.replace("number 7", "number 4"),
      { badQuery: "requested block 4, before minimum `startBlock` of manifest 5" },
    ],
    ["Failed to decode `BigInt` value: `invalid digit found in string`", { passes: true }],
    ["Type `Query` has no field `foo`", { passes: true }],
    [
      "query has a depth that exceeds the limit of `255`",
      { reason: "BadResponse(unattestable response: query has a depth that exceeds the limit of `255`)" },
    ],
    [
      'Unknown argument "id" on field "Query.assets".',
      { reason: 'BadResponse(no attestation: Unknown argument "id" on field "Query.assets".)' },
    ],
    [
      'Field "or" is not defined by type "Stream_filter".',
      {
        reason: 'BadResponse(unattestable response: Field "or" is not defined by type "Stream_filter".)',
      },
    ],
    [
      "internal error: Cannot order by an object",
      { reason: "BadResponse(no attestation: internal error: Cannot order by an object)" },
    ],
    ['Invalid value provided for argument `orderBy`: Enum("block__number")', { passes: true }],
    [
      'Variable "$x" is not defined.',
      { reason: 'BadResponse(no attestation: Variable "$x" is not defined.)' },
    ],
  ])("judgeAnswer of %s", (message, want) => {
    expect(judgeAnswer([{ message }], 5)).toEqual(want);
  });

  it("judgeAnswer joins several messages into one reason", () => {
    expect(judgeAnswer([{ message: "A b." }, { message: "C d." }], 5)).toEqual({
      reason: "BadResponse(no attestation: A b.; C d.)",
    });
  });
});
