import { describe, expect, it } from "vitest";
import { pages, queryPages } from "../../generated/client.ts";
import { AllStreams } from "../../generated/lockup/portable.ts";
import { testServer } from "../support/test-server.ts";
import { clientAt, failureOf } from "./support.ts";

const HASHES = [`0x${"ab".repeat(32)}`, `0x${"cd".repeat(32)}`];

/** Starts a subgraph of two pages, whose second page fails with the errors first. */
async function subgraphWith(errors: readonly string[]) {
  const blocks: unknown[] = [];
  const left = [...errors];
  const { url } = await testServer(({ body }, response) => {
    const { variables } = JSON.parse(body);
    blocks.push(variables.block);
    const isSecond = Number(variables.after) > 0;
    const message = isSecond && variables.block ? left.shift() : undefined;
    const id = isSecond ? "2" : "1";
    const index = isSecond && !variables.block ? 1 : 0;
    const stream = { id, chainId: "8453", subgraphId: id };
    const _meta = {
      block: { number: 9 + index, hash: HASHES[index], timestamp: 900 },
      hasIndexingErrors: false,
    };
    response.end(
      JSON.stringify(message ? { errors: [{ message }] } : { data: { streams: [stream], _meta } }),
    );
  });
  const client = clientAt(url, { styles: ["subgraph"], retries: 1 });
  return { blocks, client };
}

const PRUNED = "Failed to decode: subgraph Qm only has data starting at block number 50";
const EARLY = [
  "Failed to decode `block.hash` value: `no block with that hash found`",
  "Failed to decode `block.number` value: `subgraph Qm has only indexed up to block number 1`",
];
const OPTIONS = { chain: "base", size: 1 } as const;

describe("a page of a pinned block", () => {
  it.each(EARLY)("is retried if a replica does not have the block yet: %s", async (message) => {
    const { client, blocks } = await subgraphWith([message]);
    const walk = pages(client, AllStreams as never, {}, OPTIONS);
    await walk.next();
    expect(await walk.next()).toMatchObject({ value: { index: 1 } });
    expect(blocks).toEqual([undefined, { hash: HASHES[0] }, { hash: HASHES[0] }]);
  });

  it("ends the walk of pages if the block is pruned", async () => {
    const { client, blocks } = await subgraphWith([PRUNED]);
    const walk = pages(client, AllStreams as never, {}, OPTIONS);
    await walk.next();
    expect(await failureOf(walk.next())).toMatchObject({ code: "pruned", cursor: "1" });
    expect(blocks).toHaveLength(2);
  });

  it("of queryPages moves to the latest block, and is marked, if its block is pruned", async () => {
    const { client, blocks } = await subgraphWith([PRUNED]);
    const { queryFn, initialPageParam, getNextPageParam } = queryPages(
      client,
      AllStreams as never,
      {},
      OPTIONS,
    );
    const { signal } = new AbortController();
    const first = await queryFn({ signal, pageParam: initialPageParam });
    expect(first.page).not.toHaveProperty("isRepinned");
    const pageParam = getNextPageParam(first) ?? initialPageParam;
    const second = await queryFn({ signal, pageParam });
    expect(second).toMatchObject({
      page: { isRepinned: true, head: { block: 10 } },
      next: { block: { hash: HASHES[1] } },
    });
    expect(blocks).toEqual([undefined, { hash: HASHES[0] }, undefined]);
  });
});
