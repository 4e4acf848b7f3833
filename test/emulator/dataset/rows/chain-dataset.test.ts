import { describe, expect, it } from "vitest";
import { chainPace } from "../../../../emulator/dataset/rows/chain-clock.ts";
import { chainDataset, chainOfValue } from "../../../../emulator/dataset/rows/chain-dataset.ts";
import type { RowStore } from "../../../../emulator/styles/read-view.ts";
import type { Protocol } from "../../../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../../../src/project/protocols.ts";
import { CHAINS, SEED } from "./simulation.ts";

const IMMUTABLE = ["Asset", "Action", "Batch", "Segment", "Tranche", "RevenueTransaction", "UserTransaction"];
const ENTITIES = [...IMMUTABLE, "Watcher", "Stream", "Batcher", "Revenue", "User"];

function content(protocol: Protocol = "lockup", chainId = 10, streams: number | null = 40, seed = SEED) {
  return chainDataset({ seed, protocol, chainId, streams });
}

function dump(store: RowStore): Record<string, unknown> {
  return Object.fromEntries(ENTITIES.map((entity) => [entity, store.rows(entity)]));
}

describe("the blocks of a chain", () => {
  const chain = content();

  it("include at least 300 blocks before the first head", () => {
    expect(chain.firstHead - chain.earliestBlock).toBeGreaterThanOrEqual(300);
    expect(chain.earliestBlock).toBeGreaterThan(chain.startBlock);
  });

  it.each([0, 1, 17, 100_000])("are linked by hash, %i blocks after the first readable block", (after) => {
    const block = chain.blockAt(chain.earliestBlock + after);
    const before = chain.blockAt(block.number - 1);
    expect(block.hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(block.parentHash).toBe(before.hash);
    expect(block.timestamp).toBeGreaterThan(before.timestamp);
    expect(chain.findBlock(block.hash)).toEqual(block);
    expect(content().blockAt(block.number)).toEqual(block);
    expect(content("lockup", 11).blockAt(block.number).hash).not.toBe(block.hash);
    expect(content("lockup", 10, 40, "another").blockAt(block.number).hash).not.toBe(block.hash);
  });

  it("are the same for both protocols", () => {
    expect(content("flow").blockAt(chain.firstHead)).toEqual(chain.blockAt(chain.firstHead));
  });

  it.each([
    ["of a block before the first readable one", chain.blockAt(chain.earliestBlock - 1).hash],
    ["of another chain", content("lockup", 11).blockAt(chain.firstHead).hash],
    ["of zeros", `0x${"0".repeat(64)}`],
    ["that is truncated", chain.blockAt(chain.firstHead).hash.slice(0, 40)],
    ["in upper case", chain.blockAt(chain.firstHead).hash.toUpperCase()],
    ["that is empty", ""],
  ])("are not found by a hash %s", (_, hash) => {
    expect(chain.findBlock(hash)).toBeUndefined();
  });
});

describe.each(BUILT_IN_PROTOCOLS)("the history of %s", (protocol) => {
  it("does not depend on the order of reads", () => {
    const there = content(protocol);
    const back = content(protocol);
    const blocks = [0, 1, 60, 499, 500, 501, 800].map((after) => there.earliestBlock + after);
    const forward = blocks.map((block) => dump(there.storeAt(block)));
    const backward = blocks.toReversed().map((block) => dump(back.storeAt(block)));
    expect(backward.toReversed()).toEqual(forward);
  });

  it("depends on the seed, the chain and the protocol", () => {
    const hashes = [
      content(protocol),
      content(protocol, 11),
      content(protocol, 10, 40, "another"),
      content(protocol === "flow" ? "lockup" : "flow"),
    ].map((chain) => chain.storeAt(chain.firstHead).rows("Action").at(-1)?.["hash"]);
    expect(new Set(hashes).size).toBe(4);
  });

  it("returns the same store between writes, which happen every few blocks", () => {
    const chain = content(protocol);
    const stores = new Set<RowStore>();
    for (let block = chain.earliestBlock; block <= chain.firstHead; block++) stores.add(chain.storeAt(block));
    const blocks = chain.firstHead - chain.earliestBlock;
    expect(stores.size).toBeGreaterThan(blocks / 8);
    expect(stores.size).toBeLessThan(blocks / 2);
  });

  it.each(CHAINS)("has every category of actions after the first head on chain %i", (chainId) => {
    const chain = content(protocol, chainId, null);
    const actions = (block: number) => chain.storeAt(block).rows("Action");
    const categories = (from: number, to: number) => {
      const earlier = new Set(actions(from));
      return new Set(
        actions(to)
          .filter((action) => !earlier.has(action))
          .map(({ category }) => category),
      );
    };
    const past = categories(chain.earliestBlock, chain.firstHead);
    const common = protocol === "flow" ? ["Deposit", "Adjust"] : [];
    for (const category of ["Create", "Withdraw", "Transfer", ...common]) expect(past).toContain(category);
    const all = new Set(actions(chain.earliestBlock).map(({ category }) => category));
    expect(categories(chain.firstHead, chain.firstHead + 4000)).toEqual(all);
  });

  it("changes rows at their writtenAt block, and rows of immutable entities never", () => {
    const chain = content(protocol);
    let before = chain.storeAt(chain.earliestBlock);
    for (let block = chain.earliestBlock + 1; block <= chain.firstHead + 200; block++) {
      const now = chain.storeAt(block);
      if (now === before) continue;
      for (const entity of ENTITIES) {
        expect(now.rows(entity).length).toBeGreaterThanOrEqual(before.rows(entity).length);
        for (const row of now.rows(entity)) {
          const id = String(row["id"]);
          const old = before.find(entity, id);
          if (old === row) continue;
          expect(now.writtenAt(entity, id), `${entity} ${id}`).toBe(block);
          expect(row, "a row that is written differs").not.toEqual(old);
          if (IMMUTABLE.includes(entity)) expect(old, `${entity} ${id}`).toBeUndefined();
        }
      }
      before = now;
    }
  });

  it("has the last write of each row before the first readable block", () => {
    const chain = content(protocol, 10, null);
    const store = chain.storeAt(chain.earliestBlock);
    const blockOf = new Map<unknown, number>();
    const actions = store.rows("Action");
    expect(actions.map(({ id }) => store.writtenAt("Action", String(id)))).toEqual(
      actions.map(({ block }) => Number(block)),
    );
    for (const { stream, category, block } of actions) {
      if (!String(category).startsWith("Approval")) blockOf.set(stream, Number(block));
    }
    const streams = store.rows("Stream");
    expect(streams.map(({ id }) => store.writtenAt("Stream", String(id)))).toEqual(
      streams.map(({ id }) => blockOf.get(id)),
    );
    const written = ENTITIES.flatMap((entity) =>
      store.rows(entity).map(({ id }) => Number(store.writtenAt(entity, String(id)))),
    );
    expect(Math.min(...written)).toBeGreaterThanOrEqual(chain.startBlock);
    expect(Math.max(...written)).toBeLessThanOrEqual(chain.earliestBlock);
    expect(store.writtenAt("Watcher", "10")).toBe(Number(store.rows("Action").at(-1)?.["block"]));
  });

  it.each([0, 1, 2, 25, 1000])("has %i streams at the first head if that many are configured", (streams) => {
    const chain = content(protocol, 10, streams);
    const store = chain.storeAt(chain.firstHead);
    expect(store.rows("Stream")).toHaveLength(streams);
    expect(store.find("Watcher", "10")?.["streamCounter"]).toBe(String(streams));
    expect(chain.storeAt(chain.earliestBlock).rows("Stream").length).toBeLessThanOrEqual(streams);
  });
});

describe("chainPace", () => {
  const pace = chainPace("a test", 1000);

  it("returns the same blocks from lastUntil and between", () => {
    const blocks = Array.from({ length: 400 }, (_, index) => 1001 + index);
    const singly = blocks.filter((block) => pace.lastUntil(block) === block);
    expect(pace.between(1000, 1400)).toEqual(singly);
    expect([...pace.between(1000, 1173), ...pace.between(1173, 1400)]).toEqual(singly);
    expect(singly).toHaveLength(100);
    for (const block of blocks) {
      expect(pace.lastUntil(block)).toBe(singly.findLast((event) => event <= block) ?? 1000);
    }
  });

  it.each([0, 999, 1000])("starts from its first block: %i", (block) => {
    expect(pace.lastUntil(block)).toBe(1000);
    expect(pace.between(0, block)).toEqual([]);
  });
});

describe("chainOfValue", () => {
  const chain = content("lockup", 10, 200);
  const store = chain.storeAt(chain.firstHead);

  it("returns the chain of every id, alias and reference", () => {
    const chains = new Set<string | null>();
    for (const entity of ENTITIES) {
      for (const row of store.rows(entity)) {
        chains.add(chainOfValue(entity, "id", row["id"] ?? null));
        for (const [field, value] of Object.entries(row))
          chains.add(chainOfValue(entity, field, value) ?? "10");
      }
    }
    expect([...chains]).toEqual(["10"]);
    expect(chainOfValue("Stream", "alias", "LL3-10-7")).toBe("10");
    expect(chainOfValue("Action", "stream", `0x${"a".repeat(40)}-56-7`)).toBe("56");
  });

  it.each([
    ["Revenue", "date", "2025-08-10"],
    ["Asset", "name", "Wrapped-10-BTC"],
    ["Stream", "hash", `0x${"a".repeat(64)}`],
    ["Stream", "canceledAction", null],
    ["Stream", "id", "nonsense"],
  ])("returns null for %s.%s %s", (entity, field, value) => {
    expect(chainOfValue(entity, field, value)).toBeNull();
  });

  it("prevents lookups of other chains' ids", () => {
    expect(store.find("Stream", `0x${"a".repeat(40)}-56-7`)).toBeUndefined();
    expect(store.matching("Stream", "chainId", "56")).toEqual([]);
    expect(store.matching("Stream", "chainId", "10")).toHaveLength(200);
  });
});
