import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploymentHash } from "../../../emulator/indexers/emulated-deployment.ts";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { HEALTH } from "../support.ts";
import { type RawRequest, send, sendJson } from "./send-raw.ts";

const NAME = "protocol-lockup-base";
const HASH = deploymentHash(NAME);
const QUERY = { query: "{ __typename }" };
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
    expect(headers).toEqual({
      location,
      "content-type": "text/plain; charset=utf-8",
      "access-control-allow-origin": "*",
    });
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
    const { status, text } = await send(`${emulator.url}/subgraphs/name/${NAME}?${search}`, {
      method: "GET",
    });
    expect([status, text]).toEqual([400, `{"error":"Can't use mutations with GET method"}`]);
  });

  it("describe the other routes at the root", async () => {
    const { status, headers, text } = await send(`${emulator.url}/`, { method: "GET" });
    expect(status).toBe(200);
    expect(headers).toEqual({ "content-type": "application/json", "access-control-allow-origin": "*" });
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

  it.each<[method: string, path: string, request: RawRequest]>([
    ["HEAD", `/testing/${NAME}`, {}],
    ["PUT", `/testing/${NAME}`, {}],
    ["DELETE", `/subgraphs/id/${HASH}`, {}],
    ["GET", "/subgraphs/network/a/b", {}],
    ["GET", `/subgraphs/id/${HASH}/`, {}],
    ["GET", `/subgraphs/id/${HASH}/graphql/more`, {}],
    ["POST", `/subgraphs/id/${HASH}/`, { headers: { "Content-Type": "application/json" }, body: "{}" }],
    ["POST", "/subgraphs/sql", { headers: { "Content-Type": "application/json" }, body: "{}" }],
    ["POST", "/", { headers: { "Content-Type": "application/json" }, body: "{}" }],
  ])("answer %s %s with Not found and status 200", async (method, path, request) => {
    const { status, headers, text } = await send(`${emulator.url}${path}`, { ...request, method });
    expect(status).toBe(200);
    expect(headers).toEqual({ "content-type": "application/json", "access-control-allow-origin": "*" });
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

describe("the version of the API", () => {
  it.each(["1", "1.0", "1.0.0", "^1", "^1.0.0", "~1", "~1.0", "", "other=2"])(
    "satisfies %j",
    async (requirement) => {
      const search = requirement.includes("=") ? requirement : requirement && `api-version=${requirement}`;
      const { status } = await sendJson(`${emulator.url}/testing/${NAME}?${search}`, QUERY);
      expect(status).toBe(200);
    },
  );

  it.each(["2.0.0", "0.0.1", "1.0.1", "^1.1", "~1.1", ">1", "one", "1.0.0.0"])(
    "does not satisfy %j",
    async (requirement) => {
      const url = `${emulator.url}/subgraphs/id/${HASH}?a=b&api-version=${requirement}`;
      const { status, text } = await sendJson(url, QUERY);
      expect([status, text]).toEqual([
        400,
        '{"error":"GraphQL server error (client error): Could not resolve the version"}',
      ]);
    },
  );
});

describe("names and hashes", () => {
  const CLIENT = "GraphQL server error (client error): ";

  it.each(["a", "org/name", "a-b_c/d1", "1a", "x…255", "graphql1"])("may be %s", async (short) => {
    const name = short.replace("x…255", "x".repeat(255));
    const { status, text } = await sendJson(`${emulator.url}/subgraphs/name/${name}`, { query: HEALTH });
    expect(status).toBe(200);
    expect(text).toBe(`{"errors":[{"message":"deployment \`${name}\` does not exist"}]}`);
  });

  it.each(["1", "a/2", "-a", "a-", "_a", "a/graphql", "graphql/a", "a.b", "a%20b", "x…256"])(
    "may not be %s",
    async (short) => {
      const name = short.replace("x…256", "x".repeat(256));
      const { status, text } = await sendJson(`${emulator.url}/subgraphs/name/${name}`, { query: HEALTH });
      expect([status, text]).toEqual([
        400,
        JSON.stringify({ error: `${CLIENT}Invalid subgraph name \`${name}\`` }),
      ]);
    },
  );

  it("may not be missing", async () => {
    const { status, text } = await sendJson(`${emulator.url}/subgraphs/name/`, { query: HEALTH });
    expect([status, text]).toEqual([400, JSON.stringify({ error: `${CLIENT}Invalid subgraph name \`\`` })]);
  });

  it("are looked up if they have the form of a hash", async () => {
    const { status, text } = await sendJson(`${emulator.url}/subgraphs/id/Qm_1`, { query: HEALTH });
    expect([status, text]).toEqual([200, '{"errors":[{"message":"deployment `Qm_1` does not exist"}]}']);
  });

  it("are looked up if they are empty", async () => {
    const { status, text } = await sendJson(`${emulator.url}/subgraphs/id/`, { query: HEALTH });
    expect([status, text]).toEqual([200, '{"errors":[{"message":"deployment `` does not exist"}]}']);
  });

  it.each(["Qm-1", "x".repeat(47)])("cannot be the hash %s", async (id) => {
    const { status, text } = await sendJson(`${emulator.url}/subgraphs/id/${id}`, { query: HEALTH });
    expect([status, text]).toEqual([
      400,
      JSON.stringify({ error: `${CLIENT}Invalid subgraph id \`${id}\`` }),
    ]);
  });
});
