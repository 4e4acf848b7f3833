import { Agent, type IncomingMessage, request } from "node:http";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { RecentStreams } from "../../../generated/lockup/portable.ts";
import { endpoint } from "../../../generated/manifest.ts";
import { createProxy } from "../../../generated/proxy.ts";
import { runs } from "../../support/runs.ts";
import { type TestServer, testServer } from "../../support/test-server.ts";
import { serveProxy } from "./serve-proxy.ts";

/** A valid request. */
const GOOD = { protocol: "lockup", operation: "RecentStreams", style: "multichain", chains: ["base"] };

let indexer: TestServer;
let env: Record<string, string>;
beforeEach(async () => {
  indexer = await testServer((_, response) => response.end('{"data":{"streams":[]}}'));
  env = {
    LOCKFLOW_MULTICHAIN_URL: `${indexer.url}/{id}`,
    LOCKFLOW_LOCKUP_ID: "abc",
    LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${indexer.url}/{deployment}`,
    LOCKFLOW_SUBGRAPH_API_KEY: "any",
  };
});

/** Sends a request as a page does, unless the arguments differ. */
function ask(body: string | ReadableStream | null, init: RequestInit = {}): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return createProxy({ env })(new Request("http://localhost/", { method: "POST", headers, body, ...init }));
}

async function errorOf(answer: Response): Promise<{ readonly code: string; readonly message: string }> {
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  return error;
}

const withStray = (stray: object) => JSON.stringify({ ...GOOD, ...stray });

const REFUSED: readonly (readonly [name: string, body: string, status: number, message: RegExp])[] = [
  ["an empty body", "", 400, /JSON object/],
  ["text that is not JSON", "{", 400, /JSON object/],
  ["a list, as a batch is", "[]", 400, /JSON object/],
  ["null", "null", 400, /JSON object/],
  ["another query", '{"query":"{ streams { id } }"}', 400, /"query"/],
  ["a query beside an operation", withStray({ query: "{ streams { id } }" }), 400, /"query"/],
  ["a URL", withStray({ url: "http://127.0.0.1/" }), 400, /"url"/],
  ["an inherited key", `{"__proto__":{"a":1},${withStray({}).slice(1)}`, 400, /"__proto__"/],
  ["no operation", withStray({ operation: undefined }), 400, /"operation"/],
  ["an operation that is a list", withStray({ operation: ["RecentStreams"] }), 400, /"operation"/],
  ["an unknown operation", withStray({ operation: "DropTable" }), 404, /Unknown operation/],
  ["an operation of one style", withStray({ operation: "Health" }), 404, /Unknown operation/],
  ["an undeclared variable", withStray({ variables: { query: "{ a }" } }), 400, /"query"/],
  ["the chains as a variable", withStray({ variables: { chainIds: ["1"] } }), 400, /"chainIds"/],
  ["an inherited name as an operation", withStray({ operation: "constructor" }), 404, /Unknown operation/],
  ["an operation called __proto__", withStray({ operation: "__proto__" }), 404, /Unknown operation/],
  ["a table beside the operations", withStray({ operation: "streamFilter" }), 404, /Unknown operation/],
  ["another protocol's operation", withStray({ protocol: "flow", operation: "X" }), 404, /Unknown operation/],
  ["an unknown protocol", withStray({ protocol: "moon" }), 404, /Unknown operation/],
  ["an unknown style", withStray({ style: "moon" }), 404, /moon/],
  ["another member as a style", withStray({ style: "name" }), 404, /name/],
  ["an unknown chain", withStray({ chains: ["moon"] }), 404, /moon/],
  ["an unknown chain id", withStray({ chains: [123456789] }), 404, /123456789/],
  ["an inherited name as a chain", withStray({ chains: ["toString"] }), 404, /toString/],
  ["a chain that the style does not serve", withStray({ chains: ["blast"] }), 404, /blast/],
  [
    "several chains of one subgraph",
    withStray({ style: "subgraph", chains: ["base", "linea"] }),
    404,
    /linea/,
  ],
  ["no chain", withStray({ chains: [] }), 400, /"chains"/],
  ["more than 1000 chains", withStray({ chains: Array(1001).fill("base") }), 400, /1000/],
  ["a chain that is not a list", withStray({ chains: "base" }), 400, /"chains"/],
  ["a chain that is an object", withStray({ chains: [{}] }), 400, /"chains"/],
  ["variables that are a list", withStray({ variables: [] }), 400, /"variables"/],
  ["a variable out of range", withStray({ variables: { first: 1001 } }), 400, /first/],
  ["a variable of another type", withStray({ variables: { first: { a: 1 } } }), 400, /first/],
  ["a block that is a number", withStray({ block: 5 }), 400, /"block"/],
  ["a block with a number and a hash", withStray({ block: { number: 5, hash: "0x" } }), 400, /"block"/],
  ["a block with a short hash", withStray({ block: { hash: "0x12" } }), 400, /"block"/],
  ["a block below 0", withStray({ block: { number: -1 } }), 400, /"block"/],
  ["a block of an indexer without past blocks", withStray({ block: { number: 5 } }), 400, /past/],
  ["heads that are not boolean", withStray({ heads: 1 }), 400, /"heads"/],
];

describe("a proxy rejects, without a request to an indexer,", () => {
  it.each(REFUSED)("%s", async (_, body, status, message) => {
    const answer = await ask(body);
    const error = await errorOf(answer);
    expect({ status: answer.status, message: error.message }).toEqual({
      status,
      message: expect.stringMatching(message),
    });
    expect(error.code).toMatch(/^(rejected|not-served|invalid-variables|no-time-travel)$/);
    expect(indexer.received).toEqual([]);
  });

  it.each(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])("the method %s", async (method) => {
    const answer = await ask(null, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(indexer.received).toEqual([]);
  });

  it("methods that Request does not allow, with the node:http adapter", async () => {
    const { url } = await serveProxy({ env });
    const answered = await new Promise<IncomingMessage>((resolve, reject) =>
      request(url, { method: "TRACE" }, resolve).on("error", reject).end(),
    );
    answered.resume();
    expect([answered.statusCode, indexer.received]).toEqual([405, []]);
  });

  it.each([
    ["a body of more than 64 KB", "application/json", 413],
    ["a long body of another type", "text/plain", 415],
  ])(
    "%s, and answers the next request on its connection, with the node:http adapter",
    async (_, type, status) => {
      const { url } = await serveProxy({ env });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = (body: string, type: string) =>
        new Promise<readonly [status: number | undefined, port: number | undefined]>((resolve, reject) => {
          const sent = request(
            url,
            { method: "POST", agent, headers: { "content-type": type } },
            (answer) => {
              const { localPort } = answer.socket;
              answer.resume().on("end", () => resolve([answer.statusCode, localPort]));
            },
          );
          sent.on("error", reject).end(body);
        });
      const [, port] = await send(withStray({}), "application/json");
      for (const size of [70_000, 1_000_000, 5_000_000]) {
        expect(await send("x".repeat(size), type)).toEqual([status, port]);
        expect(await send(withStray({}), "application/json")).toEqual([200, port]);
      }
      agent.destroy();
    },
  );

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "",
    "application/jsonp",
    "multipart/form-data",
  ])("the content type %o, which a form of another site can send", async (type) => {
    const answer = await ask(withStray({}), { headers: { "content-type": type } });
    expect(answer.status).toBe(415);
    expect(indexer.received).toEqual([]);
  });

  it("a body of more than 64 KB, but not one of 64", async () => {
    const padded = (size: number) => {
      const text = withStray({ variables: { more: "" } });
      return text.replace(
        '"more":""',
        `"more":"${"é".repeat((size - text.length) >> 1)}${"e".repeat((size - text.length) & 1)}"`,
      );
    };
    expect(Buffer.byteLength(padded(65_536))).toBe(65_536);
    expect((await ask(padded(65_536))).status).toBe(400);
    expect((await ask(withStray({}).padEnd(65_536))).status).toBe(200);
    expect(indexer.received).toHaveLength(1);
    const answer = await ask(padded(65_537));
    expect(answer.status).toBe(413);
    expect((await errorOf(answer)).message).toContain("64 KB");
    expect(indexer.received).toHaveLength(1);
  });

  it("an endless body, whatever its content-length", async () => {
    let pulled = 0;
    let isCanceled = false;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1000).fill(32));
      },
      cancel: () => {
        isCanceled = true;
      },
    });
    const headers = { "content-type": "application/json", "content-length": "10" };
    const answer = await ask(body, { headers, duplex: "half" } as RequestInit);
    expect(answer.status).toBe(413);
    expect(pulled).toBeLessThan(80);
    expect(isCanceled).toBe(true);
  });

  it("deeply nested variables", async () => {
    const depth = 6000;
    const where = `${'{"and":['.repeat(depth)}{}${"]}".repeat(depth)}`;
    const answer = await ask(`{"variables":{"first":${where}},${withStray({}).slice(1)}`);
    expect(answer.status).toBe(400);
    expect(indexer.received).toEqual([]);
  });

  it("any other invalid body, with a JSON error", async () => {
    const member = fc.constantFrom(...Object.keys(GOOD), "variables", "block", "heads", "query", "__proto__");
    const changed = fc.tuple(member, fc.jsonValue({ maxDepth: 3 })).map(([key, value]) => {
      const text = JSON.stringify(Object.fromEntries(Object.entries(GOOD).filter(([name]) => name !== key)));
      return `{${JSON.stringify(key)}:${JSON.stringify(value)},${text.slice(1)}`;
    });
    const cut = fc.nat(withStray({}).length).map((length) => withStray({}).slice(0, length));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, cut, fc.json(), fc.string()), async (body) => {
        const before = indexer.received.length;
        const answer = await ask(body);
        const text = await answer.text();
        expect([200, 400, 404]).toContain(answer.status);
        expect(Object.keys(JSON.parse(text))).toEqual([answer.status === 200 ? "data" : "error"]);
        const sent = indexer.received.slice(before);
        expect(sent).toHaveLength(answer.status === 200 ? 1 : 0);
        for (const { body: asked } of sent) {
          const { query } = JSON.parse(asked);
          expect([RecentStreams.multichain, RecentStreams.subgraph]).toContain(
            query.replace(/\n {2}(lockflow: chain_metadata|_meta).*/, ""),
          );
        }
      }),
      { numRuns: runs(10, 600) },
    );
  });

  it("operations that are not allowed", async () => {
    const proxy = createProxy({ env, operations: [RecentStreams] });
    const request = (operation: string) =>
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8" },
        body: withStray({ operation }),
      });
    expect((await proxy(request("RecentStreams"))).status).toBe(200);
    expect((await proxy(request("Assets"))).status).toBe(404);
  });
});

describe("a proxy with configured endpoints", () => {
  it.each(["name", "protocol", "moon"])("rejects the style %s", async (style) => {
    const anywhere = endpoint({ protocol: "lockup", style: "multichain" }, env);
    const proxy = createProxy({ env, endpoint: () => anywhere });
    const headers = { "content-type": "application/json" };
    const request = (body: string) => new Request("http://localhost/", { method: "POST", headers, body });
    expect((await proxy(request(withStray({})))).status).toBe(200);
    expect((await proxy(request(withStray({ style })))).status).toBe(404);
    expect((await proxy(request(withStray({ chains: ["constructor"] })))).status).toBe(404);
    expect(indexer.received).toHaveLength(1);
  });
});

describe("a proxy sends", () => {
  it("the generated text and the variables that it declares", async () => {
    const answer = await ask(
      withStray({
        chains: [8453, "base"],
        variables: { first: 3 },
        heads: false,
      }),
    );
    expect(await answer.json()).toEqual({ data: { streams: [] } });
    expect(JSON.parse(indexer.received[0]?.body ?? "")).toEqual({
      query: RecentStreams.multichain,
      variables: { first: 3, chainIds: ["8453"] },
    });
  });
});
