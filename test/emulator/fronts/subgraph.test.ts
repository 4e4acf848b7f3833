import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { chainState } from "../../../src/emulator/rows/chain-clock.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";

const KEY = { authorization: "Bearer any-key" };
const CLIENT = "GraphQL server error (client error): ";

function errors(message: string): string {
  return JSON.stringify({ errors: [{ message }] });
}

describe("a testing URL", () => {
  it("answers the health query without a key", async () => {
    const emulator = await emulate({ seed: "health" });
    const { url } = endpoint(emulator, "subgraph", "testing", "protocol-flow-sepolia");
    expect(new URL(url).pathname).toBe("/testing/protocol-flow-sepolia");
    const response = await post(url, { query: HEALTH });
    const { head } = chainState("health", 11155111);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(`{"data":{"_meta":{"block":{"number":${head.number}}}}}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "Content-Type, User-Agent",
      "access-control-allow-methods": "GET, OPTIONS, POST",
      "graph-attestable": "true",
      "graph-indexed": JSON.stringify({ hash: head.hash, number: head.number, timestamp: head.timestamp }),
    });
  });

  it.each([
    ["not JSON", "nope", "expected value at line 1 column 1"],
    ["a list", "[]", "Request data is not an object"],
    ["a number", "1", "Request data is not an object"],
    ["without a query", "{}", 'The "query" field is missing in request data'],
    ["with a query that is no text", '{"query":1}', 'The "query" field is not a string'],
    [
      "with a list of variables",
      '{"query":"{ __typename }","variables":[]}',
      "Invalid query variables provided",
    ],
    [
      "with text for variables",
      '{"query":"{ __typename }","variables":"{}"}',
      "Invalid query variables provided",
    ],
  ])("refuses a body that is %s", async (_, body, words) => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const response = await post(url, body);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("graph-indexed")).toBeNull();
    expect(await response.text()).toBe(JSON.stringify({ error: `${CLIENT}${words}` }));
  });

  it("reports a query it cannot parse before variables it cannot use", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const response = await post(url, { query: "foo", variables: [] });
    expect(response.status).toBe(200);
    expect(response.headers.get("graph-indexed")).toBe("null");
    expect(response.headers.get("graph-attestable")).toBe("false");
    expect(await response.json()).toHaveProperty("errors");
  });

  it.each([
    ["no content type", {}, "{}", "Content-Type header is required"],
    ["no body", { "content-type": "application/json" }, "", "Body is required"],
    [
      "a body in chunks",
      { "content-type": "application/json", "transfer-encoding": "chunked" },
      "{}",
      "Body is required",
    ],
  ])("refuses %s", async (_, headers, body, error) => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    expect(await raw(url, headers, body)).toEqual({ status: 400, text: JSON.stringify({ error }) });
  });

  it("takes null for variables and ignores what it does not know", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const body = { query: "{ __typename }", variables: null, operationName: "Nope", extra: 1 };
    expect(await (await post(url, body)).json()).toEqual({ data: { __typename: "Query" } });
  });

  it.each(["nope", "protocol-lockup-form", "protocol-lockup-multichain"])(
    "does not know %s",
    async (name) => {
      const emulator = await emulate();
      const response = await post(`${emulator.url}/testing/${name}`, { query: HEALTH });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(errors(`deployment \`${name}\` does not exist`));
    },
  );

  it("answers other methods as the node does", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const put = await fetch(url, { method: "PUT" });
    expect([put.status, await put.text()]).toEqual([200, '{"message":"Not found"}']);
    const options = await fetch(url, { method: "OPTIONS" });
    expect([options.status, await options.text()]).toEqual([200, ""]);
    expect(options.headers.get("access-control-allow-methods")).toBe("GET, OPTIONS, POST");
  });
});

