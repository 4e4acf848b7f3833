import { queryOptions } from "@tanstack/react-query";
import * as flow from "../generated/flow/proxied";
import * as lockup from "../generated/lockup/proxied";
import { type ChainList, type Decoded, queryAll } from "../generated/proxied";
import { client } from "./client";

export type LockupStream = Decoded<typeof lockup.StreamsOf>["streams"][number];
export type FlowStream = Decoded<typeof flow.StreamsOf>["streams"][number];

/** All vesting of an address. */
export const lockupStreams = (chains: ChainList<"lockup">, address: string) =>
  queryOptions({
    ...queryAll(client, lockup.StreamsOf, of(address), { chains }),
    select: (result) => lockup.decodeStreamsOf(result),
  });

/** All payments of an address. */
export const flowStreams = (chains: ChainList<"flow">, address: string) =>
  queryOptions({
    ...queryAll(client, flow.StreamsOf, of(address), { chains }),
    select: (result) => flow.decodeStreamsOf(result),
  });

const of = (address: string) => ({ where: { or: [{ sender: address }, { recipient: address }] } });

/** The number of streams of each asset and their amounts. Tokens with one symbol differ by chain and address. */
export function totalsByAsset(streams: readonly (LockupStream | FlowStream)[]): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const stream of streams) {
    const key = `${stream.chainId} ${stream.asset.address}`;
    const total = totals.get(key) ?? { stream, count: 0, deposited: 0n, withdrawn: 0n };
    total.count += 1;
    total.deposited += "depositAmount" in stream ? stream.depositAmount : stream.depositedAmount;
    total.withdrawn += stream.withdrawnAmount;
    totals.set(key, total);
  }
  return totals;
}

/** `stream` is one of this asset. */
export type Total = {
  stream: LockupStream | FlowStream;
  count: number;
  deposited: bigint;
  withdrawn: bigint;
};
