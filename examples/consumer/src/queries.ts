import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type ChainList, createClient, merged, run, type Settled } from "../generated/client";
import {
  type ActionsOfRow as FlowAction,
  ActionsOf as FlowActionsOf,
  type StreamsOfRow as FlowStream,
  StreamsOf as FlowStreamsOf,
} from "../generated/flow/portable";
import {
  LatelyActive,
  type ActionsOfRow as LockupAction,
  ActionsOf as LockupActionsOf,
  type StreamsOfRow as LockupStream,
  StreamsOf as LockupStreamsOf,
} from "../generated/lockup/portable";
import { type ChainKey, type Protocol, resolveChain } from "../generated/manifest";
import { now } from "./clock";

export type { FlowStream, LockupStream };

export type Action = LockupAction | FlowAction;

/** The chains to query: all, or one. */
export type Chains = ChainList<Protocol>;

/** The result of a chain, for any operation. */
export type ChainResult = Settled<unknown, ChainKey>;

/** The page's server queries the indexers and has the key. */
const client = createClient({ proxy: "/api/indexers", now: () => now() * 1000 });

/** A page of a list begins after this row. */
type Cursor = Pick<LockupStream, "timestamp" | "id">;

/** The vesting of an address on the chains, newest first, a page at a time. */
export function lockupStreams(chains: Chains, address: `0x${string}`) {
  return infiniteQueryOptions({
    ...paging<LockupStream>(),
    queryKey: ["lockup", "streams", chains, address],
    queryFn: ({ signal, pageParam }) =>
      merged(client, LockupStreamsOf, { where: streamsOf(address, pageParam) }, { chains, signal }),
  });
}

/** The payments of an address on the chains, newest first, a page at a time. */
export function flowStreams(chains: Chains, address: `0x${string}`) {
  return infiniteQueryOptions({
    ...paging<FlowStream>(),
    queryKey: ["flow", "streams", chains, address],
    queryFn: ({ signal, pageParam }) =>
      merged(client, FlowStreamsOf, { where: streamsOf(address, pageParam) }, { chains, signal }),
  });
}

/** Those that an address sends or receives and that come after a row in the order of the list: by time, then by id. */
function streamsOf(address: `0x${string}`, after: Cursor | null) {
  const ofAddress = { or: [{ sender: address }, { recipient: address }] };
  if (after === null) return ofAddress;
  const { timestamp, id } = after;
  return { and: [ofAddress, { or: [{ timestamp_lt: timestamp }, { and: [{ timestamp }, { id_lt: id }] }] }] };
}

/** The next page comes after the last row, on every chain; after a page without rows there is none. */
function paging<Row extends Cursor>() {
  return {
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ rows }: { readonly rows: readonly Row[] }): Cursor | null =>
      rows.length < PAGE ? null : (rows.at(-1) ?? null),
  };
}

/** Rows of a page, as the operations have it. */
const PAGE = 50;

/** The streams of all pages, and the result of each chain. A chain that failed on one page may lack rows on all. */
export function together<Row>(
  pages: readonly { readonly rows: readonly Row[]; readonly results: readonly ChainResult[] }[],
) {
  const byChain = new Map<ChainKey, ChainResult>();
  for (const result of pages.flatMap((page) => page.results))
    if (byChain.get(result.chain)?.status !== "failed") byChain.set(result.chain, result);
  const results = [...byChain.values()];
  const errors = results.flatMap((result) => (result.status === "failed" ? [result.error] : []));
  return {
    streams: pages.flatMap(({ rows }) => rows),
    results,
    isComplete: errors.length === 0,
    /** The error, if no chain answered. */
    failure: errors.length > 0 && errors.length === results.length ? (errors[0] ?? null) : null,
  };
}

/** What happened to one stream, oldest first. */
export function streamActions(protocol: Protocol, chainId: string, stream: string) {
  return queryOptions({
    queryKey: [protocol, "actions", stream],
    queryFn: async ({ signal }): Promise<readonly Action[]> => {
      const where = { chain: resolveChain(chainId), signal };
      const { data } =
        protocol === "lockup"
          ? await run(client, LockupActionsOf, { stream }, where)
          : await run(client, FlowActionsOf, { stream }, where);
      return data.actions;
    },
  });
}

/** Addresses in the newest streams, as examples for visitors without an address. */
export function latelyActive(chains: Chains) {
  return queryOptions({
    queryKey: ["lockup", "lately", chains],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const { rows } = await merged(client, LatelyActive, {}, { chains, signal });
      return mostFrequent(rows.flatMap(({ sender, recipient }) => [sender, recipient])).slice(0, 4);
    },
  });
}

function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}
