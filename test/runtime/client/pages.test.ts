import { describe, expect, it } from "vitest";
import { AllStreams } from "../../../generated/lockup/portable.ts";
import { pages } from "../../../packages/client/src/calls/pages.ts";
import { queryPages } from "../../../packages/client/src/calls/query.ts";
import type { PageOptions } from "../../../packages/client/src/calls/read-page.ts";
import type { ClientOptions } from "../../../packages/client/src/client/client-types.ts";
import { clientOf, rejection, withEmulator } from "./support.ts";

const emulator = withEmulator();
const client = (options: ClientOptions = {}) => clientOf({ env: emulator().env(), retries: 0, ...options });

/** Walks through all pages, and returns the cursors of their rows. */
async function walk(options: Partial<PageOptions>, own: ClientOptions, operation: object = AllStreams) {
  const all = pages(client(own), operation as typeof AllStreams, {}, { chain: "base", ...options });
  const cursors: string[] = [];
  for await (const { rows } of all) cursors.push(...rows.map(({ subgraphId }) => subgraphId));
  return cursors;
}

describe("pages", () => {
  it("of an operation as it was published have no block", async () => {
    const bodies: unknown[] = [];
    const record: ClientOptions["fetch"] = (url, init) => {
      bodies.push(JSON.parse(String(init?.body)).variables);
      return fetch(url, init);
    };
    const own = { freshness: false, fetch: record };
    expect(await walk({ size: 10, style: "subgraph" }, own)).toHaveLength(30);
    expect(bodies).toEqual([
      { first: 10 },
      { first: 10, after: "10" },
      { first: 10, after: "20" },
      { first: 10, after: "30" },
    ]);
  });

  it.each([null, {}, "a", [null], [[]]])("fail if the list is %j", async (streams) => {
    // Rows of it cannot be merged, as they have no id.
    const { list: _, ...operation } = AllStreams;
    const text = JSON.stringify({
      data: { streams, lockflow: [{ chain_id: 8453, latest_processed_block: 1 }] },
    });
    const walked = walk({ style: "multichain" }, { fetch: async () => new Response(text) }, operation);
    expect(await rejection(walked)).toMatchObject({ code: "unavailable", cursor: null });
  });

  it("fail if a host returns null as the cursor", async () => {
    const streams = [{ subgraphId: null, chainId: "8453", asset: {}, id: "a", timestamp: "1" }];
    const lockflow = [{ chain_id: 8453, latest_processed_block: 1, block_height: 1 }];
    const fetch = async () => Response.json({ data: { streams, lockflow } });
    const walked = walk({ style: "multichain" }, { fetch });
    expect(await rejection(walked)).toMatchObject({ code: "inconsistent", cursor: null });
  });

  it("have a key for their size, cursor and style", () => {
    const { queryKey } = queryPages(client(), AllStreams, {}, { chain: 8453, size: 12, style: "subgraph" });
    expect(queryKey).toEqual([
      ...["lockflow", "lockup", "AllStreams", "8453", {}, { environment: "production", style: "subgraph" }],
      ...["pages", "12", null, null, AllStreams.digest],
    ]);
  });
});
