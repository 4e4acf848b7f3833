import { type Chain, type ChainList, type KeysOf, listKeys } from "../client/chain-ref.ts";
import type { Call, Client } from "../client/client-types.ts";
import { failureOf, IndexerError } from "../client/indexer-error.ts";
import type { Given, Kind, PortableOperation } from "../client/portable-operation.ts";
import type { Chains, Project } from "../manifest/manifest-types.ts";
import { checkAnswer } from "../requests/query-endpoint.ts";
import { type Data, TRANSIENT } from "../requests/read-answer.ts";
import { sendWithRetries } from "../requests/send-with-retries.ts";
import { notify } from "../requests/wait.ts";
import { settle, successOf } from "./settle.ts";
import { type Group, groupChains, settleElsewhere } from "./settle-together.ts";
import { type CallOptions, type Settled, startCall } from "./start-call.ts";

/** The chains, and the options of each. */
export type EachOptions<C extends Chains, R, List = ChainList<C>> = CallOptions & {
  readonly chains: List;
  /** Called for each chain as soon as it is settled. */
  readonly onResult?: ((result: Settled<R, Chain<C>>) => void) | undefined;
};

/**
 * Runs an operation on several chains. A failure on one chain does not affect the others.
 *
 * @returns a result for each chain, in the order of `chains`.
 * @throws IndexerError for invalid variables, and the reason of the signal if it is aborted.
 */
export async function each<
  T extends Project,
  P extends keyof T & string,
  R,
  V,
  const List extends ChainList<T[P]>,
>(
  client: Client<T>,
  operation: PortableOperation<P, R, V, Kind>,
  variables: Given<V>,
  { chains, onResult, ...options }: EachOptions<T[P], R, List>,
): Promise<readonly Settled<R, KeysOf<T[P], List>>[]> {
  const keys = listKeys(client, operation.protocol, chains);
  const state = keys.length > 1 && !client.batch ? { down: new Map() } : undefined;
  const call = startCall({ client, operation, variables }, { ...options, state });
  const { groups, alone } = client.batch
    ? groupChains(call, keys)
    : { groups: [], alone: [...new Set(keys)] };
  const results = [
    ...groups.flatMap((group) => settleBatches(call, group)),
    ...alone.map((chain) => settle(call, chain)),
  ];
  const settled = await Promise.all(
    results.map(async (pending) => {
      const result = (await pending) as Settled<R, never>;
      notify(onResult, result);
      return result;
    }),
  );
  return keys.flatMap((key) => settled.find(({ chain }: Settled<R, string>) => chain === key) ?? []);
}

/** The most requests of a batch. */
const MOST_PARTS = 10;

/** Requests each chain of an endpoint separately, in batches if the endpoint accepts them. */
function settleBatches<P extends string, R, V>(
  call: Call<P, R, V>,
  group: Group,
): Promise<Settled<R, string>>[] {
  const { keys } = group;
  return keys.flatMap((_, start) => {
    if (start % MOST_PARTS > 0) return [];
    const part = keys.slice(start, start + MOST_PARTS);
    const answers = part.length > 1 ? sendBatch(call, { ...group, keys: part }) : Promise.resolve([null]);
    return part.map(async (chain, index) => {
      const answer = (await answers)[index];
      if (answer instanceof IndexerError) return settleElsewhere(call, group, chain, answer);
      return answer ?? settle(call, chain);
    });
  });
}

/** Returns an answer or an error for each chain; null if the chain needs a request of its own. */
async function sendBatch<P extends string, R, V>(
  call: Call<P, R, V>,
  { style, target, keys, before }: Group,
): Promise<readonly (Settled<R, string> | IndexerError | null)[]> {
  const { client, operation } = call;
  const { refusing } = client.shared;
  if (refusing.has(target.url)) return keys.map(() => null);
  try {
    const answers = await sendWithRetries(call, target, {
      content: keys.map((chain) => client.buildPart(call, style, [chain])),
      readBody: (values, read) =>
        Array.isArray(values) && values.length === keys.length
          ? values.map((value: unknown) => () => read(value))
          : undefined,
    });
    return keys.map((chain, index) => {
      try {
        const reading = checkAnswer(call, { target, keys: [chain] }, answers[index]?.() as Data)(chain);
        if (reading.isSpare || (reading.capped && operation.page)) return null;
        if (reading.error) throw reading.error;
        return successOf(reading, before);
      } catch (error) {
        const failure = failureOf(error, call);
        // The answers of a batch may be in the wrong order.
        const isAlone = /wrong-chain|not-served/.test(failure.code) || TRANSIENT.test(failure.code);
        return isAlone ? null : failure;
      }
    });
  } catch (error) {
    const failure = failureOf(error, call);
    if (failure.code !== "rejected") return keys.map(() => failure);
    refusing.add(target.url);
    return keys.map(() => null);
  }
}
