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
    const shape = attestation.replaceAll(/"0x[0-9a-f]{64}"/g, "0");
    expect(JSON.parse(shape)).toEqual({
      requestCID: 0,
      responseCID: 0,
      subgraphDeploymentID: 0,
      r: 0,
      s: 0,
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

  it.each(["nothing", "subgraphs/name/a", `subgraphs/id/${ID}/indexers/id/${INDEXER}`])(
    "do not include /api/%s",
    async (path) => {
      expect((await sendJson(`${emulator.url}/api/${path}`, QUERY, BEARER)).status).toBe(404);
    },
  );
});

describe("the keys of the gateway", () => {
  const PAID = "1".repeat(32);
  const KEYS: readonly (string | ApiKey)[] = [
    "plain",
    { key: "ABCDEFABCDEFABCDEFABCDEFABCDEFAB" },
    { key: PAID, domains: ["example.org", "*.example.com"], deployments: [NAME] },
    { key: "2".repeat(32), exhausted: "queries" },
    { key: "3".repeat(32), exhausted: "spend-limit", domains: ["example.org"] },
  ];
  const ORIGIN = { Origin: "https://example.org:8443" };

  let strict: Emulator;
  beforeAll(async () => {
    strict = await startEmulator({ streams: 3, apiKeys: KEYS });
  });
  afterAll(() => strict.close());

  const AT = `/production/${NAME}`;
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  const INVALID = "invalid authorization header";
  const UNKNOWN = "API key not found";
  it.each<[name: string, path: string, headers: Record<string, string>, message: string]>([
    ["a missing header", AT, {}, "missing authorization header"],
    ["another scheme", AT, { Authorization: "Basic abc" }, INVALID],
    ["a header without a scheme", AT, { Authorization: "abc" }, INVALID],
    ["an empty header", AT, { Authorization: "" }, INVALID],
    ["an empty token", AT, bearer(""), INVALID],
    ["too few digits", AT, bearer(KEY.slice(1)), "malformed API key"],
    ["a letter that is not a hex digit", AT, bearer(KEY.replace("0", "g")), "malformed API key"],
    ["a malformed key in the path", `/api/abc/subgraphs/id/${ID}`, {}, "malformed API key"],
    ["an unknown key", AT, BEARER, UNKNOWN],
    ["an unknown key in the path", `/api/${KEY}/deployments/id/${HASH}`, {}, UNKNOWN],
    [
      "an unknown key in the header, a valid one in the path",
      `/api/plain/subgraphs/id/${ID}`,
      BEARER,
      UNKNOWN,
    ],
    [
      "a key without remaining queries",
      AT,
      bearer("2".repeat(32)),
      "payment required for subsequent requests for this API key",
    ],
    ["a key at its spend limit", AT, bearer("3".repeat(32)), "spend limit exceeded for this API key"],
    ["a key with domains, without an Origin", AT, bearer(PAID), "domain not authorized by user"],
    [
      "a key from another domain",
      AT,
      { ...bearer(PAID), Origin: "https://evil-example.org" },
      "domain not authorized by user",
    ],
    [
      "a key for another subgraph",
      `/production/${OTHER}`,
      { ...bearer(PAID), ...ORIGIN },
      "subgraph not authorized by user",
    ],
    [
      "a key for another deployment",
      `/api/deployments/id/${deploymentHash(OTHER)}`,
      { ...bearer(PAID), ...ORIGIN },
      "deployment not authorized by user",
    ],
  ])("refused with status 200: %s", async (_, path, headers, message) => {
    const answer = await sendJson(`${strict.url}${path}`, { query: HEALTH }, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual(GATEWAY_HEADERS);
    expect(answer.text).toBe(errors(`auth error: ${message}`));
  });

  it.each<[name: string, path: string, headers: Record<string, string>]>([
    ["as configured", AT, bearer("plain")],
    ["with any case of the scheme", AT, { Authorization: "bearer plain" }],
    ["with any case of the digits", AT, bearer("abcdefabcdefabcdefabcdefabcdefab")],
    ["in the path", `/api/plain/subgraphs/id/${ID}`, {}],
    ["in the header with an unknown key in the path", `/api/nope/subgraphs/id/${ID}`, bearer("plain")],
    ["from an allowed domain for an allowed subgraph", AT, { ...bearer(PAID), ...ORIGIN }],
    [
      "from an allowed subdomain for an allowed deployment",
      `/api/deployments/id/${HASH}`,
      { ...bearer(PAID), Origin: "https://app.example.com" },
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

  async function expectErrors(path: string, body: unknown, message: unknown): Promise<void> {
    const answer = await sendJson(`${emulator.url}${path}`, body, BEARER);
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual(GATEWAY_HEADERS);
    expect(JSON.parse(answer.text)).toEqual({ errors: [{ message }] });
  }

  it.each([
    ["/production/nope", "nope"],
    [`/api/subgraphs/id/${UNKNOWN_ID}`, UNKNOWN_ID],
    ["/api/subgraphs/id/0OIl", "invalid subgraph ID: 0OIl"],
    [`/api/deployments/id/${UNKNOWN_HASH}`, UNKNOWN_HASH],
    ["/api/deployments/id/Qm1", "invalid deployment ID: Qm1"],
  ])("the unknown subgraph at %s", async (path, reason) => {
    await expectErrors(path, QUERY, `subgraph not found: ${reason}`);
  });

  it.each([
    ["<html>", "the request body is not valid JSON"],
    [{}, "the request has no `query` that is a string"],
    [{ query: 1 }, "the request has no `query` that is a string"],
    [{ query: "{ a }", variables: [] }, "`variables` is not an object"],
    [
      { query: "{ streams(block: {number: 0}) { id } }" },
      expect.stringMatching(/^bad query: requested block 0, before minimum `startBlock` of manifest \d+$/),
    ],
  ])("the body %j", async (body, reason) => {
    const message = typeof reason === "string" ? `bad query: ${reason}` : reason;
    await expectErrors(`/production/${NAME}`, body, message);
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

  const unattestable = (message: string) => `BadResponse(unattestable response: ${message})`;
  const unattested = (message: string) => `BadResponse(no attestation: ${message})`;
  it.each([
    [
      "{ streams(first: -1) { id } }",
      unattestable("The `first` argument must be between 0 and 1000, but is -1"),
    ],
    ['{ streams(block: {hash: "0x00"}) { id } }', "Unavailable(missing block)"],
    // The node closes the connection.
    ["{ ...Nope }", "BadResponse(failed to connect)"],
  ])("reports a bad indexer for %s", async (query, reason) => {
    const answer = await sendJson(`${emulator.url}/production/${NAME}`, { query }, BEARER);
    expect([answer.status, answer.text]).toEqual([200, errors(`bad indexers: {${INDEXER}: ${reason}}`)]);
    expect(answer.headers).toEqual(GATEWAY_HEADERS);
  });

  it("reports a bad indexer for a future block, with the indexer's latest block", async () => {
    const url = `${emulator.url}/production/${NAME}`;
    const health = (await sendJson(url, { query: HEALTH }, BEARER)).text;
    const number = Number(/\d+/.exec(health)?.[0]);
    const query = `{ streams(block: {number: ${number + 7}}) { id } }`;
    const reason = `Unavailable(missing block: ${number + 7}, latest: ${number})`;
    const answer = await sendJson(url, { query }, BEARER);
    expect(answer.text).toBe(errors(`bad indexers: {${INDEXER}: ${reason}}`));
  });

  it("reports a bad indexer for an error of strict validation", async () => {
    const strict = await emulate({ settings: { strictValidation: true } });
    const answer = await sendJson(`${strict.url}/production/${NAME}`, { query: "{ foo }" }, BEARER);
    const reason = unattested('Cannot query field "foo" on type "Query".');
    expect(answer.text).toBe(errors(`bad indexers: {${INDEXER}: ${reason}}`));
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
    expect(gateway.text).toBe(errors(`bad indexers: {${INDEXER}: ${unattested("indexing_error")}}`));
  });

  const AHEAD =
    "Failed to decode `block.number` value: `subgraph Qm1 has only indexed up to block number 10 and data for block number 99 is therefore not yet available`";
  const pruned = (block: number) =>
    `Failed to decode \`block.number\` value: \`subgraph Qm1 only has data starting at block number 50 and data for block number ${block} is therefore not available\``;

  it.each([
    [AHEAD, "Unavailable(missing block: 99, latest: 10)"],
    [pruned(7), "Unavailable(missing block: 7)"],
    [pruned(5), "Unavailable(missing block: 5)"],
  ])("judgeAnswer of %s has another reason", (message, reason) => {
    expect(judgeAnswer([{ message }], 5)).toEqual({ reason });
  });

  it.each([
    "indexing_error",
    'Unknown argument "id" on field "Query.assets".',
    "internal error: Cannot order by an object",
    'Variable "$x" is not defined.',
  ])("judgeAnswer of %s has no attestation", (message) => {
    expect(judgeAnswer([{ message }], 5)).toEqual({ reason: unattested(message) });
  });

  it.each([
    "Query timed out",
    "query has a depth that exceeds the limit of `255`",
    'Field "or" is not defined by type "Stream_filter".',
    'Invalid value provided for argument `where`: Object({"or": List([Object({"nope": Int(Number(1))})])})',
    'Invalid value provided for argument `where`: Object({"and": List([Object({"nope": Int(Number(1))})])})',
    'Invalid value provided for argument `orderBy`: Enum("block__timestamp")',
  ])("judgeAnswer of %s is unattestable", (message) => {
    expect(judgeAnswer([{ message }], 5)).toEqual({ reason: unattestable(message) });
  });

  it.each([
    "Failed to decode `BigInt` value: `invalid digit found in string`",
    "Type `Query` has no field `foo`",
    'Invalid value provided for argument `orderBy`: Enum("block__number")',
  ])("judgeAnswer of %s passes", (message) => {
    expect(judgeAnswer([{ message }], 5)).toEqual({ passes: true });
  });

  it("judgeAnswer of a block before the manifest's is a bad query", () => {
    const badQuery = "requested block 4, before minimum `startBlock` of manifest 5";
    expect(judgeAnswer([{ message: pruned(4) }], 5)).toEqual({ badQuery });
  });

  it("judgeAnswer joins several messages into one reason", () => {
    const reason = unattested("A b.; C d.");
    expect(judgeAnswer([{ message: "A b." }, { message: "C d." }], 5)).toEqual({ reason });
  });
});
