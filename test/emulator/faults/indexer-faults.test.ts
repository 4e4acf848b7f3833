import { describe, expect, it } from "vitest";
import type { Fault } from "../../../emulator/faults/fault.ts";
import type { Emulator } from "../../../emulator/server/start-emulator.ts";
import { INTROSPECTION_QUERY } from "../../../src/dialects/introspection.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { emulate, post } from "../support.ts";
import { ask, headOf, read, urlOf } from "./support.ts";

const BASE = "protocol-lockup-base";
const GNOSIS = "protocol-lockup-gnosis";
const MULTICHAIN = "protocol-lockup-multichain";

const IDENTITY = "{ watchers { chainId } _meta { deployment block { number hash } } }";

const WATCHERS = "{ watchers { chainId } }";
const watcher = (chainId: string) => ({ watchers: [{ chainId }] });

/** Returns the progress and chain head of each chain of the multichain deployment. */
async function progressOf(emulator: Emulator): Promise<Map<number, readonly [number, number]>> {
  const query = "{ chain_metadata { chain_id latest_processed_block block_height } }";
  const { chain_metadata } = await read<{ chain_metadata: Record<string, number>[] }>(
    emulator,
    MULTICHAIN,
    query,
  );
  return new Map(
    chain_metadata.map(({ chain_id = 0, latest_processed_block = 0, block_height = 0 }) => [
      chain_id,
      [latest_processed_block, block_height],
    ]),
  );
}

describe("the wrong chain", () => {
  it("has the rows and the identity of the other deployment", async () => {
    const emulator = await emulate();
    const rows = "{ streams(first: 5) { id chainId } }";
    const [identity, streams] = [await ask(emulator, GNOSIS, IDENTITY), await ask(emulator, GNOSIS, rows)];
    expect(await ask(emulator, BASE, IDENTITY)).not.toEqual(identity);
    await emulator.fault({ kind: "wrong-chain", chain: "gnosis", deployment: BASE });
    expect(await ask(emulator, BASE, IDENTITY)).toEqual(identity);
    expect(await ask(emulator, BASE, rows)).toEqual(streams);
    expect(await read(emulator, "protocol-flow-base", WATCHERS)).toEqual(watcher("8453"));
  });

  it("may be a chain without a served subgraph", async () => {
    const emulator = await emulate({ faults: [{ kind: "wrong-chain", chain: "morph", deployment: BASE }] });
    expect(await read(emulator, BASE, WATCHERS)).toEqual(watcher("2818"));
  });
});

describe("a missing chain", () => {
  it("is missing from a multichain deployment", async () => {
    const emulator = await emulate({ faults: [{ kind: "missing-chain", chain: "base" }] });
    const query = '{ Watcher { chainId } Stream(where: { chainId: { _eq: "8453" } }) { id } }';
    type Rows = { readonly Watcher: readonly object[]; readonly Stream: readonly object[] };
    const { Watcher, Stream } = await read<Rows>(emulator, MULTICHAIN, query);
    expect(Watcher).toHaveLength(CHAIN_COUNTS.multichain - 1);
    expect(Watcher).not.toContainEqual({ chainId: "8453" });
    expect(Stream).toEqual([]);
    expect((await progressOf(emulator)).has(8453)).toBe(false);
    // A subgraph has only one chain, so it is unaffected.
    expect(await read(emulator, BASE, WATCHERS)).toEqual(watcher("8453"));
  });
});

describe("the wrong protocol", () => {
  it("has the schema, the rows and the identity of the other deployment", async () => {
    const emulator = await emulate({ faults: [{ kind: "wrong-protocol", protocol: "lockup" }] });
    for (const [name, other] of [
      [BASE, "protocol-flow-base"],
      [MULTICHAIN, "protocol-flow-multichain"],
    ] as const) {
      const schema = await ask(emulator, other, INTROSPECTION_QUERY);
      expect(await ask(emulator, name, INTROSPECTION_QUERY)).toEqual(schema);
    }
    expect(await ask(emulator, BASE, IDENTITY)).toEqual(await ask(emulator, "protocol-flow-base", IDENTITY));
  });
});

