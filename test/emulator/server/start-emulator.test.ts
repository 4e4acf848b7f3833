import { describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { EmulatorError } from "../../../src/base/errors.ts";
import { INTROSPECTION_QUERY } from "../../../src/dialects/introspection.ts";
import { CHAIN_COUNTS, PROTOCOL_DEPLOYMENTS } from "../../support/chain-counts.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";

describe("startEmulator", () => {
  it("serves every deployment; some subgraphs have no testing URL", async () => {
    const { endpoints, url, port } = await emulate();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const { subgraph, testing } = CHAIN_COUNTS;
    const count = (style: string, environment: string) =>
      endpoints.filter((one) => one.style === style && one.environment === environment).length;
    expect(new Set(endpoints.map(({ deployment }) => deployment)).size).toBe(2 * PROTOCOL_DEPLOYMENTS);
    expect([count("multichain", "production"), count("multichain", "testing")]).toEqual([2, 0]);
    expect([count("subgraph", "production"), count("subgraph", "testing")]).toEqual([
      2 * subgraph,
      2 * testing,
    ]);
    expect(new Set(endpoints.map((one) => one.url)).size).toBe(2 * (1 + subgraph + testing));
    expect(endpoints.every((one) => one.url.startsWith(`${url}/`))).toBe(true);
  });

  it("answers the health query at every subgraph URL", async () => {
    const { endpoints } = await emulate();
    const subgraphs = endpoints.filter(({ style }) => style === "subgraph");
    for (const { url } of subgraphs.filter((_, at) => IS_THOROUGH || at % 5 === 0)) {
      const response = await post(url, { query: HEALTH }, { authorization: "Bearer key" });
      expect(await response.json(), url).toEqual({
        data: { _meta: { block: { number: expect.any(Number) } } },
      });
    }
  });

  it("has the chain id of a subgraph in its watcher", async () => {
    const emulator = await emulate();
    const { url } = endpoint(emulator, "subgraph", "testing", "protocol-lockup-zksync");
    const response = await post(url, { query: "{ watchers { id chainId streamCounter } }" });
    expect(await response.json()).toEqual({
      data: { watchers: [{ id: "324", chainId: "324", streamCounter: "12" }] },
    });
  });

  it("returns the same bytes for the same seed, and different rows for another seed", async () => {
    const query = "{ streams(first: 20) { id asset { symbol } actions { id category amountA amountB } } }";
    const ask = async (seed: string, asked: string) => {
      const { url } = endpoint(await emulate({ seed }), "subgraph", "testing", "protocol-flow-base");
      return (await post(url, { query: asked })).text();
    };
    const first = await ask("one", query);
    expect(first.length).toBeGreaterThan(1000);
    expect(await ask("one", query)).toBe(first);
    expect(await ask("two", query)).not.toBe(first);
    expect(await ask("two", INTROSPECTION_QUERY)).toBe(await ask("one", INTROSPECTION_QUERY));
  });

  it("serves the same rows in both styles", async () => {
    const emulator = await emulate();
    const multichain = endpoint(emulator, "multichain", "production", "protocol-lockup-multichain");
    const subgraph = endpoint(emulator, "subgraph", "testing", "protocol-lockup-gnosis");
    const fields = "id alias depositAmount category canceled asset { symbol }";
    const a = await post(multichain.url, {
      query: `{ Stream(where: {chainId: {_eq: "100"}}, order_by: {subgraphId: asc}) { ${fields} } }`,
    });
    const b = await post(subgraph.url, { query: `{ streams(orderBy: subgraphId) { ${fields} } }` });
    const { Stream } = ((await a.json()) as { data: { Stream: unknown[] } }).data;
    expect(Stream).toHaveLength(12);
    expect(((await b.json()) as { data: { streams: unknown[] } }).data.streams).toEqual(Stream);
  });

  it("serves one schema for all subgraphs of a protocol, and another for the other protocol", async () => {
    const emulator = await emulate();
    const ask = async (name: string) => {
      const { url } = endpoint(emulator, "subgraph", "testing", name);
      return (await post(url, { query: INTROSPECTION_QUERY })).text();
    };
    const lockup = await ask("protocol-lockup-base");
    expect(await ask("protocol-lockup-sepolia")).toBe(lockup);
    expect(await ask("protocol-lockup-base")).toBe(lockup);
    expect(await ask("protocol-flow-base")).not.toBe(lockup);
  });

  it("does not answer a query with rows from the introspection cache", async () => {
    const emulator = await emulate();
    const url = (name: string) => endpoint(emulator, "subgraph", "testing", name).url;
    const query = "{ __schema { queryType { name } } watchers { chainId } }";
    const ask = async (name: string) => (await post(url(name), { query })).json();
    expect(await ask("protocol-lockup-base")).toHaveProperty("data.watchers.0.chainId", "8453");
    expect(await ask("protocol-lockup-sepolia")).toHaveProperty("data.watchers.0.chainId", "11155111");
  });

  it("counts the POST requests of each endpoint", async () => {
    const emulator = await emulate();
    const { url } = endpoint(emulator, "subgraph", "testing", "protocol-lockup-base");
    expect(emulator.requests()).toEqual([]);
    await post(url, { query: HEALTH });
    await post(url, "nope");
    await fetch(url);
    await post(`${emulator.url}/testing/nope`, { query: HEALTH });
    await post(endpoint(emulator, "multichain").url, { query: "{ __typename }" });
    expect(emulator.requests()).toEqual([
      { deployment: "protocol-lockup-multichain", environment: "production", count: 1 },
      { deployment: "protocol-lockup-base", environment: "testing", count: 2 },
    ]);
  });

  it("serves only the deployments in its options", async () => {
    const emulator = await emulate({
      deployments: [
        { name: "mine", protocol: "flow", style: "subgraph", chainIds: [7], environments: ["testing"] },
      ],
    });
    expect(emulator.endpoints.map(({ url }) => new URL(url).pathname)).toEqual(["/testing/mine"]);
    const response = await post(endpoint(emulator, "subgraph", "testing").url, {
      query: "{ watchers { id } }",
    });
    expect(await response.json()).toEqual({ data: { watchers: [{ id: "7" }] } });
  });

  it("refuses a body of more than 2 MB", async () => {
    const { url } = endpoint(await emulate(), "subgraph", "testing");
    const response = await post(url, { query: `# ${"x".repeat(2 * 1024 * 1024)}\n${HEALTH}` });
    expect(response.status).toBe(413);
    const almost = await post(url, { query: `# ${"x".repeat(1_900_000)}\n${HEALTH}` });
    expect(almost.status).toBe(200);
  });

  it("error: the port is in use", async () => {
    const { port } = await emulate();
    const second = startEmulator({ port });
    await expect(second).rejects.toThrow(EmulatorError);
    await expect(second).rejects.toMatchObject({ code: "EMULATOR_PORT_IN_USE" });
  });

  const headOf = async (emulator: Emulator, name: string) => {
    const { url } = endpoint(emulator, "subgraph", "testing", name);
    const answer = await (await post(url, { query: HEALTH })).json();
    return (answer as { data: { _meta: { block: { number: number } } } }).data._meta.block.number;
  };

  it("advance adds blocks to one chain or to all chains", async () => {
    const emulator = await emulate();
    const [base, gnosis] = [
      await headOf(emulator, "protocol-lockup-base"),
      await headOf(emulator, "protocol-lockup-gnosis"),
    ];
    emulator.advance(3);
    emulator.advance(4, 100);
    expect(await headOf(emulator, "protocol-lockup-base")).toBe(base + 3);
    expect(await headOf(emulator, "protocol-lockup-gnosis")).toBe(gnosis + 7);
    expect(() => emulator.advance(-1)).toThrow(RangeError);
  });

  it("adds blocks by the clock only if it is live", async () => {
    let time = 1_000_000;
    const emulator = await emulate({ live: true, now: () => time });
    const first = await headOf(emulator, "protocol-lockup-base");
    time += 60_000;
    // A chain has a block every 1, 2, 3, 5 or 12 seconds.
    expect([60, 30, 20, 12, 5]).toContain((await headOf(emulator, "protocol-lockup-base")) - first);
    const still = await emulate({ now: () => time });
    expect(await headOf(still, "protocol-lockup-base")).toBe(first);
    time += 60_000;
    expect(await headOf(still, "protocol-lockup-base")).toBe(first);
  });

  it.each([
    ["now", "2026-03-01T10:20:30.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
  ])("has heads as of %s in both styles, and rows before them", async (asOf, want) => {
    const emulator = await emulate({ asOf, now: () => Date.parse("2026-03-01T10:20:30.789Z") });
    const { url } = endpoint(emulator, "subgraph", "testing", "protocol-lockup-base");
    const query =
      "{ _meta { block { timestamp } } streams(first: 1, orderBy: timestamp, orderDirection: desc) { timestamp } }";
    const { data } = (await (await post(url, { query })).json()) as {
      readonly data: {
        readonly _meta: { readonly block: { readonly timestamp: number } };
        readonly streams: readonly { readonly timestamp: string }[];
      };
    };
    const head = Date.parse(want) / 1000;
    expect(data._meta.block.timestamp).toBe(head);
    const { timestamp = "" } = data.streams[0] ?? {};
    expect(Number(timestamp)).toBeLessThanOrEqual(head);
    expect(Number(timestamp)).toBeGreaterThan(head - 30 * 86_400);
    const multichain = endpoint(emulator, "multichain", "production", "protocol-lockup-multichain");
    const rows =
      "{ Stream(limit: 1, order_by: { timestamp: desc }, where: { chainId: { _eq: 8453 } }) { timestamp } }";
    expect(await (await post(multichain.url, { query: rows })).json()).toEqual({
      data: { Stream: [{ timestamp }] },
    });
  });

  it("keeps an idle connection for 65 seconds", async () => {
    const emulator = await emulate();
    const { headers } = await post(endpoint(emulator, "multichain").url, { query: "{ __typename }" });
    expect(headers.get("keep-alive")).toBe("timeout=65");
  });

  it("stops when it is closed; closing it twice is allowed", async () => {
    const emulator = await startEmulator();
    await emulator.close();
    await emulator[Symbol.asyncDispose]();
    await expect(fetch(emulator.url)).rejects.toThrow();
  });
});
