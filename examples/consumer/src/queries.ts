import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  ActionsByStreamRow as FlowAction,
  StreamsByParticipantRow as FlowStream,
} from "lockflow-operations/flow/multichain";
import * as flowMultichain from "lockflow-operations/flow/multichain.strings";
import * as flowSubgraph from "lockflow-operations/flow/subgraph.strings";
import type {
  ActionsByStreamRow as LockupAction,
  StreamsByParticipantRow as LockupStream,
} from "lockflow-operations/lockup/multichain";
import * as lockupMultichain from "lockflow-operations/lockup/multichain.strings";
import * as lockupSubgraph from "lockflow-operations/lockup/subgraph.strings";
import {
  type ChainKey,
  chains,
  endpoint,
  hasEndpoint,
  type Protocol,
  type TestingChain,
} from "lockflow-operations/manifest";
import { ask, type Target } from "./ask.ts";

/** Where streams are read from: every chain at once (multichain), or one chain (subgraph). */
export type Source = "all" | TestingChain;

/** Both styles give these, whatever their dialects: the operations name their results alike. */
export type { FlowStream, LockupStream };
export type Action = LockupAction | FlowAction;

/** The chains that can be asked without a key, in the order of their names. */
export const openChains: readonly TestingChain[] = (Object.keys(chains) as ChainKey[])
  .filter((chain): chain is TestingChain =>
    hasEndpoint({ protocol: "lockup", style: "subgraph", chain, environment: "testing" }),
  )
  .sort((a, b) => chains[a].name.localeCompare(chains[b].name));

/** Testing endpoints for single chains: a page in a browser must not hold the key that production wants. */
function targetOf(protocol: Protocol, source: Source): Target {
  return source === "all"
    ? endpoint({ protocol, style: "multichain" }, import.meta.env)
    : endpoint({ protocol, style: "subgraph", chain: source, environment: "testing" }, import.meta.env);
}

/** Rows of one page. An indexer gives 100 at most of its own accord and does not say that there are more. */
const PAGE = 100;

/** The streams an address sends or receives, newest first, a page at a time. */
export function lockupStreams(source: Source, address: `0x${string}`) {
  return infiniteQueryOptions({
    ...paging,
    queryKey: ["lockup", source, "streams", address],
    queryFn: async ({ signal, pageParam }): Promise<readonly LockupStream[]> => {
      const target = targetOf("lockup", source);
      const variables = { address, first: PAGE, skip: pageParam };
      const { streams } =
        source === "all"
          ? await ask(target, lockupMultichain.StreamsByParticipantDocument, variables, signal)
          : await ask(target, lockupSubgraph.StreamsByParticipantDocument, variables, signal);
      return streams;
    },
  });
}

/** The streams an address sends or receives, newest first, a page at a time. */
export function flowStreams(source: Source, address: `0x${string}`) {
  return infiniteQueryOptions({
    ...paging,
    queryKey: ["flow", source, "streams", address],
    queryFn: async ({ signal, pageParam }): Promise<readonly FlowStream[]> => {
      const target = targetOf("flow", source);
      const variables = { address, first: PAGE, skip: pageParam };
      const { streams } =
        source === "all"
          ? await ask(target, flowMultichain.StreamsByParticipantDocument, variables, signal)
          : await ask(target, flowSubgraph.StreamsByParticipantDocument, variables, signal);
      return streams;
    },
  });
}

const paging = {
  initialPageParam: 0,
  /** A page that is not full is the last. */
  getNextPageParam: (last: readonly unknown[], pages: readonly unknown[]) =>
    last.length < PAGE ? undefined : pages.length * PAGE,
};

/** What happened to one stream, oldest first. */
export function streamActions(protocol: Protocol, source: Source, streamId: string) {
  return queryOptions({
    queryKey: [protocol, source, "actions", streamId],
    queryFn: async ({ signal }): Promise<readonly Action[]> => {
      const target = targetOf(protocol, source);
      const variables = { streamId };
      const isAll = source === "all";
      const { actions } =
        protocol === "lockup"
          ? isAll
            ? await ask(target, lockupMultichain.ActionsByStreamDocument, variables, signal)
            : await ask(target, lockupSubgraph.ActionsByStreamDocument, variables, signal)
          : isAll
            ? await ask(target, flowMultichain.ActionsByStreamDocument, variables, signal)
            : await ask(target, flowSubgraph.ActionsByStreamDocument, variables, signal);
      return actions;
    },
  });
}

/** Addresses that take part in the newest streams, for people who come without one. */
export function recentAddresses(source: Source) {
  return queryOptions({
    queryKey: ["lockup", source, "recent"],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const target = targetOf("lockup", source);
      const { streams } =
        source === "all"
          ? await ask(target, lockupMultichain.RecentStreamsDocument, { first: 40 }, signal)
          : await ask(target, lockupSubgraph.RecentStreamsDocument, { first: 40 }, signal);
      return mostFrequent(streams.flatMap(({ sender, recipient }) => [sender, recipient])).slice(0, 4);
    },
  });
}

function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}
