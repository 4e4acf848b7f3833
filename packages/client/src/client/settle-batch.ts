import { ask } from "./ask.ts";
import { prepare } from "./ask-endpoint.ts";
import { TRANSIENT } from "./classify.ts";
import { failureOf } from "./failure-of.ts";
import { type Group, settleElsewhere } from "./group-chains.ts";
import { IndexerError } from "./indexer-error.ts";
import type { Inquiry } from "./inquiry.ts";
import { settle } from "./run.ts";
import type { Settled } from "./settled.ts";

/** How many requests go as one. */
const MOST_PARTS = 10;

/** Asks for each of an endpoint's chains by itself, several by one HTTP request where it takes that. */
export function settleBatches<P extends string, R, V>(
  inquiry: Inquiry<P, R, V>,
  group: Group,
): Promise<Settled<R, string>>[] {
  const { keys } = group;
  return keys.flatMap((_, start) => {
    if (start % MOST_PARTS > 0) return [];
    const own = keys.slice(start, start + MOST_PARTS);
    const asked = own.length > 1 ? askTogether(inquiry, { ...group, keys: own }) : Promise.resolve([null]);
    return own.map(async (chain, index) => {
      const answer = (await asked)[index];
      if (answer instanceof IndexerError) return settleElsewhere(inquiry, group, chain, answer);
      return answer ?? settle(inquiry, chain, inquiry.client.styles);
    });
  });
}

/** An answer for each chain, or why there is none; null for one that is asked by itself. */
async function askTogether<P extends string, R, V>(
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
    const answers = await ask(client, question, signal);
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
        // An answer for another chain may stand at the wrong place of the list.
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
