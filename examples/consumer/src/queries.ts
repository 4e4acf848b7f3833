import * as flow from "../generated/flow/proxied";
import * as lockup from "../generated/lockup/proxied";
import { resolveChain } from "../generated/manifest";
import { type ChainList, query, queryMerged } from "../generated/proxied";
import { client } from "./client";
import type { FlowStream, LockupStream } from "./data";

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
