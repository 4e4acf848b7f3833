import { afterAll, describe, expect, it, vi } from "vitest";
import * as chainRows from "../../../emulator/dataset/rows/build-chain-rows.ts";
import { unionRowStore } from "../../../emulator/dataset/rows/create-store-versions.ts";
import { createProtocolDatasets } from "../../../emulator/indexers/protocol-dataset.ts";
import { INTROSPECTION_QUERY } from "../../../src/dialects/introspection.ts";
import { BUILT_IN_PROTOCOLS } from "../../../src/project/protocols.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";

// Counts the calls of the real function.
const buildChainRows = vi.spyOn(chainRows, "buildChainRows");
afterAll(() => buildChainRows.mockRestore());

const CHAINS = [1, 10, 56];

function builtBy(action: () => void): number[] {
  buildChainRows.mockClear();
  action();
  return buildChainRows.mock.calls.map(([{ chainId }]) => chainId);
}

const ROWS = { seed: "a test", streams: 12, asOf: null };

describe("createProtocolDatasets", () => {
  it.each(BUILT_IN_PROTOCOLS)("shares the chains between both styles of %s", (protocol) => {
    const datasets = createProtocolDatasets(ROWS);
    for (const chainId of CHAINS) {
      expect(datasets(protocol, "multichain").chain(chainId)).toBe(
        datasets(protocol, "subgraph").chain(chainId),
      );
    }
    expect(datasets("lockup", "subgraph").chain(1)).not.toBe(datasets("flow", "subgraph").chain(1));
  });

  it("builds only the rows that are read", () => {
    const dataset = createProtocolDatasets(ROWS)("lockup", "multichain");
    const chains = CHAINS.map(dataset.chain);
    let all = unionRowStore([]);
    const asked = (action: () => unknown) => builtBy(() => void action());
    expect(
      asked(() => {
        all = unionRowStore(chains.map((chain) => chain.storeAt(chain.firstHead + 10)));
        return chains.map((chain) => chain.findBlock(chain.blockAt(chain.firstHead).hash));
      }),
    ).toEqual([]);
    expect(asked(() => all.rows("Asset"))).toEqual([]);
    expect(asked(() => all.find("Asset", String(all.rows("Asset")[0]?.["id"])))).toEqual([]);
    expect(asked(() => all.find("Watcher", "10"))).toEqual([10]);
    expect(asked(() => all.matching("Stream", "chainId", "56"))).toEqual([56]);
    expect(asked(() => all.find("Action", "action-5-0x00-1"))).toEqual([]);
    expect(asked(() => all.rows("Stream"))).toEqual([1]);
    expect(all.rows("Watcher").map((watcher) => watcher["id"])).toEqual(["1", "10", "56"]);
  });
});

it("builds the rows of a chain once, when a query of either style first reads them", async () => {
  // Emulators of one seed share their rows, those of other suites too.
  const emulator = await emulate({ seed: "rows built once", streams: 1 });
  buildChainRows.mockClear();
  const subgraph = endpoint(emulator, "subgraph", "testing", "protocol-lockup-base").url;
  const multichain = endpoint(emulator, "multichain", "production", "protocol-lockup-multichain").url;
  const built = () => buildChainRows.mock.calls.map(([{ protocol, chainId }]) => `${protocol} ${chainId}`);

  await post(subgraph, { query: HEALTH });
  await post(subgraph, { query: INTROSPECTION_QUERY });
  await post(multichain, { query: INTROSPECTION_QUERY });
  expect(built()).toEqual([]);

  await post(subgraph, { query: "{ watchers { id } streams { id } }" });
  await post(subgraph, { query: "{ actions { id } }" });
  expect(built()).toEqual(["lockup 8453"]);

  await post(multichain, { query: "{ Stream { id } Revenue { id } }" });
  await post(multichain, { query: "{ User { id } }" });
  expect(built()).toHaveLength(CHAIN_COUNTS.multichain);
  expect(new Set(built()).size).toBe(CHAIN_COUNTS.multichain);
});
