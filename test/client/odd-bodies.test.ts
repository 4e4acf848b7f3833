import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type ClientOptions, each, run } from "../../generated/client.ts";
import { ChainCounters, StreamsBySender } from "../../generated/lockup/portable.ts";
import { testServer } from "../support/test-server.ts";
import { answerOf, clientAt, failureOf } from "./support.ts";

const IDS = { base: 8453, ethereum: 1 } as const;

/** Starts a multichain indexer whose answers to a batch a function decides. */
async function listServer(answerList: (answers: readonly object[]) => readonly object[]) {
  let lists = 0;
  const { url, received } = await testServer(({ body }, response) => {
    const question = JSON.parse(body);
    const answer = ({ query }: { query: string }) => ({
      data: answerOf(query.includes("_in: [1]") ? IDS.ethereum : IDS.base),
    });
    if (Array.isArray(question)) lists++;
    const answered = Array.isArray(question) ? answerList(question.map(answer)) : answer(question);
    response.end(JSON.stringify(answered));
  });
  return { url, received, lists: () => lists };
}

describe("a list of answers", () => {
  it.each([
    ["in another order", (answers: readonly object[]) => [...answers].reverse(), 3],
    ["that is shorter", (answers: readonly object[]) => answers.slice(1), 3],
    ["that is longer", (answers: readonly object[]) => [...answers, ...answers], 3],
    ["in the requested order", (answers: readonly object[]) => answers, 1],
  ] as const)("%s does not mix up the rows of chains", async (_, answerList, requests) => {
    const { url, received } = await listServer(answerList);
    const client = clientAt(url, { styles: ["multichain"], batch: true, retries: 0 });
    const results = await each(client, ChainCounters, {}, { chains: ["base", "ethereum"] });
    expect(
      results.map((one) => (one.status === "ok" ? [one.chain, one.data.watchers[0]?.chainId] : one)),
    ).toEqual([
      ["base", "8453"],
      ["ethereum", "1"],
    ]);
    expect(received).toHaveLength(requests);
  });
});

async function failAt(answer: (response: ServerResponse) => void, options: ClientOptions = {}) {
  const { url } = await testServer((_, response) => answer(response));
  const client = clientAt(url, { styles: ["subgraph"], retries: 0, ...options });
  return failureOf(run(client, ChainCounters, {}, { chain: "base" }));
}

describe("a body", () => {
  it("that never ends is a timeout, and its connection is closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let closed = false;
    const error = await failAt(
      (response) => {
        response.on("close", () => {
          closed = true;
        });
        response.write('{"data":{');
      },
      {
        timeout: 100,
        // The time passes after the status has arrived, however slow the machine is.
        fetch: async (...request) => {
          const response = await fetch(...request);
          setImmediate(() => vi.advanceTimersByTime(100));
          return response;
        },
      },
    );
    expect(error).toMatchObject({ code: "timeout", status: 200 });
    await expect.poll(() => closed).toBe(true);
  });

  it("that is not UTF-8 is unavailable", async () => {
    const body = Buffer.from(JSON.stringify({ data: answerOf(8453) }).replace("8453", "\xff"), "latin1");
    expect(await failAt((response) => response.end(body))).toMatchObject({
      code: "unavailable",
      status: 200,
    });
  });

  it("that ends early is a network error with its cause", async () => {
    const error = await failAt((response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    });
    expect(error.code).toBe("network");
    expect(error.cause).toBeInstanceOf(Error);
  });
});

describe("variables of plain JavaScript", () => {
  it.each<[what: string, variables: unknown, message: RegExp]>([
    ["of another type", { sender: 7 }, /sender/],
    ["that are objects", { sender: { toString: () => "0xab" } }, /sender/],
    ["that are functions", { sender: () => "0xab" }, /sender/],
    ["that are missing", {}, /sender/],
    ["with a misspelt name", { sender: "0xab", frist: 5 }, /frist/],
    ["out of range", { sender: "0xab", first: 1001 }, /first/],
    ["that are not a number", { sender: "0xab", first: Number.NaN }, /first/],
  ])("%s are rejected before any request", async (_, variables, message) => {
    const { url, received } = await testServer((_, response) => response.end("{}"));
    const asked = run(clientAt(url), StreamsBySender, variables as never, { chain: "base" });
    expect(await failureOf(asked)).toMatchObject({
      code: "invalid-variables",
      message: expect.stringMatching(message),
    });
    expect(received).toEqual([]);
  });
});

describe("an operation in another format", () => {
  it.each([
    ["of a newer version", { ...StreamsBySender, format: 2 }],
    ["of an older version", { ...StreamsBySender, format: undefined }],
  ])("%s is rejected before any request", async (_, operation) => {
    const { url, received } = await testServer((_, response) => response.end("{}"));
    const asked = run(clientAt(url), operation as never, { sender: "0xab" }, { chain: "base" });
    expect(await failureOf(asked)).toMatchObject({
      code: "rejected",
      message: expect.stringMatching(/StreamsBySender.*lockflow generate/),
    });
    expect(received).toEqual([]);
  });
});

describe("an endpoint() that throws", () => {
  it("is the cause of the error, and the other style still answers", async () => {
    const thrown = new Error("no such tenant");
    const { url } = await testServer((_, response) =>
      response.end(JSON.stringify({ data: answerOf(IDS.base) })),
    );
    const { endpoint } = clientAt(url);
    const client = clientAt(url, {
      endpoint: (request) => {
        if (request.style === "multichain") throw thrown;
        return endpoint(request);
      },
    });
    const { style, tried } = await run(client, ChainCounters, {}, { chain: "base" });
    expect(style).toBe("subgraph");
    expect(tried).toMatchObject([
      { style: "multichain", error: { code: "not-served", message: "no such tenant" } },
    ]);
    const asked = run(client, ChainCounters, {}, { chain: "base", style: "multichain" });
    expect(await failureOf(asked)).toMatchObject({ code: "not-served", cause: thrown });
  });
});
