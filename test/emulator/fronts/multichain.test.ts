import { describe, expect, it } from "vitest";
import { emulate, endpoint, post } from "../support.ts";

const CHAINS_QUERY = "{ Watcher(order_by: {chainId: asc}) { chainId } }";
const TYPE = "application/json; charset=utf-8";
const REQUEST = "Hasura.GraphQL.Transport.HTTP.Protocol.GQLReq(GQLReq)";

async function urls(): Promise<{ readonly base: string; readonly url: string }> {
  const emulator = await emulate();
  return { base: emulator.url, url: endpoint(emulator, "multichain").url };
}

describe("the multichain front", () => {
  it("answers for all chains without a key", async () => {
    const { url } = await urls();
    expect(new URL(url).pathname).toMatch(/^\/[0-9a-f]{7}\/v1\/graphql$/);
    const response = await post(url, { query: CHAINS_QUERY });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(TYPE);
    const { data } = (await response.json()) as { data: { Watcher: { chainId: string }[] } };
    expect(data.Watcher).toHaveLength(25);
    expect(data.Watcher[0]).toEqual({ chainId: "1" });
  });

  it.each([
    ["not JSON", "not json", 'Unexpected "not json", expecting JSON value', "$", "invalid-json"],
    ["empty", "", "Unexpected end-of-input, expecting JSON value", "$", "invalid-json"],
    [
      "a number",
      "1",
      `parsing ${REQUEST} failed, expected Object, but encountered Number`,
      "$",
      "parse-failed",
    ],
    ["null", "null", `parsing ${REQUEST} failed, expected Object, but encountered Null`, "$", "parse-failed"],
    ["without a query", "{}", `parsing ${REQUEST} failed, key "query" not found`, "$", "parse-failed"],
    [
      "with a query that is no text",
      '{"query":1}',
      "parsing Text failed, expected String, but encountered Number",
      "$.query",
      "parse-failed",
    ],
    [
      "with a list of variables",
      '{"query":"{__typename}","variables":[]}',
      "parsing HashMap failed, expected Object, but encountered Array",
      "$.variables",
      "parse-failed",
    ],
    [
      "with an operation name that is no text",
      '{"query":"{__typename}","operationName":1}',
      "parsing Name failed, expected String, but encountered Number",
      "$.operationName",
      "parse-failed",
    ],
    [
      "with an empty operation name",
      '{"query":"{__typename}","operationName":""}',
      " is not valid GraphQL name",
      "$.operationName",
      "parse-failed",
    ],
    [
      "a list with a malformed member",
      '[{"query":"{__typename}"},{}]',
      `parsing ${REQUEST} failed, key "query" not found`,
      "$[1]",
      "parse-failed",
    ],
    [
      "a list with a malformed query",
      '[{"query":1}]',
      "parsing Text failed, expected String, but encountered Number",
      "$[0].query",
      "parse-failed",
    ],
  ])("refuses a body that is %s", async (_, body, message, path, code) => {
    const { url } = await urls();
    const response = await post(url, body);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(TYPE);
    expect(await response.text()).toBe(JSON.stringify({ errors: [{ message, extensions: { path, code } }] }));
  });

  it("takes null for what is optional and ignores what it does not know", async () => {
    const { url } = await urls();
    const body = { query: "{ __typename }", variables: null, operationName: null, extra: 1 };
    expect(await (await post(url, body)).json()).toEqual({ data: { __typename: "query_root" } });
  });

  it("answers a list with a list, in which one may fail", async () => {
    const { url } = await urls();
    const response = await post(url, [{ query: "{ __typename }" }, { query: "{ nope }" }]);
    const answer = (await response.json()) as [unknown, unknown];
    expect(answer[0]).toEqual({ data: { __typename: "query_root" } });
    expect(answer[1]).toHaveProperty("errors");
    expect(await (await post(url, [])).text()).toBe("[]");
  });

  it("never runs a query over GET", async () => {
    const { url } = await urls();
    const response = await fetch(`${url}?query=%7B__typename%7D`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(
      '{"errors":[{"message":"PersistedQueryNotSupported","extensions":{"path":"$","code":"not-supported"}}]}',
    );
  });

  it.each([
    ["POST", "/"],
    ["POST", "/0000000/v1/graphql"],
    ["GET", "/v1/graphql"],
    ["PUT", null],
  ])("knows no %s %s", async (method, path) => {
    const { base, url } = await urls();
    const response = await fetch(path === null ? url : `${base}${path}`, { method });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe(TYPE);
    expect(await response.text()).toBe('{"path":"$","error":"resource does not exist","code":"not-found"}');
  });

  it("lets browsers of any origin in", async () => {
    const { url } = await urls();
    const origin = "http://localhost:3000";
    const preflight = await fetch(url, { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-max-age")).toBe("1728000");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET,POST,PUT,PATCH,DELETE,OPTIONS");
    const response = await post(url, { query: "{ __typename }" }, { origin });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    const plain = await post(url, { query: "{ __typename }" });
    expect(plain.headers.get("access-control-allow-origin")).toBeNull();
  });
});
