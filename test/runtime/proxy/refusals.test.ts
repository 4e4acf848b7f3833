import { Agent, type IncomingMessage, request } from "node:http";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { AllStreams, Assets, RecentStreams } from "../../../generated/lockup/portable.ts";
import { createProxy } from "../../../generated/proxy.ts";
import { runs } from "../../support/runs.ts";
import { type TestServer, testServer } from "../../support/test-server.ts";
import { serveProxy } from "./serve-proxy.ts";

/** A valid call. */
const GOOD = {
  call: "run",
  protocol: "lockup",
  operation: "RecentStreams",
  digest: RecentStreams.digest,
  variables: { first: 3 },
  options: { chain: "base", style: "subgraph" },
};

const PAGES = { ...GOOD, call: "pages", operation: "AllStreams", digest: AllStreams.digest };

let indexer: TestServer;
let env: Record<string, string>;
beforeEach(async () => {
  const _meta = { block: { number: 5, hash: null, timestamp: null } };
  indexer = await testServer((_, response) => response.end(JSON.stringify({ data: { streams: [], _meta } })));
  env = {
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
const withOptions = (options: object, call: object = GOOD) => JSON.stringify({ ...call, options });
const onBase = (options: object) => withOptions({ chain: "base", ...options });
const ofCall = (call: string, options: object) => withOptions(options, { ...GOOD, call });
const pagesOf = (options: object) => withOptions({ chain: "base", ...options }, PAGES);

/** A position of another call: its digest, call and variables. */
const nextOf = (of: string) => JSON.stringify({ of, place: { index: 1, after: "5" } });

const REFUSED: readonly (readonly [name: string, body: string, message: RegExp])[] = [
  ["an empty body", "", /JSON object/],
  ["text that is not JSON", "{", /JSON object/],
  ["a list, as a batch is", "[]", /JSON object/],
  ["null", "null", /JSON object/],
  ["another query", '{"query":"{ streams { id } }"}', /"query"/],
  ["a query beside an operation", withStray({ query: "{ streams { id } }" }), /"query"/],
  ["a URL", withStray({ url: "http://127.0.0.1/" }), /"url"/],
  ["an inherited key", `{"__proto__":{"a":1},${withStray({}).slice(1)}`, /"__proto__"/],
  ["the request of a former page", '{"protocol":"lockup","style":"subgraph"}', /reload the page/],
  ["a digest of other texts", withStray({ digest: "00000000" }), /reload the page/],
  ["no digest", withStray({ digest: undefined }), /reload the page/],
  ["no call", withStray({ call: undefined }), /Unknown call/],
  ["an unknown call", withStray({ call: "drop" }), /Unknown call "drop"/],
  ["an inherited name as a call", withStray({ call: "constructor" }), /Unknown call/],
  ["a call that is an object", withStray({ call: {} }), /Unknown call/],
  ["an unknown protocol", withStray({ protocol: "moon" }), /Unknown protocol "moon"/],
  ["an inherited name as a protocol", withStray({ protocol: "__proto__" }), /Unknown protocol/],
  ["no operation", withStray({ operation: undefined }), /Unknown operation/],
  ["an operation that is a list", withStray({ operation: ["RecentStreams"] }), /Unknown operation/],
  ["an unknown operation", withStray({ operation: "DropTable" }), /Unknown operation "DropTable"/],
  ["an operation of one style", withStray({ operation: "Health" }), /Unknown operation/],
  ["an inherited name as an operation", withStray({ operation: "constructor" }), /Unknown operation/],
  ["a table beside the operations", withStray({ operation: "streamFilter" }), /Unknown operation/],
  ["another protocol's operation", withStray({ protocol: "flow", operation: "X" }), /Unknown operation/],
  ["health of an operation", ofCall("health", { chains: "all" }), /no operation/],
  ["an undeclared variable", withStray({ variables: { query: "{ a }" } }), /"query"/],
  ["an inherited name as a variable", withStray({ variables: JSON.parse('{"__proto__":1}') }), /__proto__/],
  ["the chains as a variable", withStray({ variables: { chainIds: ["1"] } }), /"chainIds"/],
  ["variables that are a list", withStray({ variables: [] }), /"variables"/],
  ["variables that are null", withStray({ variables: null }), /"variables"/],
  ["a variable out of range", withStray({ variables: { first: 1001 } }), /^first must be/],
  ["a variable of another type", withStray({ variables: { first: [5] } }), /^first must be/],
  ["a long variable", withStray({ variables: { first: "x".repeat(60_000) } }), /^first must be/],
  ["options that are a list", withOptions([]), /"options"/],
  ["an unknown option", onBase({ timeout: 5 }), /Unknown option "timeout" of run/],
  ["an inherited name as an option", withOptions(JSON.parse('{"__proto__":1}')), /Unknown option/],
  ["an option of another call", onBase({ size: 5 }), /Unknown option "size" of run/],
  ["a chain that is an object", withOptions({ chain: {} }), /options.chain must be/],
  ["a style that is unknown", onBase({ style: "moon" }), /style must be/],
  ["a style that is a number", onBase({ style: 5 }), /options.style/],
  ["a block that is a number", onBase({ block: 5 }), /options.block/],
  ["a number and a hash", onBase({ block: { number: 5, hash: `0x${"a".repeat(64)}` } }), /options.block/],
  ["a block with a short hash", onBase({ block: { hash: "0x12" } }), /options.block/],
  ["a block below 0", onBase({ block: { number: -1 } }), /options.block/],
  ["a block that is not a number", onBase({ minBlock: "x" }), /options.minBlock/],
  ["a block of an unknown chain", onBase({ minBlock: { moon: 5 } }), /keyed by chain/],
  ["a lag that is text", onBase({ maxLag: "5" }), /options.maxLag/],
  ["a lag below 0", onBase({ maxLag: -5 }), /options.maxLag/],
  ["a deadline below 0", onBase({ deadline: -5 }), /options.deadline/],
  ["no chains", ofCall("each", {}), /each needs chains/],
  ["chains that are text", ofCall("merged", { chains: "base" }), /options.chains/],
  ["10,000 chains", ofCall("each", { chains: Array(10_000).fill(1) }), /list of at most \d\d keys/],
  ["a chain 1,000 times", ofCall("merged", { chains: Array(1000).fill("base") }), /at most \d\d keys/],
  ["a chain and chains", pagesOf({ chains: "all" }), /either chain or chains/],
  ["a cursor that is a number", pagesOf({ after: 5 }), /options.after/],
  ["no pages", pagesOf({ count: 0 }), /options.count/],
  ["a cursor and a position", pagesOf({ after: "5", next: "{}" }), /not both/],
  ["a truncated position", pagesOf({ next: nextOf("").slice(0, -9) }), /options.next is not valid/],
  ["a position of 64 KB", pagesOf({ next: "x".repeat(60_000) }), /options.next is not valid/],
  ["a position that is a list", pagesOf({ next: "[]" }), /options.next is not valid/],
  ["a position without a cursor", pagesOf({ next: "{}" }), /options.next is not valid/],
  ["a position in an unknown style", pagesOf({ next: '{"index":1,"after":"5","style":"x"}' }), /not valid/],
  ["a position of another call", pagesOf({ next: nextOf(`${AllStreams.digest} watch 0`) }), /another call/],
  ["a position of another operation", pagesOf({ next: nextOf("00000000 pages 0") }), /another call/],
];

describe("a proxy rejects, without a request to an indexer,", () => {
  it.each(REFUSED)("%s", async (_, body, message) => {
    const answer = await ask(body);
    const error = await errorOf(answer);
    expect({ status: answer.status, message: error.message }).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
    expect(error.code).toMatch(/^(rejected|invalid-variables)$/);
    expect(error.message.length).toBeLessThan(500);
    expect([answer.headers.get("cache-control"), indexer.received]).toEqual(["no-store", []]);
  });

  it.each(["moon", 123456789, "toString", "__proto__", "morph"])("the chain %s", async (chain) => {
    const answer = await ask(withOptions({ chain, style: "subgraph" }));
    expect([answer.status, (await errorOf(answer)).code]).toEqual([404, "not-served"]);
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
    expect((await ask(withStray({}).padEnd(65_536))).status).toBe(200);
    expect(indexer.received).toHaveLength(1);
    const answer = await ask(withStray({}).padEnd(65_537));
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
    const answer = await ask(
      `{"variables":{"first":${where}},${withStray({ variables: undefined }).slice(1)}`,
    );
    expect(answer.status).toBe(400);
    expect(indexer.received).toEqual([]);
  });

  it("any other invalid body, with a JSON error", async () => {
    const member = fc.constantFrom(...Object.keys(GOOD), "query", "__proto__");
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
        expect(Object.keys(JSON.parse(text))).toEqual([answer.status === 200 ? "result" : "error"]);
        const sent = indexer.received.slice(before);
        expect(sent).toHaveLength(answer.status === 200 ? 1 : 0);
        for (const { body: asked } of sent) {
          const { query } = JSON.parse(asked);
          expect(query.replace(/\n {2}_meta.*/, "")).toBe(RecentStreams.subgraph);
        }
      }),
      { numRuns: runs(10, 600) },
    );
  });

  it("operations that are not allowed", async () => {
    const proxy = createProxy({ env, operations: [RecentStreams] });
    const request = (operation: { readonly name: string; readonly digest?: string }) =>
      new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8" },
        body: withStray({ operation: operation.name, digest: operation.digest, variables: {} }),
      });
    expect((await proxy(request(RecentStreams))).status).toBe(200);
    expect((await proxy(request(Assets))).status).toBe(400);
  });
});

describe("a proxy serves a well-formed position that a page has made up", () => {
  it("of one chain, and of several", async () => {
    const one = await ask(pagesOf({ style: "subgraph", next: '{"index":9,"after":"5"}' }));
    expect([one.status, await one.json()]).toEqual([
      200,
      { end: true, pages: 0, rows: 0, cursor: "5", complete: true },
    ]);
    const place = { index: 1, after: "5", style: "subgraph" };
    const next = JSON.stringify({ index: 1, chains: { base: place, moon: { ...place, isEnded: true } } });
    const several = await ask(withOptions({ chains: ["base"], next }, PAGES));
    expect([several.status, await several.text()]).toEqual([200, expect.stringContaining('"end":true')]);
    expect(indexer.received).toHaveLength(2);
  });

  it("of one chain many times, which is requested once", async () => {
    const feed = { chain: "base", after: "5", marks: [] };
    const next = JSON.stringify({ feeds: Array(200).fill(feed) });
    const answer = await ask(withOptions({ chains: ["base"], next }, { ...PAGES, call: "watch" }));
    expect(await answer.json()).toMatchObject({ result: { chains: ["base"], batches: [], failed: [] } });
    expect(indexer.received).toHaveLength(1);
  });
});
