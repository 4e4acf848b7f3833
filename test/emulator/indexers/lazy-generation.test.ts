import { expect, it, vi } from "vitest";
import { buildChainRows } from "../../../emulator/dataset/rows/build-chain-rows.ts";
import { INTROSPECTION_QUERY } from "../../../src/dialects/introspection.ts";
import { emulate, endpoint, HEALTH, post } from "../support.ts";

// Counts the calls; the real function answers them.
vi.mock("../../../emulator/dataset/rows/build-chain-rows.ts", async (importOriginal) => {
  const original =
    await importOriginal<typeof import("../../../emulator/dataset/rows/build-chain-rows.ts")>();
  return { ...original, buildChainRows: vi.fn(original.buildChainRows) };
});

it("makes up the rows of a chain once, when a query of either style first reads them", async () => {
  const emulator = await emulate();
  const subgraph = endpoint(emulator, "subgraph", "testing", "protocol-lockup-base").url;
  const multichain = endpoint(emulator, "multichain", "production", "protocol-lockup-multichain").url;
  const built = () =>
    vi.mocked(buildChainRows).mock.calls.map(([{ protocol, chainId }]) => `${protocol} ${chainId}`);

  await post(subgraph, { query: HEALTH });
  await post(subgraph, { query: INTROSPECTION_QUERY });
  await post(multichain, { query: INTROSPECTION_QUERY });
  expect(built()).toEqual([]);

  await post(subgraph, { query: "{ watchers { id } streams { id } }" });
  await post(subgraph, { query: "{ actions { id } }" });
  expect(built()).toEqual(["lockup 8453"]);

  await post(multichain, { query: "{ Stream { id } Revenue { id } }" });
  await post(multichain, { query: "{ User { id } }" });
  expect(built()).toHaveLength(25);
  expect(new Set(built()).size).toBe(25);
});
