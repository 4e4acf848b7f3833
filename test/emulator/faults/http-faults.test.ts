import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";
import { ask, postRaw, statuses, urlOf } from "./support.ts";

const BASE = "protocol-lockup-base";
const MULTICHAIN = "protocol-lockup-multichain";

describe("a refused endpoint", () => {
  it("has a URL with a closed port; other endpoints still answer", async () => {
    const emulator = await emulate({ faults: [{ kind: "refused", deployment: BASE }] });
    expect(await postRaw(urlOf(emulator, BASE))).toMatchObject({ status: 0, error: "ECONNREFUSED" });
    expect(new URL(urlOf(emulator, BASE)).origin).not.toBe(emulator.url);
    expect(emulator.requests()).toEqual([]);
    expect(await postRaw(urlOf(emulator, "protocol-flow-base"))).toMatchObject({ status: 200, error: null });
  });

  it("stays refused after faults are cleared", async () => {
    const emulator = await emulate({ faults: [{ kind: "refused" }, { kind: "500" }] });
    emulator.clearFaults();
    expect(await postRaw(urlOf(emulator, BASE))).toMatchObject({ error: "ECONNREFUSED" });
    // A guessed URL on the emulator's port is not served either.
    const guessed = await postRaw(`${emulator.url}/testing/${BASE}`);
    expect(guessed).toMatchObject({ status: 0, error: "ECONNRESET" });
  });
});

describe("a connection", () => {
  it("is reset before the answer", async () => {
    const emulator = await emulate({ faults: [{ kind: "reset" }] });
    const answer = await postRaw(urlOf(emulator, BASE));
    expect(answer).toEqual({ status: 0, headers: {}, body: "", error: "ECONNRESET" });
  });

  it("is reset in the middle of the body", async () => {
    const emulator = await emulate({ faults: [{ kind: "reset", at: "body" }] });
    expect(await postRaw(urlOf(emulator, BASE))).toMatchObject({ status: 200, error: "ECONNRESET" });
  });

  it("waits for the sum of all latencies", async () => {
    const faults = [60, 50].map((milliseconds): Fault => ({ kind: "latency", milliseconds }));
    const emulator = await emulate({ faults });
    const start = performance.now();
    expect(await postRaw(urlOf(emulator, BASE))).toMatchObject({ status: 200 });
    expect(performance.now() - start).toBeGreaterThan(105);
  });

  it("that waits does not prevent the emulator from closing", async () => {
    const emulator = await emulate({ faults: [{ kind: "latency", milliseconds: 3_600_000 }] });
    const waiting = postRaw(urlOf(emulator, BASE));
    while (emulator.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await emulator.close();
    await emulator.close();
    expect(await waiting).toMatchObject({ status: 0, error: "ECONNRESET" });
  });
});

describe("a status", () => {
  it.each<[fault: Fault, status: number, headers: object, body: string]>([
    [{ kind: "401" }, 401, {}, '{"error":"Unauthorized"}'],
    [{ kind: "402" }, 402, {}, '{"error":"Payment Required"}'],
    [{ kind: "403" }, 403, {}, '{"error":"Forbidden"}'],
    [{ kind: "404" }, 404, {}, '{"error":"Not Found"}'],
    [{ kind: "429" }, 429, { "retry-after": "60" }, '{"error":"Too Many Requests"}'],
    [{ kind: "429", retryAfter: 0 }, 429, { "retry-after": "0" }, '{"error":"Too Many Requests"}'],
    [{ kind: "500" }, 500, { "content-type": "application/json" }, '{"error":"Internal Server Error"}'],
    [{ kind: "502" }, 502, { "content-type": "text/html" }, "<!DOCTYPE html>"],
  ])("%j", async (fault, status, headers, body) => {
    const emulator = await emulate({ faults: [fault] });
    for (const name of [BASE, MULTICHAIN]) {
      const answer = await postRaw(urlOf(emulator, name));
      expect(answer).toMatchObject({ status, error: null });
      expect(answer.headers).toMatchObject({ ...headers, "access-control-allow-origin": "*" });
      expect(answer.body).toContain(body);
    }
  });

  it("applies to queries only, not to pages and preflight requests", async () => {
    const emulator = await emulate({ faults: [{ kind: "500", next: 1 }] });
    const url = urlOf(emulator, BASE);
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { method: "OPTIONS" })).status).toBe(200);
    expect(await statuses(url, 2)).toEqual([500, 200]);
    expect(emulator.requests()).toEqual([{ deployment: BASE, environment: "testing", count: 2 }]);
  });
});

