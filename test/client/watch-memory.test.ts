import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { watch } from "../../generated/client.ts";
import { startWorld, Walk } from "./world.ts";

const ROWS = 100_000;
const HEAD = 1000;

it.each([
  ["without confirmations", {}],
  ["at past blocks of a subgraph", { confirmations: 12 }],
  ["of a chain without past blocks", { confirmations: 12, style: "multichain" as const }],
])("watch needs no more memory after 100,000 rows than after 10,000: %s", async (_, options) => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const world = await startWorld(["base"]);
  let head = HEAD;
  world.interfere = ({ chain, variables, isHealth }) => {
    const { after = "0", first = 1000, block } = variables as Variables;
    const streams = Array.from({ length: Math.min(first, ROWS - Number(after)) }, (_, index) => {
      const subgraphId = String(Number(after) + index + 1);
      return { id: `0xab-8453-${subgraphId}`, chainId: "8453", subgraphId, timestamp: "1" };
    });
    const heads = chain
      ? {
          _meta: {
            block: { number: block?.number ?? head, hash: null, timestamp: null },
            hasIndexingErrors: false,
          },
        }
      : { lockflow: [{ chain_id: 8453, latest_processed_block: head, block_height: head }] };
    // New blocks confirm the rows that a chain without past blocks has shown.
    head += 1;
    return { data: { ...(!isHealth && { streams }), ...heads } };
  };
  const heaps: number[] = [];
  let rows = 0;
  const given = { chains: ["base"], interval: 1, ...options } as const;
  for await (const batch of watch(world.client(), Walk, {}, given)) {
    rows += batch.rows.length;
    world.requests.length = 0;
    if (rows === ROWS / 10 || rows === ROWS) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      heaps.push(process.memoryUsage().heapUsed);
    }
    if (rows >= ROWS) break;
  }
  const [early = 0, late = 0] = heaps;
  expect(heaps).toHaveLength(2);
  // The rows themselves take more than 10 MB.
  expect(late - early).toBeLessThan(2_000_000);
});

type Variables = {
  readonly after?: string;
  readonly first?: number;
  readonly block?: { readonly number?: number };
};
