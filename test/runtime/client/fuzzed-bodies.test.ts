import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AllStreams, ChainCounters, StreamById } from "../../../generated/lockup/portable.ts";
import { each } from "../../../packages/client/src/calls/each.ts";
import { health } from "../../../packages/client/src/calls/health.ts";
import { merged } from "../../../packages/client/src/calls/merged.ts";
import { pages } from "../../../packages/client/src/calls/pages.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { Client } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError, type PlainError } from "../../../packages/client/src/client/indexer-error.ts";
import { runs } from "../../support/runs.ts";
import { clientOf } from "./support.ts";

const ENV = {
  LOCKFLOW_MULTICHAIN_URL: "https://indexer.test/{id}/v1/graphql",
  LOCKFLOW_LOCKUP_ID: "lockup",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.test/{deployment}",
  LOCKFLOW_SUBGRAPH_API_KEY: "key",
};

const STREAM = {
  id: "a",
  subgraphId: "7",
  chainId: "8453",
  timestamp: "1",
  asset: { id: "b" },
  batch: { id: "c" },
};
const DATA = {
  streams: [STREAM, { ...STREAM, id: "b", subgraphId: "8" }],
  watchers: [{ id: "8453", chainId: "8453" }],
  stream: STREAM,
  lockflow: [{ chain_id: 8453, latest_processed_block: 9, block_height: 9 }],
  _meta: { block: { number: 9, hash: "0x12", timestamp: 1 }, hasIndexingErrors: false },
};

/** Replacements for a part of an answer. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, "", "7", "x".repeat(50), 0, -1, 1e21, true, [], {}, [null], [[]], [{}]),
  fc.constantFrom<unknown>({ __proto__: null, length: 1 }, { toString: 1 }, { message: {} }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** An answer with one part replaced or missing, sometimes truncated. */
const bodies = fc
  .tuple(
    fc.array(fc.nat(), { maxLength: 5 }),
    junk,
    fc.constantFrom("data", "errors", "data"),
    fc.boolean(),
    fc.nat(9),
  )
  .map(([path, value, root, isLeftOut, cut]) => {
    const body: Record<string, unknown> = structuredClone({ data: DATA });
    const steps = [root, ...path];
    let node: Record<string, unknown> = body;
    for (const [index, step] of steps.entries()) {
      const keys = Object.keys(node);
      const key = typeof step === "string" ? step : (keys[step % Math.max(1, keys.length)] ?? "more");
      const next = node[key];
      if (index < steps.length - 1 && Object(next) === next) node = next as Record<string, unknown>;
      else {
        if (isLeftOut) delete node[key];
        else node[key] = value;
        break;
      }
    }
    const text = JSON.stringify(body);
    return cut === 0 ? text.slice(0, path.length * 20) : text;
  });

const ASK: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  run: async (client) => {
    const { data } = await run(client, StreamById, { id: "a" }, { chain: "base" });
    expect(data.stream === null || (Object(data.stream) === data.stream && !Array.isArray(data.stream))).toBe(
      true,
    );
  },
  each: async (client) => {
    for (const result of await each(client, AllStreams, {}, { chains: ["base"] })) {
      if (result.status === "failed") throw result.error;
      expect(result.data.streams.every((row) => Object(row) === row)).toBe(true);
    }
  },
  merged: async (client) => {
    const { rows, results, failed } = await merged(client, ChainCounters, {}, { chains: ["base", "blast"] });
    expect(rows.every((row) => Object(row) === row)).toBe(true);
    expect(failed.length === 0).toBe(results.every(({ status }) => status === "ok"));
    for (const result of results) if (result.status === "failed") throw result.error;
  },
  pages: async (client) => {
    let count = 0;
    // A host that repeats one page has to be detected.
    for await (const page of pages(client, AllStreams, {}, { chain: "base", size: 2 })) {
      expect(page.rows.length).toBeGreaterThan(0);
      expect(++count).toBeLessThan(3);
    }
  },
  health: async (client) => {
    for (const result of await health(client, "lockup", { chains: ["base"] })) {
      if (result.status === "failed") throw result.error;
      expect(Number.isFinite(result.data.head.block)).toBe(true);
    }
  },
};

describe.each(Object.keys(ASK))("%s", (name) => {
  it.each(["multichain", "subgraph"] as const)(
    "returns a valid answer, or throws with a known code, in %s style",
    async (style) => {
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          const client = clientOf({
            env: ENV,
            styles: [style],
            retries: 0,
            fetch: async () => new Response(body),
          });
          try {
            await ASK[name]?.(client);
          } catch (error) {
            if (error instanceof Error && !(error instanceof IndexerError)) throw error;
            expect([
              "unavailable",
              "rejected",
              "wrong-chain",
              "inconsistent",
              "not-served",
              "behind",
            ]).toContain((error as PlainError).code);
          }
        }),
        { numRuns: runs(8, 3000) },
      );
    },
  );
});