describe("truncated JSON", () => {
  it("has a Content-Length that equals the truncated body", async () => {
    const emulator = await emulate({ faults: [{ kind: "truncated-json" }] });
    const { status, headers, body, error } = await postRaw(urlOf(emulator, BASE));
    expect([status, error]).toEqual([200, null]);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(() => JSON.parse(body)).toThrow();
    expect(body).toMatch(/^\{"data":/);
  });

  it("with `length: whole` ends before its Content-Length", async () => {
    const emulator = await emulate({ faults: [{ kind: "truncated-json", length: "whole" }] });
    const { status, headers, body, error } = await postRaw(urlOf(emulator, BASE));
    expect([status, error]).toEqual([200, "ECONNRESET"]);
    expect(body.length).toBe(Math.floor(Number(headers["content-length"]) / 2));
    expect(body).toMatch(/^\{"data":/);
  });
});

describe("a body", () => {
  it.each([BASE, MULTICHAIN])("of huge-body is larger by the megabytes: %s", async (name) => {
    const emulator = await emulate({ faults: [{ kind: "huge-body", megabytes: 3 }] });
    const { status, headers, body } = await postRaw(urlOf(emulator, name), "{ __typename }");
    expect(status).toBe(200);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(body.length).toBeGreaterThan(3 * 1024 * 1024);
    const { data } = JSON.parse(body) as { data: Record<string, string> };
    expect(data["__typename"]).toMatch(/Query|query_root/);
    expect(data["huge"]).toHaveLength(3 * 1024 * 1024);
  });

  it("of deep-body has nested lists", async () => {
    const emulator = await emulate({ faults: [{ kind: "deep-body", levels: 100_000 }] });
    const { body } = await postRaw(urlOf(emulator, BASE));
    expect(body).toContain(`"deep":${"[".repeat(100_000)}${"]".repeat(100_000)},"_meta"`);
  });

  it("combines deep-body and huge-body, and keeps the text of an error response", async () => {
    const faults: Fault[] = [
      { kind: "deep-body", levels: 2 },
      { kind: "huge-body", megabytes: 1 },
      { kind: "500", deployment: "base" },
      { kind: "502", deployment: "gnosis" },
    ];
    const emulator = await emulate({ faults });
    const { body } = await postRaw(urlOf(emulator, "protocol-lockup-mode-mainnet"), "{ }");
    expect(JSON.parse(body)).toMatchObject({ deep: [[]], errors: [expect.anything()] });
    const failure = await postRaw(urlOf(emulator, BASE));
    expect(JSON.parse(failure.body)).toMatchObject({ error: "Internal Server Error", deep: [[]] });
    const page = await postRaw(urlOf(emulator, "protocol-lockup-gnosis"));
    expect(page.body.length).toBeGreaterThan(1024 * 1024);
    expect(page.body.trimStart()).toMatch(/^<!DOCTYPE html>/);
  });
});

describe("errors in addition to data", () => {
  it("have the format of each platform", async () => {
    const emulator = await emulate({ faults: [{ kind: "errors-beside-data", message: "half of it" }] });
    expect(await ask(emulator, BASE, HEALTH)).toEqual({
      data: { _meta: { block: { number: expect.any(Number) } } },
      errors: [{ message: "half of it" }],
    });
    expect(await ask(emulator, MULTICHAIN, "{ __typename }")).toEqual({
      data: { __typename: "query_root" },
      errors: [{ message: "half of it", extensions: { path: "$", code: "unexpected" } }],
    });
  });

  it("do not change failed answers", async () => {
    const emulator = await emulate({ faults: [{ kind: "errors-beside-data" }] });
    expect((await postRaw(urlOf(emulator, BASE), "{ nope }")).body).toBe(
      '{"errors":[{"locations":[{"line":1,"column":3}],"message":"Type `Query` has no field `nope`"}]}',
    );
  });

  it("pass the gateway unchanged", async () => {
    const emulator = await emulate({
      faults: [{ kind: "errors-beside-data", message: "Store error: gone" }],
    });
    const { url } = endpoint(emulator, "subgraph", "production", BASE);
    const response = await post(url, { query: HEALTH }, { authorization: "Bearer key" });
    expect(await response.json()).toMatchObject({
      data: { _meta: {} },
      errors: [{ message: "Store error: gone" }],
    });
  });

  it("are in every successful answer of a batch", async () => {
    const emulator = await emulate({ faults: [{ kind: "errors-beside-data" }] });
    const { url } = endpoint(emulator, "multichain");
    const response = await post(url, [{ query: "{ __typename }" }, { query: "{ nope }" }]);
    const [first, second] = (await response.json()) as unknown[];
    expect(first).toMatchObject({ data: { __typename: "query_root" }, errors: [{}] });
    expect(second).toEqual({ errors: [expect.anything()] });
  });
});

describe("introspection that is off", () => {
  const SCHEMA = "{ __schema { queryType { name } } }";

  it.each([
    ["__schema", SCHEMA],
    ["__type", '{ a: __type(name: "Stream") { name } }'],
  ])("is reported as the unknown field %s by the multichain platform", async (field, query) => {
    const emulator = await emulate({ faults: [{ kind: "introspection-off" }] });
    const message = `field '${field}' not found in type: 'query_root'`;
    const extensions = { path: `$.selectionSet.${field}`, code: "validation-failed" };
    expect(await ask(emulator, MULTICHAIN, query)).toEqual({ errors: [{ message, extensions }] });
  });

  it.each([
    SCHEMA,
    "query A { ...F } fragment F on Query { ... on Query { __schema { queryType { name } } } }",
  ])("is refused by a testing URL: %s", async (query) => {
    const emulator = await emulate({ faults: [{ kind: "introspection-off" }] });
    expect(await ask(emulator, BASE, query)).toEqual({ errors: [{ message: "introspection is disabled" }] });
  });

  it("is refused by the gateway", async () => {
    const emulator = await emulate({ faults: [{ kind: "introspection-off" }] });
    const { url } = endpoint(emulator, "subgraph", "production", BASE);
    const response = await post(url, { query: SCHEMA }, { authorization: "Bearer key" });
    expect(await response.json()).toEqual({ errors: [{ message: "introspection is disabled" }] });
  });

  it("does not affect __typename or a string that contains __schema", async () => {
    const emulator = await emulate({ faults: [{ kind: "introspection-off" }] });
    expect(await ask(emulator, BASE, "{ __typename }")).toEqual({ data: { __typename: "Query" } });
    const query = '{ streams(where: { alias: "__schema" }) { id } }';
    expect(await ask(emulator, BASE, query)).toEqual({ data: { streams: [] } });
  });
});