describe("the daily limit of a testing URL", () => {
  const NOON = Date.UTC(2025, 7, 21, 12);

  it("counts by deployment and day, and says when to come back", async () => {
    let now = NOON;
    const emulator = await emulate({ dailyQueries: 2, now: () => now });
    const { url } = endpoint(emulator, "subgraph", "testing", "protocol-lockup-base");
    const other = endpoint(emulator, "subgraph", "testing", "protocol-flow-base");
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

  it("does not hold for production, and a page is not a query", async () => {
    const emulator = await emulate({ dailyQueries: 1, now: () => NOON });
    const testing = endpoint(emulator, "subgraph", "testing", "protocol-lockup-base");
    const production = endpoint(emulator, "subgraph", "production", "protocol-lockup-base");
    for (let time = 0; time < 3; time++) {
      expect((await post(production.url, { query: HEALTH }, KEY)).status).toBe(200);
      expect((await fetch(testing.url)).status).toBe(200);
    }
    expect((await post(testing.url, { query: HEALTH })).status).toBe(200);
    expect((await post(testing.url, { query: HEALTH })).status).toBe(429);
  });
});

describe("a production URL", () => {
  it("answers whoever has a key", async () => {
    const emulator = await emulate();
    const { url } = endpoint(emulator, "subgraph", "production", "protocol-lockup-form");
    expect(new URL(url).pathname).toBe("/production/protocol-lockup-form");
    const response = await post(url, { query: HEALTH }, KEY);
    expect(await response.json()).toHaveProperty("data._meta.block.number");
    expect(response.headers.get("graph-indexed")).toBeNull();
  });

  it.each([
    ["nothing", {}, "auth error: missing authorization header"],
    ["another scheme", { authorization: "Basic abc" }, "auth error: invalid authorization header"],
    ["no scheme", { authorization: "abc" }, "auth error: invalid authorization header"],
    ["an empty token", { authorization: "Bearer " }, "auth error: missing API key"],
    ["an unknown key", { authorization: "Bearer wrong" }, "auth error: API key not found"],
  ])("refuses %s with status 200", async (_, headers, message) => {
    const { url } = endpoint(await emulate({ apiKeys: ["right"] }), "subgraph");
    const response = await post(url, { query: HEALTH }, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe(errors(message));
  });

  it("accepts the keys it was given", async () => {
    const { url } = endpoint(await emulate({ apiKeys: ["right"] }), "subgraph");
    const response = await post(url, { query: HEALTH }, { authorization: "bearer right" });
    expect(await response.json()).toHaveProperty("data");
  });

  it.each([
    ["an unknown deployment", "/production/nope", { query: HEALTH }, "subgraph not found: nope"],
    [
      "a body that is not JSON",
      "/production/protocol-flow-base",
      "nope",
      `bad query: ${CLIENT}expected value at line 1 column 1`,
    ],
    [
      "variables it cannot use",
      "/production/protocol-flow-base",
      { query: HEALTH, variables: [] },
      `bad query: ${CLIENT}Invalid query variables provided`,
    ],
  ])("refuses %s with status 200", async (_, path, body, message) => {
    const emulator = await emulate();
    const response = await post(`${emulator.url}${path}`, body, KEY);
    expect([response.status, await response.text()]).toEqual([200, errors(message)]);
  });

  it("knows no GET and no page", async () => {
    const { url } = endpoint(await emulate(), "subgraph");
    const response = await fetch(url, { headers: { accept: "text/html", ...KEY } });
    expect([response.status, await response.text()]).toEqual([405, ""]);
    expect(response.headers.get("allow")).toBe("OPTIONS,POST");
    expect((await fetch(url, { method: "OPTIONS" })).headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("the query page of a testing URL", () => {
  it("needs nothing but itself", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing", "protocol-lockup-base");
    const response = await fetch(url, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain("protocol-lockup-base");
    expect(page.replaceAll(/\s+/g, " ")).toContain(HEALTH);
    expect(page).not.toMatch(/https?:|\/\/[a-z]|@import|url\(|\bsrc=/);
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(["data:,"]);
  });

  it("has a script that a browser can parse", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const page = await (await fetch(url)).text();
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
    expect(script).toContain("runQuery");
    expect(() => new Function(script)).not.toThrow();
  });

  it("asks only what the endpoint answers", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const page = await (await fetch(url)).text();
    const [, script = ""] = /<script>([\s\S]*?)let types/.exec(page) ?? [];
    const [, constants = ""] = /(const TYPE =[\s\S]*)/.exec(script) ?? [];
    const query = new Function(`${constants}; return SCHEMA_QUERY;`)();
    expect(await (await post(url, { query })).json()).toHaveProperty("data.__schema.queryType.name", "Query");
  });
});

/** Sends what fetch will not: no content type, or a body in chunks. */
function raw(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, text });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
