import { queryOptions } from "@tanstack/react-query";
import { all, type ChainList, createClient, type Decoded, query, queryMerged } from "../generated/client";
import * as flow from "../generated/flow/portable";
import * as lockup from "../generated/lockup/portable";
import { resolveChain } from "../generated/manifest";
import { now } from "./clock";

export type LockupStream = Decoded<typeof lockup.StreamsOf>["streams"][number];
export type FlowStream = Decoded<typeof flow.StreamsOf>["streams"][number];
type Address = `0x${string}`;

/** The page's server queries the indexers and has the key. */
const client = createClient({ proxy: "/api/indexers", now });

/** All vesting of an address, newest first. */
export function lockupStreams(chains: ChainList<"lockup">, address: Address) {
  return queryOptions({
    queryKey: ["lockup", "streams", chains, address],
    queryFn: async ({ signal }) => {
      const result = await all(client, lockup.StreamsOf, of(address), { chains, signal });
      return { ...result, rows: lockup.decodeStreamsOf(result.rows).toSorted(newestFirst) };
    },
  });
}

/** All payments of an address, newest first. */
export function flowStreams(chains: ChainList<"flow">, address: Address) {
  return queryOptions({
    queryKey: ["flow", "streams", chains, address],
    queryFn: async ({ signal }) => {
      const result = await all(client, flow.StreamsOf, of(address), { chains, signal });
      return { ...result, rows: flow.decodeStreamsOf(result.rows).toSorted(newestFirst) };
    },
  });
}

const of = (address: Address) => ({ where: { or: [{ sender: address }, { recipient: address }] } });
const newestFirst = (a: Row, b: Row) => Number(b.timestamp) - Number(a.timestamp);
type Row = { readonly timestamp: Date };

/** The number of streams of each asset and their amounts. Tokens with one symbol differ by chain and address. */
export function totalsByAsset(streams: readonly (LockupStream | FlowStream)[]): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const stream of streams) {
    const deposited = "depositAmount" in stream ? stream.depositAmount : stream.depositedAmount;
    const key = `${stream.chainId} ${stream.asset.address}`;
    const total = totals.get(key) ?? { stream, count: 0, deposited: 0n, withdrawn: 0n };
    total.count += 1;
    total.deposited += deposited;
    total.withdrawn += stream.withdrawnAmount;
    totals.set(key, total);
  }
  return totals;
}

export type Total = {
  /** A stream of this asset. */
  readonly stream: LockupStream | FlowStream;
  count: number;
  deposited: bigint;
  withdrawn: bigint;
};

/** What happened to a stream, oldest first. */
export const lockupActions = ({ id, chainId }: LockupStream) => ({
  ...query(client, lockup.ActionsOf, { stream: id }, { chain: resolveChain(chainId) }),
  select: lockup.decodeActionsOf,
});
export const flowActions = ({ id, chainId }: FlowStream) => ({
  ...query(client, flow.ActionsOf, { stream: id }, { chain: resolveChain(chainId) }),
  select: flow.decodeActionsOf,
});

/** The newest streams, whose addresses are examples for visitors without one. */
export const latelyActive = (chains: ChainList<"lockup">) =>
  queryMerged(client, lockup.LatelyActive, {}, { chains });
