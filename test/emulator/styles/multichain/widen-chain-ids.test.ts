import { describe, expect, it } from "vitest";
import { startEmulator } from "../../../../emulator/server/start-emulator.ts";
import { createClient, health, merged, run } from "../../../../generated/client.ts";
import { RecentStreams } from "../../../../generated/lockup/portable.ts";
import { deploymentsOf } from "../../../client/support.ts";

const FAR = 3_000_000_000;

/** Starts an indexer of two known chains, and of one whose id has more than 32 bits. */
function start(release: string) {
  const [deployment] = deploymentsOf({ base: 8453, mainnet: 1, far: FAR });
  return startEmulator({ deployments: deployment ? [{ ...deployment, release }] : [] });
}

describe("an indexer with a chain id of more than 32 bits", () => {
  it("sends the ids of all chains as text, and has such types", async () => {
    await using emulator = await start("envio-3.8");
    const query = `{
      chain_metadata(order_by: { chain_id: asc }) { chain_id latest_processed_block }
      _meta(where: { chainId: { _in: [${FAR}] } }) { chainId }
      __type(name: "chain_metadata") { fields { name type { name } } }
    }`;
    const body = JSON.stringify({ query });
    const response = await fetch(emulator.endpoints[0]?.url ?? "", { method: "POST", body });
    const block = expect.any(Number);
    expect(await response.json()).toEqual({
      data: {
        chain_metadata: ["1", "8453", String(FAR)].map((chain_id) => ({
          chain_id,
          latest_processed_block: block,
        })),
        _meta: [{ chainId: String(FAR) }],
        __type: {
          fields: expect.arrayContaining([
            { name: "chain_id", type: { name: "bigint" } },
            { name: "block_height", type: { name: "Int" } },
          ]),
        },
      },
    });
  });

  it("is queried by the client for its other chains", async () => {
    await using emulator = await start("envio-3.8");
    const client = createClient({ env: emulator.env(), styles: ["multichain"], retries: 0 });
    const { head } = await run(client, RecentStreams, { first: 1 }, { chain: "base" });
    expect(head?.block).toBeGreaterThan(0);
    expect((await merged(client, RecentStreams, {}, { chains: ["base", "ethereum"] })).failed).toEqual([]);
    const [state] = await health(client, "lockup", { chains: ["base"] });
    expect(state).toMatchObject({ status: "ok", data: { chainHead: expect.any(Number) } });
  });
});
