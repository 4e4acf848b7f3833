import { describe, expect, it } from "vitest";
import { startEmulator } from "../../../emulator/server/start-emulator.ts";
import { EmulatorError } from "../../../src/base/errors.ts";
import { INTROSPECTION_QUERY } from "../../../src/dialects/introspection.ts";
import { CHAIN_COUNTS, PROTOCOL_DEPLOYMENTS } from "../../support/chain-counts.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { headOf, read } from "../faults/support.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";

describe("startEmulator", () => {
  it("serves every deployment; some subgraphs have no testing URL", async () => {
    const { endpoints, url, port } = await emulate();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const { subgraph, testing } = CHAIN_COUNTS;
    const count = (style: string, environment: string) =>
      endpoints.filter((endpoint) => endpoint.style === style && endpoint.environment === environment).length;
    expect(new Set(endpoints.map(({ deployment }) => deployment)).size).toBe(2 * PROTOCOL_DEPLOYMENTS);
    expect([count("multichain", "production"), count("multichain", "testing")]).toEqual([2, 0]);
    const subgraphs = [count("subgraph", "production"), count("subgraph", "testing")];
    expect(subgraphs).toEqual([2 * subgraph, 2 * testing]);
    expect(new Set(endpoints.map((endpoint) => endpoint.url)).size).toBe(2 * (1 + subgraph + testing));
    expect(endpoints.every((endpoint) => endpoint.url.startsWith(`${url}/`))).toBe(true);
  });

  it("answers the health query at every subgraph URL", async () => {
    const { endpoints } = await emulate();
    const subgraphs = endpoints.filter(({ style }) => style === "subgraph");
    for (const { url } of subgraphs.filter((_, at) => IS_THOROUGH || at % 5 === 0)) {
      const response = await post(url, { query: HEALTH }, { authorization: "Bearer key" });
      expect(await response.text(), url).toMatch(/^\{"data":\{"_meta":\{"block":\{"number":\d+\}\}\}\}$/);
    }
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
    const fields = "id alias depositAmount category canceled asset { symbol }";
    const multichain = `{ rows: Stream(where: {chainId: {_eq: "100"}}, order_by: {subgraphId: asc}) { ${fields} } }`;
    const { rows } = await read<{ rows: unknown[] }>(emulator, "protocol-lockup-multichain", multichain);
    expect(rows).toHaveLength(12);
    const subgraph = `{ rows: streams(orderBy: subgraphId) { ${fields} } }`;
    expect(await read(emulator, "protocol-lockup-gnosis", subgraph)).toEqual({ rows });
  });

  it("serves one schema for all subgraphs of a protocol, and another for the other protocol", async () => {
    const emulator = await emulate();
    const schemaOf = async (name: string) => JSON.stringify(await read(emulator, name, INTROSPECTION_QUERY));
    const lockup = await schemaOf("protocol-lockup-base");
    expect(await schemaOf("protocol-lockup-sepolia")).toBe(lockup);
    expect(await schemaOf("protocol-lockup-base")).toBe(lockup);
    expect(await schemaOf("protocol-flow-base")).not.toBe(lockup);
  });

  it("does not answer a query with rows from the introspection cache", async () => {
    const emulator = await emulate();
    const query = "{ __schema { queryType { name } } watchers { chainId } }";
    const base = await read(emulator, "protocol-lockup-base", query);
    expect(base).toHaveProperty("watchers.0.chainId", "8453");
    const sepolia = await read(emulator, "protocol-lockup-sepolia", query);
    expect(sepolia).toHaveProperty("watchers.0.chainId", "11155111");
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
    expect(await read(emulator, "mine", "{ watchers { id } }")).toEqual({ watchers: [{ id: "7" }] });
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

  const BASE = "protocol-lockup-base";
  const GNOSIS = "protocol-lockup-gnosis";

  it("advance adds blocks to one chain or to all chains", async () => {
    const emulator = await emulate();
    const [base, gnosis] = [await headOf(emulator, BASE), await headOf(emulator, GNOSIS)];
    emulator.advance(3);
    emulator.advance(4, 100);
    expect(await headOf(emulator, BASE)).toBe(base + 3);
    expect(await headOf(emulator, GNOSIS)).toBe(gnosis + 7);
    expect(() => emulator.advance(-1)).toThrow(RangeError);
  });

  it("adds blocks by the clock only if it is live", async () => {
    let time = 1_000_000;
    const emulator = await emulate({ live: true, now: () => time });
    const first = await headOf(emulator, BASE);
    time += 60_000;
    // A chain has a block every 1, 2, 3, 5 or 12 seconds.
    expect([60, 30, 20, 12, 5]).toContain((await headOf(emulator, BASE)) - first);
    const still = await emulate({ now: () => time });
    expect(await headOf(still, BASE)).toBe(first);
    time += 60_000;
    expect(await headOf(still, BASE)).toBe(first);
  });

  it.each([
    ["now", "2026-03-01T10:20:30.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
  ])("has heads as of %s in both styles, and rows before them", async (asOf, want) => {
    const emulator = await emulate({ asOf, now: () => Date.parse("2026-03-01T10:20:30.789Z") });
    const head = Date.parse(want) / 1000;
    expect(await read(emulator, BASE, "{ _meta { block { timestamp } } }")).toEqual({
      _meta: { block: { timestamp: head } },
    });
    type Rows = { readonly rows: readonly { readonly timestamp: string }[] };
    const subgraph = "{ rows: streams(first: 1, orderBy: timestamp, orderDirection: desc) { timestamp } }";
    const { rows } = await read<Rows>(emulator, BASE, subgraph);
    expect(Number(rows[0]?.timestamp)).toBeLessThanOrEqual(head);
    expect(Number(rows[0]?.timestamp)).toBeGreaterThan(head - 30 * 86_400);
    const multichain =
      "{ rows: Stream(limit: 1, order_by: { timestamp: desc }, where: { chainId: { _eq: 8453 } }) { timestamp } }";
    expect(await read(emulator, "protocol-lockup-multichain", multichain)).toEqual({ rows });
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