describe("a head", () => {
  it("is stuck at the block at which the fault was set", async () => {
    const emulator = await emulate();
    const first = await headOf(emulator, BASE);
    emulator.advance(10);
    const fault = await emulator.fault({ kind: "stuck-head", deployment: "base" });
    emulator.advance(5);
    expect(await headOf(emulator, BASE)).toBe(first + 10);
    expect(await headOf(emulator, "protocol-flow-base")).toBe(first + 10);
    expect((await progressOf(emulator)).get(8453)).toEqual([first + 15, first + 15]);
    fault.lift();
    expect(await headOf(emulator, BASE)).toBe(first + 15);
  });

  it("is stuck for one chain of a multichain deployment, whose block_height still advances", async () => {
    const emulator = await emulate({ faults: [{ kind: "stuck-head", style: "multichain", chain: "base" }] });
    const before = await progressOf(emulator);
    emulator.advance(7);
    const after = await progressOf(emulator);
    const [head = 0] = before.get(8453) ?? [];
    const [other = 0] = before.get(100) ?? [];
    expect(after.get(8453)).toEqual([head, head + 7]);
    expect(after.get(100)).toEqual([other + 7, other + 7]);
    expect(await headOf(emulator, BASE)).toBe(head + 7);
  });

  it("lags behind the chain by the configured blocks, and advances with it", async () => {
    const emulator = await emulate();
    const first = await headOf(emulator, BASE);
    await emulator.fault({ kind: "lagging-head", blocks: 5000, deployment: "base" });
    await emulator.fault({ kind: "lagging-head", blocks: 40, style: "multichain", chain: "8453" });
    expect(await headOf(emulator, BASE)).toBe(first - 5000);
    expect((await progressOf(emulator)).get(8453)).toEqual([first - 40, first]);
    emulator.advance(3);
    expect(await headOf(emulator, BASE)).toBe(first - 4997);
    expect((await progressOf(emulator)).get(8453)).toEqual([first - 37, first + 3]);
  });

  it("lags for the named chain only, also after a fault for another chain", async () => {
    const emulator = await emulate();
    const before = await progressOf(emulator);
    for (const chainId of [8453, 100]) {
      const scope = { style: "multichain", chain: String(chainId) } as const;
      using _ = await emulator.fault({ kind: "lagging-head", blocks: 40, ...scope });
      const moved = [...(await progressOf(emulator))].filter(([id, [head]]) => head !== before.get(id)?.[0]);
      expect(moved.map(([id]) => id)).toEqual([chainId]);
    }
  });

  it("that lags has the rows of its block", async () => {
    const emulator = await emulate();
    const first = await headOf(emulator, BASE);
    const query = "{ actions(first: 1000) { id block } }";
    const past = await ask(emulator, BASE, query);
    emulator.advance(200);
    expect(await ask(emulator, BASE, query)).not.toEqual(past);
    await emulator.fault({ kind: "lagging-head", blocks: 200, deployment: "base" });
    expect(await headOf(emulator, BASE)).toBe(first);
    expect(await ask(emulator, BASE, query)).toEqual(past);
    const ahead = `{ actions(block: { number: ${first + 1} }) { id } }`;
    const refusal = JSON.stringify(await ask(emulator, BASE, ahead));
    expect(refusal).toContain(`only indexed up to block number ${first}`);
  });

  it("that lags is never before the first block", async () => {
    const emulator = await emulate({ faults: [{ kind: "lagging-head", blocks: Number.MAX_SAFE_INTEGER }] });
    expect(await headOf(emulator, BASE)).toBeGreaterThan(0);
    expect(await read(emulator, BASE, WATCHERS)).toEqual(watcher("8453"));
  });
});

