import { rowOf } from "../client/chain-ref.ts";
import type { Call, Target } from "../client/client-types.ts";
import { type Failure, failureOf, type IndexerError, plainOf } from "../client/indexer-error.ts";
import { valuesAt } from "../client/values.ts";
import type { StyleName } from "../manifest/manifest-types.ts";
import { findTarget, queryEndpoint } from "../requests/query-endpoint.ts";
import { FINAL } from "../requests/read-answer.ts";
import { orderStyles, settle, successOf } from "./settle.ts";
import type { Settled } from "./start-call.ts";

/**
 * Queries chains, those of one endpoint by one request. A chain that fails there is queried separately in the other style.
 *
 * @returns a result for each chain, in their order. Chains of one request share their data.
 */
export async function settleTogether<P extends string, R, V>(
  call: Call<P, R, V>,
  keys: readonly string[],
): Promise<readonly Settled<R, string>[]> {
  const { groups, alone } = call.operation.alone
    ? { groups: [], alone: [...new Set(keys)] }
    : groupChains(call, keys);
  const byChain = new Map<string, Settled<R, string>>();
  const keep = (result: Settled<R, string>) => byChain.set(result.chain, result);
  await Promise.all([
    ...groups.map((group) => settleGroup(call, group, keep)),
    ...alone.map(async (chain) => keep(await settle(call, chain))),
  ]);
  return keys.flatMap((key) => byChain.get(key) ?? []);
}

async function settleGroup<P extends string, R, V>(
  call: Call<P, R, V>,
  group: Group,
  keep: (result: Settled<R, string>) => unknown,
): Promise<void> {
  const { client, operation } = call;
  const { target, keys, before } = group;
  try {
    const readings = keys.map(await queryEndpoint(call, target, keys));
    const rest = readings.filter((reading) => !reading.error).map(({ chain }) => chain);
    const { chains = [] } = operation;
    const found = chains.flatMap((path) => valuesAt(readings[0]?.data, path)).map(String);
    // Rows of a chain that lags or has no head would displace other rows, or appear twice.
    const isCut =
      rest.length > 0 &&
      readings.some(
        ({ chain, error }) =>
          error && (chains.length === 0 || found.includes(String(rowOf(client, chain).chainId))),
      );
    await Promise.all([
      isCut && settleGroup(call, { ...group, keys: rest }, keep),
      ...readings.map(async (reading) => {
        const { chain, capped, error, isSpare } = reading;
        if (isCut && !error) return;
        // The remaining rows can only be requested for one chain: its rows have a cursor. This style may have the least lag of
        // all; its answer must have no rows of other chains.
        if (isSpare || (!error && capped && operation.page)) keep(await settle(call, chain));
        else keep(error ? await settleElsewhere(call, group, chain, error) : successOf(reading, before));
      }),
    ]);
  } catch (error) {
    const failure = failureOf(error, call);
    await Promise.all(keys.map(async (chain) => keep(await settleElsewhere(call, group, chain, failure))));
  }
}

/** Chains with the same first endpoint. */
export type Group = {
  readonly style: StyleName;
  readonly target: Target;
  readonly keys: readonly string[];
  /** The failures of earlier styles. */
  readonly before: readonly Failure[];
};

/** Groups unique chains by their first endpoint; `alone` are those whose endpoint serves one chain. */
export function groupChains<P extends string, R, V>(
  call: Call<P, R, V>,
  keys: readonly string[],
): { readonly groups: readonly Group[]; readonly alone: readonly string[] } {
  const groups = new Map<string, Group>();
  const alone: string[] = [];
  for (const chain of new Set(keys)) {
    const found = findGroup(call, chain);
    if (!found) alone.push(chain);
    else {
      const { deployment } = found.target;
      groups.set(deployment, { ...found, keys: [...(groups.get(deployment)?.keys ?? []), chain] });
    }
  }
  return { groups: [...groups.values()], alone };
}

/** Queries a chain, after the endpoint of its group failed, in the remaining styles. */
export function settleElsewhere<P extends string, R, V>(
  call: Call<P, R, V>,
  { style, before }: Group,
  chain: string,
  error: IndexerError,
): Promise<Settled<R, string>> {
  const tried = [...before, { style, error: plainOf(error) }];
  const isOpen = (other: StyleName) => !tried.some((failed) => failed.style === other);
  return settle(call, chain, FINAL.includes(error.code) ? [] : call.styles.filter(isOpen), tried);
}

/** Finds the first endpoint of a chain, if it serves several chains. */
function findGroup<P extends string, R, V>(call: Call<P, R, V>, chain: string): Group | undefined {
  const before: Failure[] = [];
  const { operation, block, styles } = call;
  for (const style of orderStyles(call, chain, styles)) {
    if (block && operation.past !== style) continue;
    try {
      const target = findTarget(call, style, chain);
      if (target) return target.chains.length > 1 ? { style, target, keys: [], before } : undefined;
    } catch (error) {
      before.push({ style, error: plainOf(error as IndexerError) });
    }
  }
  return undefined;
}
