import { describe, expect, it } from "vitest";
import {
  type ClientOptions,
  each,
  health,
  IndexerError,
  merged,
  type PortableOperation,
  run,
  type Settled,
} from "../../generated/client.ts";
import { ChainCounters } from "../../generated/lockup/portable.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";
import { closedUrl, testServer } from "../support/test-server.ts";
import { answerOf, CANARY, clientAt, failureOf } from "./support.ts";

retryAtOnce();

type Reply = readonly [status: number, body: string | object, headers?: Readonly<Record<string, string>>];

const ANSWER = { data: answerOf(8453) };
const said = (message: string, code?: string) => ({
  errors: [{ message, ...(code && { extensions: { code } }) }],
});

/** Starts a server with replies for each style, repeats the last, and records the requests. */
async function hostOf(replies: Partial<Record<"multichain" | "subgraph", readonly Reply[]>>) {
  const asked: string[] = [];
  const { url } = await testServer(({ path }, response) => {
    const style = path.endsWith("/multichain") ? "multichain" : "subgraph";
    const own = replies[style] ?? [[200, ANSWER]];
    const index = asked.filter((one) => one === style).length;
    asked.push(style);
    const [status, body, headers] = own[Math.min(index, own.length - 1)] ?? [200, ANSWER];
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return { url, asked };
}

function ask(url: string, options: ClientOptions = {}) {
  return run(clientAt(url, options), ChainCounters, {}, { chain: "base" });
}

/** A URL that is not requested. */
const UNUSED = "http://127.0.0.1:1";

const ONLY_SUBGRAPHS: ClientOptions = { styles: ["subgraph"], retries: 0 };

describe("the code of an error in a body", () => {
  it.each([
    [200, "rejected", "unavailable"],
    [400, "rejected", "rejected"],
    [422, "rejected", "rejected"],
    [500, "rejected", "unavailable"],
    [502, "rejected", "unavailable"],
    [401, "auth", "auth"],
    [404, "not-served", "not-served"],
    [429, "rate-limited", "rate-limited"],
  ])("with status %i is %s if its words refuse the query, and %s if they are unknown", async (...row) => {
    const [status, known, unknown] = row;
    for (const [words, code] of [
      ["Type `Query` has no field `streams`", known],
      ["connection pool is exhausted", unknown],
    ] as const) {
      const { url } = await hostOf({ subgraph: [[status, said(words)]] });
      expect((await failureOf(ask(url, ONLY_SUBGRAPHS))).code, words).toBe(code);
    }
  });
});

describe("the error of several styles", () => {
  it("is the outage if the last style has no URL or no key", async () => {
    const { url } = await hostOf({ multichain: [[503, ""]] });
    for (const missing of ["LOCKFLOW_SUBGRAPH_PRODUCTION_URL", "LOCKFLOW_SUBGRAPH_API_KEY"]) {
      const env: Record<string, string> = {
        LOCKFLOW_MULTICHAIN_URL: `${url}/{id}/multichain`,
        LOCKFLOW_LOCKUP_ID: "lockup",
        LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}`,
        LOCKFLOW_SUBGRAPH_API_KEY: "a-key",
      };
      delete env[missing];
      const error = await failureOf(ask("", { env, retries: 0 }));
      expect(error).toMatchObject({ code: "unavailable", status: 503, style: "multichain" });
      expect(error.message).toContain(missing);
      expect(error.tried.map(({ style }) => style)).toEqual(["multichain", "subgraph"]);
    }
  });

  it("keeps the Retry-After of a limited style if the other one is down", async () => {
    const limited: Reply = [429, "", { "retry-after": "60" }];
    for (const replies of [
      { multichain: [limited], subgraph: [[503, ""]] },
      { multichain: [[503, ""]], subgraph: [limited] },
    ] satisfies Parameters<typeof hostOf>[0][]) {
      const { url } = await hostOf(replies);
      const error = await failureOf(ask(url, { retries: 0 }));
      expect(error).toMatchObject({ style: "subgraph", retryAfter: 60 });
    }
  });

  it("has the Retry-After of its own response only, if a pause does not help there", async () => {
    const { url } = await hostOf({ multichain: [[429, "", { "retry-after": "60" }]], subgraph: [[400, ""]] });
    const error = await failureOf(ask(url, { retries: 0 }));
    expect(error).toMatchObject({ code: "rejected", style: "subgraph", retryAfter: null });
    expect(error.tried[0]?.error).toMatchObject({ code: "rate-limited", retryAfter: 60 });
  });
});

describe("the cause of an error", () => {
  it("is the platform's error if the connection is refused, and the message has its code", async () => {
    const error = await failureOf(ask(await closedUrl(), ONLY_SUBGRAPHS));
    expect(error).toMatchObject({ code: "network", cause: { cause: { code: "ECONNREFUSED" } } });
    expect(error.message).toBe("protocol-lockup-base: network, ECONNREFUSED");
  });

  it.each([
    ["DEPTH_ZERO_SELF_SIGNED_CERT", ", DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["ENOTFOUND", ", ENOTFOUND"],
    ["a sentence", ""],
    [5, ""],
    [undefined, ""],
  ])("has its code in the message if it is one: %o", async (code, shown) => {
    const cause = new TypeError("fetch failed", { cause: { code } });
    const error = await failureOf(ask(UNUSED, { ...ONLY_SUBGRAPHS, fetch: () => Promise.reject(cause) }));
    expect(error).toMatchObject({ code: "network", cause });
    expect(error.message).toBe(`protocol-lockup-base: network${shown}`);
  });

  it.each([
    ["headers", "auth"],
    ["fetch", "network"],
    ["endpoint", "not-served"],
  ] as const)("is the error that %s() threw", async (name, code) => {
    const cause = new Error("no session");
    const fail = () => {
      throw cause;
    };
    expect(await failureOf(ask(UNUSED, { ...ONLY_SUBGRAPHS, [name]: fail }))).toMatchObject({ code, cause });
  });

  it.each<[what: string, options: ClientOptions]>([
    ["the message", { fetch: () => Promise.reject(new Error(`${CANARY} was refused`)) }],
    ["a header", { headers: () => ({ "x-key": `${CANARY}\0` }) }],
  ])("is omitted if %s contains a key", async (_, options) => {
    expect((await failureOf(ask(UNUSED, { ...ONLY_SUBGRAPHS, ...options }))).cause).toBeUndefined();
  });
});

describe("an exception of the client's own code", () => {
  it("is thrown as it is, and not retried", async () => {
    const { url, asked } = await hostOf({});
    const bug = new TypeError("x is not a function");
    const reader = () => {
      throw bug;
    };
    const client = clientAt(url, ONLY_SUBGRAPHS);
    let count = 0;
    const now = () => {
      count++;
      throw bug;
    };
    await expect(ask(url, { styles: ["subgraph"], now })).rejects.toBe(bug);
    expect(count).toBe(1);
    const Broken = { ...ChainCounters, normalize: reader };
    await expect(run(client, Broken, {}, { chain: "base" })).rejects.toBe(bug);
    expect(asked).toHaveLength(1);
  });

  it("is not looked for in fetch, whose IndexerErrors keep their code", async () => {
    const injected = new IndexerError("rate-limited", "injected");
    let count = 0;
    const fetch = () => {
      count++;
      return Promise.reject(injected);
    };
    const error = await failureOf(ask(UNUSED, { ...ONLY_SUBGRAPHS, fetch }));
    expect([error.code, count]).toEqual(["rate-limited", 1]);
  });
});

describe("a status 404", () => {
  it.each([
    ["an HTML page", "<!doctype html><title>404</title>", "unavailable"],
    ["an empty body", "", "unavailable"],
    ["a router's text", "404 page not found", "unavailable"],
    ["a gateway's JSON", { message: "Not found" }, "not-served"],
    ["GraphQL errors", said("subgraph not found: x"), "not-served"],
  ])("with %s is %s", async (_, body, code) => {
    const { url } = await hostOf({ subgraph: [[404, body]] });
    const error = await failureOf(ask(url, ONLY_SUBGRAPHS));
    expect(error).toMatchObject({ code, status: 404 });
    if (code === "unavailable") expect(error.message).toContain("no GraphQL at this path, HTTP 404");
  });
});

describe("results", () => {
  it("survive JSON and structuredClone with the details of their errors", async () => {
    const { url } = await hostOf({ subgraph: [[429, "", { "retry-after": "60" }]], multichain: [[503, ""]] });
    const client = clientAt(url, { retries: 0 });
    const [failed] = await each(client, ChainCounters, {}, { chains: ["base"] });
    const [unwell] = await health(client, "lockup", { chains: ["base"] });
    const error = await failureOf(
      merged(client, ChainCounters as Mergeable, {}, { chains: ["base", "blast"] }),
    );
    for (const one of [failed, unwell]) {
      expect(JSON.parse(JSON.stringify(one))).toEqual(one);
      expect(structuredClone(one)).toStrictEqual(one);
      expect(isPlain(one)).toBe(true);
    }
    expect((failed as Settled<unknown, string> & { error: object }).error).toMatchObject({
      code: "rate-limited",
      status: 429,
      style: "subgraph",
      deployment: "protocol-lockup-base",
      message: expect.stringContaining("HTTP 503"),
      tried: [{ style: "multichain", error: { code: "unavailable", status: 503 } }, { style: "subgraph" }],
    });
    expect(isPlain(error.tried)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: error.code, message: error.message });
  });

  it("that list a failed style are plain, too", async () => {
    const { url } = await hostOf({ multichain: [[400, ""]] });
    const result = await ask(url);
    expect(result).toMatchObject({ style: "subgraph", tried: [{ error: { code: "rejected" } }] });
    expect(isPlain(result)).toBe(true);
  });
});

describe("IndexerError.is", () => {
  it("recognizes errors of another copy of the package", async () => {
    // Not `vi.resetModules`: later suites of this worker would get two copies of everything.
    const copy = "../../packages/client/src/client/indexer-error.ts?copy";
    const other: typeof import("../../packages/client/src/client/indexer-error.ts") = await import(copy);
    const error = new other.IndexerError("behind", "a");
    expect(error).not.toBeInstanceOf(IndexerError);
    expect(IndexerError.is(error)).toBe(true);
    expect(IndexerError.is(new IndexerError("behind", "a"))).toBe(true);
    for (const value of [null, undefined, 1, "a", {}, new Error("a"), error.toJSON()]) {
      expect(IndexerError.is(value)).toBe(false);
    }
  });
});

type Mergeable = PortableOperation<"lockup", { readonly watchers: readonly object[] }, object, "list">;

/** Whether a value contains only plain objects, lists and primitives. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  const proto: unknown = Object.getPrototypeOf(value);
  return (
    (Array.isArray(value) || proto === Object.prototype) &&
    Object.getOwnPropertySymbols(value).length === 0 &&
    Object.values(value).every(isPlain)
  );
}
