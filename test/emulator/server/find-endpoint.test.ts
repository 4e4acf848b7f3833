import { describe, expect, it } from "vitest";
import { createClient, each, run } from "../../../generated/client.ts";
import { RecentStreams } from "../../../generated/lockup/portable.ts";
import { emulate } from "../support.ts";

describe("endpoint of an emulator", () => {
  it.each([
    [{}, {}],
    [{ environment: "testing" }, {}],
    [{}, { apiKeys: ["a-key"], multichainKeys: ["another"] }],
  ] as const)("connects a client with %o to an emulator with %o", async (options, served) => {
    const emulator = await emulate({ streams: 5, ...served });
    const client = createClient({ ...options, endpoint: emulator.endpoint, env: {} });
    for (const style of ["multichain", "subgraph"] as const) {
      const { data } = await run(client, RecentStreams, { first: 3 }, { chain: "ethereum", style });
      expect(data.streams).toHaveLength(3);
    }
    const results = await each(client, RecentStreams, {}, { chains: ["base", "ethereum", "optimism"] });
    expect(results.filter(({ status }) => status === "failed")).toEqual([]);
  });

  it("returns null if the emulator does not serve the deployment", async () => {
    const { endpoint } = await emulate({ deployments: ["protocol-lockup-base"] });
    const lockup = { protocol: "lockup", style: "subgraph" } as const;
    expect(endpoint({ ...lockup, chain: 8453 })).toMatchObject({
      deployment: "protocol-lockup-base",
      chains: ["base"],
    });
    expect(endpoint({ ...lockup, chain: "ethereum" })).toBeNull();
    expect(endpoint({ ...lockup, chain: "form", environment: "testing" })).toBeNull();
    expect(endpoint({ ...lockup, protocol: "flow", chain: "base" })).toBeNull();
    expect(endpoint({ ...lockup, style: "multichain" })).toBeNull();
  });
});
