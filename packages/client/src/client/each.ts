import type { Chains, Project } from "../manifest/manifest-types.ts";
import { type Chain, type ChainList, type KeysOf, listKeys } from "./chain-ref.ts";
import type { Client, Inquiry } from "./client-types.ts";
import { failureOf, IndexerError } from "./indexer-error.ts";
import { type AskOptions, inquire, type Settled } from "./inquiry.ts";
import type { Given, Kind, PortableOperation } from "./portable-operation.ts";
import { prepare } from "./query-endpoint.ts";
import { TRANSIENT } from "./read-answer.ts";
import { settle } from "./run.ts";
import { sendWithRetries } from "./send-with-retries.ts";
import { type Group, groupChains, settleElsewhere } from "./settle-together.ts";
import { notify } from "./wait.ts";

/** The chains, and the options of each. */
export type EachOptions<C extends Chains, R, List = ChainList<C>> = AskOptions & {
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
  const settled = await inquire({ client, operation, variables }, options, (inquiry) => {
    const { groups, alone } = client.batch
      ? groupChains(inquiry, keys)
      : { groups: [], alone: [...new Set(keys)] };
    const all = [
      ...groups.flatMap((group) => settleBatches(inquiry, group)),
      ...alone.map((chain) => settle(inquiry, chain, inquiry.client.styles)),
    ];
    return Promise.all(
      all.map(async (asked) => {
        const result = (await asked) as Settled<R, never>;
        notify(onResult, result);
        return result;
      }),
    );
  });
  return keys.flatMap((key) => settled.find(({ chain }: Settled<R, string>) => chain === key) ?? []);
}

/** The most requests of a batch. */
const MOST_PARTS = 10;

/** Requests each chain of an endpoint separately, in batches if the endpoint accepts them. */
function settleBatches<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  group: Group,
): Promise<Settled<R, string>>[] {
  const { keys } = group;
  return keys.flatMap((_, start) => {
    if (start % MOST_PARTS > 0) return [];
    const own = keys.slice(start, start + MOST_PARTS);
    const asked = own.length > 1 ? requestBatch(inquiry, { ...group, keys: own }) : Promise.resolve([null]);
    return own.map(async (chain, index) => {
      const answer = (await asked)[index];
      if (answer instanceof IndexerError) return settleElsewhere(inquiry, group, chain, answer);
      return answer ?? settle(inquiry, chain, inquiry.client.styles);
    });
  });
}

/** Returns an answer or an error for each chain; null if the chain needs a request of its own. */
async function requestBatch<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  { style, target, keys, before }: Group,
): Promise<readonly (Settled<R, string> | IndexerError | null)[]> {
  const { client, operation, signal, maxLag = client.maxLag } = inquiry;
  const { refusing } = client.shared;
  if (refusing.has(target.url)) return keys.map(() => null);
  const prepared = keys.map((chain) => ({ chain, ...prepare(inquiry, style, target, [chain]) }));
  const parts = prepared.map(({ part }) => part);
  try {
    const question = { operation: operation.name, style, target, parts, isList: true };
    const answers = await sendWithRetries(client, question, signal);
    return prepared.map(({ chain, read }, index) => {
      try {
        const answer = answers[index];
        if (!answer || answer instanceof IndexerError) throw answer;
        const { data, head, capped, error } = read(answer)(chain);
        if (error) throw error;
        if (capped && operation.page) return null;
        return { status: "ok", chain, style, data, head, hasMore: capped > 0, tried: before };
      } catch (error) {
        const failure = failureOf(error, signal);
        const isOpen = failure.code === "behind" && typeof maxLag === "object";
        // The answers of a batch may be in the wrong order.
        const isAlone = /wrong-chain|not-served/.test(failure.code) || TRANSIENT.includes(failure.code);
        return isOpen || isAlone ? null : failure;
      }
    });
  } catch (error) {
    const failure = failureOf(error, signal);
    if (failure.code !== "rejected") return keys.map(() => failure);
    refusing.add(target.url);
    return keys.map(() => null);
  }
}
