import { afterAll, beforeAll, expect } from "vitest";
import { entitiesText } from "../../emulator/dataset/entities/index.ts";
import type { EmulatedDeployment } from "../../emulator/indexers/emulated-deployment.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/server/start-emulator.ts";
import {
  type Client,
  type ClientOptions,
  createClient,
  each,
  IndexerError,
  merged,
  type PortableOperation,
  type RequestEvent,
} from "../../generated/client.ts";
import { AllStreams } from "../../generated/lockup/portable.ts";
import { buildPortableOperation } from "../../src/generate/portable/portable-operation.ts";
import { compileText, contextOf } from "../operations/portable/compile-text.ts";

/** The key in these tests; no text may contain it. */
export const CANARY = "canary/7b0f-the-key";

export const STYLES = ["multichain", "subgraph"] as const;

export type Style = (typeof STYLES)[number];

/** An emulator and clients of the generated module. Each style has its own host name, as in production. */
export type Served = {
  readonly emulator: Emulator;
  readonly env: Readonly<Record<string, string>>;
  readonly client: (options?: ClientOptions) => Client;
};

/** Starts an emulator that accepts any key; its clients send the canary. */
export async function serve(options: EmulatorOptions = {}): Promise<Served & AsyncDisposable> {
  const emulator = await startEmulator({ streams: 12, ...options });
  const given = emulator.env();
  const env = {
    ...given,
    LOCKFLOW_MULTICHAIN_URL: given["LOCKFLOW_MULTICHAIN_URL"]?.replace("127.0.0.1", "localhost") ?? "",
    LOCKFLOW_SUBGRAPH_API_KEY: CANARY,
  };
  return {
    emulator,
    env,
    client: (own = {}) =>
      createClient({ env, headers: () => ({ "x-team-key": `Bearer ${CANARY}` }), ...own }),
    [Symbol.asyncDispose]: emulator.close,
  };
}

/** Starts an emulator for a suite. */
export function serveSuite(options: EmulatorOptions = {}): () => Served {
  let served: (Served & AsyncDisposable) | undefined;
  beforeAll(async () => {
    served = await serve(options);
  });
  afterAll(() => served?.[Symbol.asyncDispose]());
  return () => {
    if (!served) throw new Error("The emulator has not started.");
    return served;
  };
}

/** The result of some work, the requests to each style, and the client's events. */
export type Observed<T> = {
  readonly result: T;
  readonly sent: Readonly<Record<Style, number>>;
  readonly events: readonly RequestEvent[];
};

/** Runs work with a client that has sent nothing before. */
export async function observe<T>(
  { emulator, client }: Served,
  options: ClientOptions,
  work: (client: Client) => Promise<T>,
): Promise<Observed<T>> {
  const events: RequestEvent[] = [];
  const before = countByStyle(emulator);
  const result = await work(client({ onRequest: (event) => events.push(event), ...options }));
  const after = countByStyle(emulator);
  const sent = {
    multichain: after.multichain - before.multichain,
    subgraph: after.subgraph - before.subgraph,
  };
  return { result, sent, events };
}

function countByStyle(emulator: Emulator): Record<Style, number> {
  const sent = { multichain: 0, subgraph: 0 };
  for (const { deployment, count } of emulator.requests()) {
    sent[deployment.endsWith("-multichain") ? "multichain" : "subgraph"] += count;
  }
  return sent;
}

/** Returns the error that a promise rejects with; fails if it resolves. */
export async function failureOf(work: Promise<unknown>): Promise<IndexerError> {
  const result = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in result)) throw new Error(`It answered: ${JSON.stringify(result.value)?.slice(0, 300)}`);
  expect(result.error).toBeInstanceOf(IndexerError);
  return result.error as IndexerError;
}

/** Returns the result of `each` for the first streams of base. */
export async function eachOfBase(client: Client, first: number) {
  const [result] = await each(client, AllStreams, { first }, { chains: ["base"] });
  if (!result) throw new Error("There is no result.");
  return result;
}