describe("an indexing error", () => {
  const META = "{ _meta { hasIndexingErrors block { number } } }";

  it("keeps the data of _meta, and replaces the data of entities with an error", async () => {
    const emulator = await emulate({ faults: [{ kind: "indexing-error", deployment: "base" }] });
    const errors = [{ message: "indexing_error" }];
    expect(await read(emulator, BASE, META)).toMatchObject({ _meta: { hasIndexingErrors: true } });
    expect(await ask(emulator, BASE, "{ watchers { id } }")).toEqual({ errors });
    const allowed = await ask(emulator, BASE, "{ watchers(subgraphError: allow) { chainId } }");
    expect(allowed).toEqual({ data: watcher("8453"), errors });
    expect(await read(emulator, GNOSIS, META)).toMatchObject({ _meta: { hasIndexingErrors: false } });
  });

  it("is in the introspection answer of the failed subgraph only", async () => {
    const emulator = await emulate();
    const healthy = (await ask(emulator, GNOSIS, INTROSPECTION_QUERY)) as object;
    await emulator.fault({ kind: "indexing-error", deployment: BASE });
    const failed = { ...healthy, errors: [{ message: "indexing_error" }] };
    expect(await ask(emulator, BASE, INTROSPECTION_QUERY)).toEqual(failed);
    expect(await ask(emulator, GNOSIS, INTROSPECTION_QUERY)).toEqual(healthy);
    emulator.clearFaults();
    expect(await ask(emulator, BASE, INTROSPECTION_QUERY)).toEqual(healthy);
  });

  it("with a block stops the head at that block", async () => {
    const emulator = await emulate();
    const first = await headOf(emulator, BASE);
    await emulator.fault({ kind: "indexing-error", block: first + 5 });
    expect(await read(emulator, BASE, META)).toMatchObject({ _meta: { hasIndexingErrors: false } });
    emulator.advance(20);
    expect(await read(emulator, BASE, META)).toEqual({
      _meta: { hasIndexingErrors: true, block: { number: first + 5 } },
    });
    expect((await progressOf(emulator)).get(8453)).toEqual([first + 5, first + 20]);
  });
});

describe("a release", () => {
  const HAS_LOGS = '{ __type(name: "LogLevel") { name } }';
  const yes = { data: { __type: { name: "LogLevel" } } };
  const no = { data: { __type: null } };

  it.each([
    ["graph-node-0.44", yes],
    ["0.44", yes],
    ["graph-node-0.43", no],
  ])("%s", async (release, want) => {
    const emulator = await emulate({ faults: [{ kind: "release", release }] });
    expect(await ask(emulator, BASE, HAS_LOGS)).toEqual(want);
  });

  it("of the multichain platform applies to its deployments only", async () => {
    const emulator = await emulate({ faults: [{ kind: "release", release: "envio-3.8" }] });
    const meta = await read(emulator, MULTICHAIN, "{ _meta(limit: 1) { ecosystem } }");
    expect(meta).toEqual({ _meta: [{ ecosystem: "evm" }] });
    expect(await ask(emulator, BASE, HAS_LOGS)).toEqual(no);
  });

  it("flapping answers every second request with the other release", async () => {
    const emulator = await emulate({
      faults: [{ kind: "flapping", first: "graph-node-0.44", second: "graph-node-0.40", deployment: "base" }],
    });
    const answers: unknown[] = [];
    for (let number = 0; number < 4; number++) answers.push(await ask(emulator, BASE, HAS_LOGS));
    expect(answers).toEqual([yes, no, yes, no]);
    expect(await ask(emulator, GNOSIS, HAS_LOGS)).toEqual(no);
  });
});

describe("a fault that changes an indexer", () => {
  it("can be limited to the next request", async () => {
    const fault: Fault = { kind: "wrong-chain", chain: "gnosis", deployment: "base", next: 1 };
    const emulator = await emulate({ faults: [fault] });
    expect(await read(emulator, BASE, WATCHERS)).toEqual(watcher("100"));
    expect(await read(emulator, BASE, WATCHERS)).toEqual(watcher("8453"));
  });

  it("also changes the headers", async () => {
    const emulator = await emulate();
    const first = await headOf(emulator, BASE);
    await emulator.fault({ kind: "lagging-head", blocks: 11 });
    const response = await post(urlOf(emulator, BASE), { query: "{ __typename }" });
    expect(JSON.parse(response.headers.get("graph-indexed") ?? "")).toMatchObject({ number: first - 11 });
  });
});
