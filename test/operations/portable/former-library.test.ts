import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator/server/start-emulator.ts";
import { mapVariables } from "../../../generated/client.ts";
import * as flow from "../../../generated/flow/portable.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import { chains, multichainChainIds } from "../../../generated/manifest.ts";
import { parseOperations } from "../../../src/operations/parse-operations.ts";
import { printDocument } from "../../../src/operations/print-document.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { readRepositoryTree } from "../../support/repository.ts";

// Compares compiled multichain documents of the library with their former, handwritten versions.

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type Data = Readonly<Record<string, readonly Row[] | Row | null>>;

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 25 });
});
afterAll(() => emulator.close());

async function ask(protocol: string, query: string, variables: object): Promise<Data> {
  const endpoint = emulator.endpoints.find(
    (one) => one.deployment === `protocol-${protocol}-multichain` && one.environment === "production",
  );
  const response = await fetch(endpoint?.url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  expect(errors).toBeUndefined();
  return data ?? {};
}

describe.each([
  { protocol: "lockup" as const, portable: lockup },
  { protocol: "flow" as const, portable: flow },
])("the compiled multichain documents of $protocol", ({ protocol, portable }) => {
  const sources = Object.entries({
    ...readRepositoryTree("test/fixtures/former-library/both"),
    ...readRepositoryTree(`test/fixtures/former-library/${protocol}`),
    ...readRepositoryTree(`operations/${protocol}/portable/fragments`),
  }).map(([path, text]) => ({ path, text }));
  const former = new Map(
    parseOperations(sources, { protocol, style: "multichain" }).set.operations.map(
      ({ name, node, fragments }) => [name, printDocument(node, fragments)],
    ),
  );
  const all = multichainChainIds[protocol];

  type Name = Exclude<keyof typeof portable, `${string}${"Columns" | "Table"}`>;

  const askFormer = (name: string, variables: object) => ask(protocol, former.get(name) ?? "", variables);
  const askCompiled = (name: Name, variables: object, chainIds: readonly string[]) => {
    const operation = portable[name] as typeof lockup.StreamsBySender;
    return ask(
      protocol,
      operation.multichain,
      mapVariables(operation, "multichain", variables as never, chainIds),
    );
  };

  /** Returns a stream of a chain. */
  const streamOf = async (chainId: string) => {
    const { streams } = await askCompiled("RecentStreams", { first: 1 }, [chainId]);
    const [stream] = streams as readonly Row[];
    if (!stream) throw new Error(`There is no stream on ${chainId}.`);
    return stream as Row & { readonly sender: string; readonly recipient: string };
  };

  const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`;

  it("include every former document", () => {
    expect([...former.keys()].sort()).toEqual(
      Object.keys(portable)
        .filter((name) => former.has(name))
        .sort(),
    );
    expect(former.size).toBe(11);
    expect(all).toHaveLength(25);
  });

  it.each<[name: Name, variables: object]>([
    ["Assets", {}],
    ["Assets", { first: 7, skip: 3 }],
    ["ChainCounters", {}],
    ["RecentStreams", { first: 1000 }],
    ["RecentStreams", { first: 10, skip: 95 }],
  ])("return the rows of the former documents for all chains: %s %j", async (name, variables) => {
    const want = await askFormer(name, variables);
    expect(Object.values(want)[0]).not.toEqual([]);
    expect(await askCompiled(name, variables, all)).toEqual(want);
  });

  const own = Object.values(chains).filter(({ chainId }) => all.includes(String(chainId)));

  // All chains in thorough mode.
  it.each(own.filter((_, index) => IS_THOROUGH || index % 12 === 0))(
    "return the rows of the former documents for $name",
    async ({ chainId: id }) => {
      const chainId = String(id);
      const stream = await streamOf(chainId);
      for (const variables of [{ first: 1000 }, { first: 5, after: "7" }]) {
        for (const name of ["AllStreams", "ActionsFeed"] as const) {
          const want = await askFormer(name, { ...variables, chainId });
          expect(Object.values(want)[0], name).not.toEqual([]);
          expect(await askCompiled(name, variables, [chainId]), name).toEqual(want);
        }
      }
      const pages = { first: 1000 };
      for (const [name, variables, given] of [
        ["StreamsBySender", { sender: stream.sender }, { sender: upper(stream.sender) }],
        ["StreamsByRecipient", { recipient: stream.recipient }, { recipient: upper(stream.recipient) }],
        ["StreamsByParticipant", { address: stream.sender }, { address: upper(stream.sender) }],
        ["BatchesBySender", { sender: stream.sender }, { sender: upper(stream.sender) }],
      ] as const) {
        const want = await askFormer(name, { ...variables, ...pages });
        expect(await askCompiled(name, { ...given, ...pages }, all), name).toEqual(want);
        const [[key, rows]] = Object.entries(want) as [[string, readonly Row[]]];
        // Every id names its chain.
        const own = rows.filter((row) => row.id.includes(`-${chainId}-`));
        if (name !== "BatchesBySender") expect(own, name).not.toEqual([]);
        expect(await askCompiled(name, { ...given, ...pages }, [chainId]), name).toEqual({ [key]: own });
      }
      const actions = await askFormer("ActionsByStream", { streamId: stream.id });
      expect(actions["actions"]).not.toEqual([]);
      expect(await askCompiled("ActionsByStream", { streamId: stream.id }, [chainId])).toEqual(actions);
      const one = await askFormer("StreamById", { id: stream.id });
      expect(one["stream"]).not.toBeNull();
      expect(await askCompiled("StreamById", { id: stream.id }, [chainId])).toEqual(one);
    },
  );
});