/** Returns the same for `merged`, which has no rows if its only chain fails. */
export async function mergedOfBase(client: Client, first: number) {
  const { rows, results, failed } = await merged(client, AllStreams, { first }, { chains: ["base"] });
  const [result] = results;
  if (!result) throw new Error("There is no result.");
  expect(failed).toEqual(result.status === "ok" ? [] : ["base"]);
  if (result.status === "ok") return { ...result, data: { streams: rows } };
  expect(rows).toEqual([]);
  return result;
}

/** Returns all texts of a value, including non-enumerable ones: names and values of members, messages, stacks, causes. */
export function textsOf(value: unknown, seen = new Set<object>()): string {
  if (typeof value !== "object" || value === null) return `${String(value)}\n`;
  if (seen.has(value)) return "";
  seen.add(value);
  const entries = value instanceof Map || value instanceof Set ? [...value].flat() : [];
  const members = Reflect.ownKeys(value).flatMap((key) => [String(key), Reflect.get(value, key)]);
  return [...members, ...entries].map((one) => textsOf(one, seen)).join("");
}

export function otherStyle(style: Style): Style {
  return style === "multichain" ? "subgraph" : "multichain";
}

/** Returns a client whose deployments are all at one server, each at a path with its name. */
export function clientAt(url: string, options: ClientOptions = {}): Client {
  const env = {
    LOCKFLOW_MULTICHAIN_URL: `${url}/{id}/multichain`,
    LOCKFLOW_LOCKUP_ID: "lockup",
    LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}`,
    LOCKFLOW_SUBGRAPH_API_KEY: CANARY,
  };
  return createClient({ env, ...options });
}

/** Rows of `ChainCounters` as either style answers them, and its head. */
export function answerOf(chainId: number): Readonly<Record<string, unknown>> {
  return {
    watchers: [{ id: String(chainId), chainId: String(chainId), streamCounter: "1", actionCounter: "2" }],
    lockflow: [{ chain_id: chainId, latest_processed_block: 9, block_height: 9 }],
    _meta: { block: { number: 9, hash: `0x${"ab".repeat(32)}`, timestamp: 900 }, hasIndexingErrors: false },
  };
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Deployments on few chains, which take less time than all. */
export function deploymentsOf(
  chains: Readonly<Record<string, number>>,
  settings: EmulatedDeployment["settings"] = {},
  protocol: "lockup" | "flow" = "lockup",
): readonly EmulatedDeployment[] {
  const one = { protocol, environments: ["production", "testing"] } as const;
  return [
    {
      ...one,
      name: `protocol-${protocol}-multichain`,
      style: "multichain",
      environments: ["production"],
      chainIds: Object.values(chains),
      settings,
    },
    ...Object.entries(chains).map(
      ([suffix, chainId]) =>
        ({ ...one, name: `protocol-${protocol}-${suffix}`, style: "subgraph", chainIds: [chainId] }) as const,
    ),
  ];
}

/** A row of the operations that are compiled here. */
export type StreamRow = { readonly id: string; readonly subgraphId: string; readonly chainId: string };

type Variables = Readonly<Record<string, unknown>>;

/** Compiles operations of Lockup as `lockflow generate` does, by name. */
export function compileOperations<K extends "one" | "list" | "pages" = "pages">(
  text: string,
): Readonly<Record<string, PortableOperation<"lockup", { readonly streams: StreamRow[] }, Variables, K>>> {
  const context = contextOf(entitiesText("lockup", "subgraph"), {
    multichain: { entities: entitiesText("lockup", "multichain") },
    cursors: { Stream: "subgraphId" },
  });
  const { operations, findings } = compileText(text, context);
  const wrong = findings.filter(({ severity }) => severity === "breaking");
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join("\n"));
  return Object.fromEntries(
    operations.map((one) => {
      const built = { ...buildPortableOperation(one, context, {}), protocol: "lockup" };
      return [
        one.name,
        built as unknown as PortableOperation<"lockup", { readonly streams: StreamRow[] }, Variables, K>,
      ];
    }),
  );
}
