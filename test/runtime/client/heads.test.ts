import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type FieldNode, Kind, type OperationDefinitionNode, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import type {
  Kind as OperationKind,
  PortableOperation,
} from "../../../packages/client/src/client/portable-operation.ts";
import { addHeads, readHead, takeHeads } from "../../../packages/client/src/requests/heads.ts";
import { STYLE_NAMES } from "../../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../../src/project/protocols.ts";
import { REPOSITORY } from "../../support/repository.ts";

type Operation = PortableOperation<string, unknown, unknown, OperationKind>;

const KEYS: Readonly<Record<string, string>> = { multichain: "lockflow", subgraph: "_meta" };

describe("the selection of the head", () => {
  it.each(BUILT_IN_PROTOCOLS.flatMap((protocol) => STYLE_NAMES.map((style) => [protocol, style] as const)))(
    "is appended to every operation of %s in %s style, which stays valid",
    async (protocol, style) => {
      const module: Record<string, Operation> = await import(
        join(REPOSITORY, `generated/${protocol}/portable.ts`)
      );
      const sdl = readFileSync(join(REPOSITORY, `generated/schemas/${protocol}/${style}.graphql`), "utf8");
      const schema = buildSchema(sdl);
      const operations = Object.values(module).filter((one) => "subgraph" in one);
      expect(operations).toHaveLength(11);
      for (const operation of operations) {
        const text = operation[style as "subgraph"];
        const document = parse(addHeads(text, style, [1, 8453]));
        expect(validate(schema, document), operation.name).toEqual([]);
        const [before, after] = [parse(text), document].map(rootKeys);
        expect(after).toEqual([...(before ?? []), KEYS[style]]);
      }
    },
  );

  it("is not inserted into a string or a fragment", () => {
    const text =
      'query Q($a: String = "$& \\n}", $block: Block_height) {\n  a(text: "}\\n}") {\n    id\n  }\n}\n\nfragment F on A {\n  id\n}';
    expect(addHeads(text, "subgraph", [])).toBe(
      text.replace(
        "  }\n}",
        "  }\n  _meta(block: $block) { block { number hash timestamp } hasIndexingErrors }\n}",
      ),
    );
  });

  it("is read for each chain, and is null if missing or invalid", () => {
    const row = { chain_id: 1, latest_processed_block: 5, block_height: 9 };
    const data = { lockflow: [null, row, { chain_id: 2, latest_processed_block: null }], streams: [] };
    const rowOf = takeHeads(data, "multichain");
    const read = (chainId: number) =>
      readHead(rowOf?.(chainOf(chainId)), "multichain", { chain: chainOf(chainId), now: () => 0 });
    expect(data).toEqual({ streams: [] });
    expect(read(1)).toEqual({ block: 5, hash: null, time: null, lag: 8, isEstimate: true, behindBlocks: 4 });
    expect([read(2)?.block, read(3)]).toEqual([-1, null]);
    for (const lockflow of [undefined, null, {}, "a"]) {
      expect(takeHeads({ lockflow }, "multichain")).toBeNull();
    }
  });

  it.each<[value: unknown, block: number]>([
    [5, 5],
    ["5", 5],
    ["0", 0],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
    ["9007199254740992", -1],
    [9007199254740992, -1],
    [5.5, -1],
    ["5.5", -1],
    ["5e2", -1],
    [" 5", -1],
    ["", -1],
    [true, -1],
    [[5], -1],
    [{ toString: 5 }, -1],
  ])("is a safe whole number or its text: %j", (value, block) => {
    const chain = chainOf(1);
    const lockflow = [{ chain_id: "1", latest_processed_block: value, block_height: "9" }];
    const rowOf = takeHeads({ lockflow }, "multichain");
    expect(readHead(rowOf?.(chain), "multichain", { chain, now: () => 0 })?.block).toBe(block);
    const none = takeHeads({ lockflow: [{ chain_id: value }] }, "multichain")?.(chainOf(5));
    expect(none === undefined).toBe(block !== 5);
    const _meta = { block: { number: value, timestamp: value } };
    const head = readHead(_meta, "subgraph", { chain, now: () => 0 });
    expect([head?.block ?? -1, head?.time ?? -1]).toEqual([block, block]);
  });

  it("is read from _meta in a subgraph", () => {
    const chain = chainOf(7);
    const read = (_meta: unknown, now: number) =>
      readHead(takeHeads({ _meta }, "subgraph")?.(chain), "subgraph", { chain, now: () => now });
    const meta = { block: { number: 5, hash: null, timestamp: null }, hasIndexingErrors: true };
    expect(read(meta, 0)).toMatchObject({ block: 5, hash: null, time: null, lag: null, behindBlocks: null });
    expect(read({ block: { number: 5, hash: "0x", timestamp: 10 } }, 4_000)?.lag).toBe(0);
    expect(read({ block: { number: null } }, 0)).toBeNull();
    expect(takeHeads({ _meta: null }, "subgraph")).toBeNull();
  });
});

const chainOf = (chainId: number) => ({ chainId, secondsPerBlock: 2 });

function rootKeys({ definitions }: ReturnType<typeof parse>): string[] {
  const operation = definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  return (operation?.selectionSet.selections ?? []).map((one) => {
    const { alias, name } = one as FieldNode;
    return (alias ?? name).value;
  });
}
