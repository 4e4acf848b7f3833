import { type ChainList, type KeysOf, listKeys, rowOf } from "../client/chain-ref.ts";
import type { Client } from "../client/client-types.ts";
import { IndexerError } from "../client/indexer-error.ts";
import { IS_SHARED, type PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project, StyleName } from "../manifest/manifest-types.ts";
import {
  addHeads,
  type Head,
  headOperation,
  numberOf,
  readHead,
  takeHeads,
  timeOf,
} from "../requests/heads.ts";
import type { Data } from "../requests/read-answer.ts";
import { settleTogether } from "./settle-together.ts";
import { type CallOptions, type Settled, startCall } from "./start-call.ts";

/** The health of an indexer on a chain. */
export type Health = {
  readonly head: Head;
  /** The last block of the chain; null if the indexer does not return it. */
  readonly chainHead: number | null;
  /** Whether indexing stopped with an error; null if the indexer does not return it. */
  readonly hasErrors: boolean | null;
  /** Whether it once had all blocks; null if the indexer does not return it. */
  readonly synced: boolean | null;
};

/** The chains, and the options of the requests. */
export type HealthOptions<C extends Chains = Chains, List = ChainList<C>> = Omit<CallOptions, "minBlock"> & {
  readonly chains: List;
};

/**
 * Returns the heads and states of indexers, by one request for all chains of an endpoint.
 *
 * @returns a result for each chain in each style that serves it, in the order of the chains and of the client's styles.
 * @throws the reason of the signal if it is aborted.
 */
export async function health<
  T extends Project,
  P extends keyof T & string,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  protocol: P,
  { chains, style: only, ...options }: HealthOptions<T[P], List>,
): Promise<readonly Settled<Health, KeysOf<T[P], List>>[]> {
  const keys = listKeys(client, protocol, chains);
  const styles = await Promise.all(
    (only ? [only] : client.styles).map((style) =>
      queryStyle({ client, protocol, keys }, { ...options, style }),
    ),
  );
  return keys.flatMap((_, index) => {
    const all = styles.flatMap((results) => results[index] ?? []);
    // A style that does not serve the chain has no entry, unless no style serves it.
    const served = all.filter((result) => result.status === "ok" || result.tried.length > 0);
    return (served.length > 0 ? served : all.slice(0, 1)) as Settled<Health, KeysOf<T[P], List>>[];
  });
}

async function queryStyle<P extends string>(
  { client, protocol, keys }: { client: Client; protocol: P; keys: readonly string[] },
  options: CallOptions & { readonly style: StyleName },
): Promise<readonly Settled<Health, string>[]> {
  const { style, maxLag } = options;
  const chainIds = keys.map((key) => rowOf(client, key)?.chainId ?? 0);
  const operation = headsOperation(protocol, chainIds);
  const bare = { ...client, freshness: false };
  const results = await settleTogether(startCall({ client: bare, operation, variables: {} }, options), keys);
  const readers = new Map<object, ReturnType<typeof takeHeads>>();
  return results.map((result) => {
    if (result.status === "failed") return result;
    const { chain, data } = result;
    if (!readers.has(data)) readers.set(data, takeHeads(data, style));
    const facts = rowOf(client, chain);
    const row = readers.get(data)?.(facts);
    const head = readHead(row, style, { chain: facts, now: () => timeOf(client, data) });
    const isLate = typeof maxLag === "number" && Number(head?.lag) > maxLag;
    if (head && !isLate) return { ...result, head, data: healthOf(head, row as Data) };
    const isServed = !IS_SHARED[style] || !readers.get(data);
    const code = isLate ? "behind" : isServed ? "unavailable" : "not-served";
    const said = isLate ? `is ${Math.round(Number(head?.lag))} s behind on` : "has no data for";
    const error = new IndexerError(code, `The answer ${said} ${chain}.`, { style }).toJSON();
    return { status: "failed", chain, error, tried: [{ style, error }] };
  });
}

function healthOf(head: Head, row: Data): Health {
  const { hasIndexingErrors: hasErrors, [CAUGHT_UP]: time } = row;
  return {
    head,
    chainHead: numberOf(row["block_height"]),
    hasErrors: typeof hasErrors === "boolean" ? hasErrors : null,
    synced: time === undefined ? null : time !== null,
  };
}

/** Returns an operation that requests nothing but head blocks, also those of a past block. */
export function healthOperation<P extends string>(protocol: P): PortableOperation<P, Data, object, "one"> {
  const subgraph = "query Health($block: Block_height) {\n}";
  return { ...headOperation(protocol), subgraph, at: "$block", past: "subgraph", numbers: null };
}

/** Returns the operation of `health` for chains, whose texts request their heads. */
export function headsOperation<P extends string>(
  protocol: P,
  chainIds: readonly number[],
): PortableOperation<P, Data, object, "one"> {
  const operation = healthOperation(protocol);
  const multichain = addHeads(operation.multichain, "multichain", chainIds);
  return {
    ...operation,
    multichain: multichain.replace("block_height", `$& ${CAUGHT_UP}`),
    subgraph: addHeads(operation.subgraph, "subgraph", chainIds),
  };
}

/** The field with the time at which a multichain indexer first had all blocks. */
const CAUGHT_UP = "timestamp_caught_up_to_head_or_endblock";
