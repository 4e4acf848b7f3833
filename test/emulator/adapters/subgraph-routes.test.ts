import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploymentHash } from "../../../emulator/indexers/emulated-deployment.ts";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { HEALTH } from "../support.ts";
import { send, sendJson } from "./send-raw.ts";

const NAME = "protocol-lockup-base";
const HASH = deploymentHash(NAME);
const QUERY = { query: "{ __typename }" };
const OPEN = { "access-control-allow-origin": "*" };
const ANSWER = '{"data":{"__typename":"Query"}}';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 3 });
});
afterAll(() => emulator.close());

describe("the routes of a node", () => {
  it.each([
    ["its name", `/subgraphs/name/${NAME}`],
    ["its name with extra slashes", `/subgraphs/name//${NAME}/`],
    ["its hash", `/subgraphs/id/${HASH}`],
    ["its testing URL", `/testing/${NAME}`],
    ["its testing URL with a trailing slash", `/testing/${NAME}/`],
    ["a version of the API", `/testing/${NAME}?api-version=1.0.0`],
    ["the name of a deployment without a testing URL", "/subgraphs/name/protocol-lockup-form"],
  ])("answer a query by %s", async (_, path) => {
    const { status, text } = await sendJson(`${emulator.url}${path}`, QUERY);
    expect([status, text]).toEqual([200, ANSWER]);
  });

  it.each([
    ["a name", `/subgraphs/name/${NAME}`, `/subgraphs/name/${NAME}/graphql`],
    ["an unknown name", "/subgraphs/name/a/b", "/subgraphs/name/a/b/graphql"],
    ["a name with extra slashes", "/subgraphs/name//a//b/", "/subgraphs/name/a/b/graphql"],
    ["an empty name", "/subgraphs/name/", "/subgraphs/name/graphql"],
    ["a hash", `/subgraphs/id/${HASH}`, `/subgraphs/id/${HASH}/graphql`],
    ["an empty hash", "/subgraphs/id/", "/subgraphs/id/graphql"],
    ["a testing URL", `/testing/${NAME}`, `/testing/${NAME}/graphql`],
    ["a query in the URL", `/testing/${NAME}?query=%7B__typename%7D`, `/testing/${NAME}/graphql`],
    ["a mutation by hash", `/subgraphs/id/${HASH}?query=mutation`, `/subgraphs/id/${HASH}/graphql`],
  ])("redirect GET with %s to the page", async (_, path, location) => {
    const { status, headers, text } = await send(`${emulator.url}${path}`, { method: "GET" });
    expect(status).toBe(302);
    expect(headers).toEqual({ ...OPEN, location, "content-type": "text/plain; charset=utf-8" });
    expect(text).toBe("Redirecting...");
  });

  it.each([
    `/subgraphs/name/${NAME}/graphql`,
    `/subgraphs/id/${HASH}/graphql`,
    `/testing/${NAME}/graphql`,
    "/subgraphs/graphql",
  ])("serve the page at %s", async (path) => {
    const { status, headers, text } = await send(`${emulator.url}${path}`, { method: "GET" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toMatch(/^<!doctype html>/);
  });

  it.each(["mutation { a }", " \nMUTATION m { a }"])("refuse a mutation with GET: %j", async (query) => {
    const search = new URLSearchParams({ query });
    const url = `${emulator.url}/subgraphs/name/${NAME}?${search}`;
    const { status, text } = await send(url, { method: "GET" });
    expect([status, text]).toEqual([400, `{"error":"Can't use mutations with GET method"}`]);
  });

  it("describe the other routes at the root", async () => {
    const { status, headers, text } = await send(`${emulator.url}/`, { method: "GET" });
    expect(status).toBe(200);
    expect(headers).toEqual({ ...OPEN, "content-type": "application/json" });
    expect(text).toBe(
      '{"message":"Access deployed subgraphs by deployment ID at /subgraphs/id/<ID> or by name at /subgraphs/name/<NAME>"}',
    );
  });

  it.each([`/subgraphs/name/${NAME}`, `/subgraphs/id/${HASH}`, `/testing/${NAME}`])(
    "answer preflight requests at %s",
    async (path) => {
      const { status, headers, text } = await send(`${emulator.url}${path}`, { method: "OPTIONS" });
      expect([status, text]).toEqual([200, ""]);
      expect(headers).toEqual({
        "access-control-allow-origin": "*",
        "access-control-allow-headers": "Content-Type, User-Agent",
        "access-control-allow-methods": "GET, OPTIONS, POST",
        "content-type": "text/html; charset=utf-8",
      });
    },
  );

  it.each([
    ["HEAD", `/testing/${NAME}`],
    ["PUT", `/testing/${NAME}`],
    ["DELETE", `/subgraphs/id/${HASH}`],
    ["GET", "/subgraphs/network/a/b"],
    ["GET", `/subgraphs/id/${HASH}/`],
    ["GET", `/subgraphs/id/${HASH}/graphql/more`],
    ["POST", `/subgraphs/id/${HASH}/`],
    ["POST", "/subgraphs/sql"],
    ["POST", "/"],
  ])("answer %s %s with Not found and status 200", async (method, path) => {
    const request = method === "POST" ? { headers: { "Content-Type": "application/json" }, body: "{}" } : {};
    const { status, headers, text } = await send(`${emulator.url}${path}`, { ...request, method });
    expect(status).toBe(200);
    expect(headers).toEqual({ ...OPEN, "content-type": "application/json" });
    expect(text).toBe(method === "HEAD" ? "" : '{"message":"Not found"}');
  });
});

describe("a node as the only indexer", () => {
  it("answers every path", async () => {
    await using alone = await startEmulator({
      streams: 3,
      deployments: [
        { name: "mine", protocol: "flow", style: "subgraph", chainIds: [1], environments: ["testing"] },
      ],
    });
    const { status, text } = await send(`${alone.url}/nowhere`, { method: "GET" });
    expect([status, text]).toEqual([200, '{"message":"Not found"}']);
  });
});

const refused = (words: string) => JSON.stringify({ error: `GraphQL server error (client error): ${words}` });

describe("the version of the API", () => {
  it.each(["1", "1.0", "1.0.0", "^1", "^1.0.0", "~1", "~1.0"])("satisfies %j", async (requirement) => {
    const answer = await sendJson(`${emulator.url}/testing/${NAME}?api-version=${requirement}`, QUERY);
    expect(answer.status).toBe(200);
  });

  it.each(["", "other=2"])("may be missing: %j", async (search) => {
    const answer = await sendJson(`${emulator.url}/testing/${NAME}?${search}`, QUERY);
    expect(answer.status).toBe(200);
  });

  it.each(["2.0.0", "0.0.1", "1.0.1", "^1.1", "~1.1", ">1", "one", "1.0.0.0"])(
    "does not satisfy %j",
    async (requirement) => {
      const url = `${emulator.url}/subgraphs/id/${HASH}?a=b&api-version=${requirement}`;
      const { status, text } = await sendJson(url, QUERY);
      expect([status, text]).toEqual([400, refused("Could not resolve the version")]);
    },
  );
});

describe("names and hashes", () => {
  const get = (path: string) => sendJson(`${emulator.url}/subgraphs/${path}`, { query: HEALTH });
  const unknown = (name: string) =>
    JSON.stringify({ errors: [{ message: `deployment \`${name}\` does not exist` }] });

  it.each(["a", "org/name", "a-b_c/d1", "1a", "graphql1", "x".repeat(255)])(
    "may be the name %s",
    async (name) => {
      const { status, text } = await get(`name/${name}`);
      expect([status, text]).toEqual([200, unknown(name)]);
    },
  );

  it.each(["", "1", "a/2", "-a", "a-", "_a", "a/graphql", "graphql/a", "a.b", "a%20b", "x".repeat(256)])(
    "may not be the name %j",
    async (name) => {
      const { status, text } = await get(`name/${name}`);
      expect([status, text]).toEqual([400, refused(`Invalid subgraph name \`${name}\``)]);
    },
  );

  it.each(["Qm_1", ""])("may be the hash %j", async (id) => {
    const { status, text } = await get(`id/${id}`);
    expect([status, text]).toEqual([200, unknown(id)]);
  });

  it.each(["Qm-1", "x".repeat(47)])("may not be the hash %s", async (id) => {
    const { status, text } = await get(`id/${id}`);
    expect([status, text]).toEqual([400, refused(`Invalid subgraph id \`${id}\``)]);
  });
});
