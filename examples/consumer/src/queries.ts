import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import * as flow from "lockflow-operations/flow/portable";
import type {
  ActionsByStreamRow as FlowAction,
  StreamsByParticipantRow as FlowStream,
} from "lockflow-operations/flow/subgraph";
import * as lockup from "lockflow-operations/lockup/portable";
import type {
  ActionsByStreamRow as LockupAction,
  StreamsByParticipantRow as LockupStream,
} from "lockflow-operations/lockup/subgraph";
import {
  type ChainKey,
  chains,
  hasEndpoint,
  type Protocol,
  type TestingChain,
} from "lockflow-operations/manifest";
import { ask, type Source } from "./ask.ts";

export type { FlowStream, LockupStream, Source };
export type Action = LockupAction | FlowAction;

/** The chains that can be asked without a key, in the order of their names. */
export const openChains: readonly TestingChain[] = (Object.keys(chains) as ChainKey[])
  .filter((chain): chain is TestingChain =>
    hasEndpoint({ protocol: "lockup", style: "subgraph", chain, environment: "testing" }),
  )
  .sort((a, b) => chains[a].name.localeCompare(chains[b].name));

/** Rows of one page. An indexer gives 100 at most of its own accord and does not say that there are more. */
const PAGE = 100;

/** The streams an address sends or receives, newest first, a page at a time. */
export function lockupStreams(source: Source, address: `0x${string}`) {
  return infiniteQueryOptions({
    ...paging,
    queryKey: ["lockup", source, "streams", address],
    queryFn: async ({ signal, pageParam }): Promise<readonly LockupStream[]> => {
      const variables = { address, first: PAGE, skip: pageParam };
      return (await ask(lockup.StreamsByParticipant, source, variables, signal)).streams;
    },
  });
}

/** The streams an address sends or receives, newest first, a page at a time. */
export function flowStreams(source: Source, address: `0x${string}`) {
  return infiniteQueryOptions({
    ...paging,
    queryKey: ["flow", source, "streams", address],
    queryFn: async ({ signal, pageParam }): Promise<readonly FlowStream[]> => {
      const variables = { address, first: PAGE, skip: pageParam };
      return (await ask(flow.StreamsByParticipant, source, variables, signal)).streams;
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
      const { actions } =
        protocol === "lockup"
          ? await ask(lockup.ActionsByStream, source, { streamId }, signal)
          : await ask(flow.ActionsByStream, source, { streamId }, signal);
      return actions;
    },
  });
}

/** Addresses that take part in the newest streams, for people who come without one. */
export function recentAddresses(source: Source) {
  return queryOptions({
    queryKey: ["lockup", source, "recent"],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const { streams } = await ask(lockup.RecentStreams, source, { first: 40 }, signal);
      return mostFrequent(streams.flatMap(({ sender, recipient }) => [sender, recipient])).slice(0, 4);
    },
  });
}

function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}
