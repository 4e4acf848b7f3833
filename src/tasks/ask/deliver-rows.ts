import type { Asked } from "../ask.ts";
import type { AskedChain } from "./asked-rows.ts";
import type { RowSink } from "./sink.ts";

/** A question, and where its rows go. */
export type DeliveredQuestion = { readonly asked: Pick<Asked, "rows" | "chains">; readonly sink: RowSink };

/** How rows are delivered. */
export type DeliveryOptions = {
  readonly signal: AbortSignal;
  /** Called after each delivered part with its chain. */
  readonly onRows: (chain: string | null) => void;
};

/** The end of a run whose rows went into a sink. */
export type Delivery = {
  /** `some` and `nothing` if chains failed, `interrupted` by the signal, `unread` if the reader stopped reading. */
  readonly ended: "all" | "some" | "nothing" | "interrupted" | "unread";
  /** The results of the queried chains. */
  readonly chains: readonly AskedChain[];
};

/** Asks a question and delivers the rows as they arrive, from where an earlier run stopped. */
export async function deliverRows(question: DeliveredQuestion, options: DeliveryOptions): Promise<Delivery> {
  const chains: AskedChain[] = [];
  try {
    if (!(await takeRows(question, chains, options))) return { ended: "unread", chains };
  } catch (error) {
    question.sink.stop();
    if (!options.signal.aborted) throw error;
    return { ended: "interrupted", chains };
  }
  return finish(question, chains);
}

/**
 * Asks questions chain by chain, so that they share the head of each chain, and delivers the rows of each to its sink.
 *
 * @returns a delivery for each question.
 */
export async function deliverTogether(
  questions: readonly DeliveredQuestion[],
  options: DeliveryOptions,
): Promise<readonly Delivery[]> {
  const all = questions.map((question) => ({ question, chains: [] as AskedChain[] }));
  try {
    for (const only of new Set(questions.flatMap(({ asked }) => asked.chains))) {
      const own = all.filter(({ question }) => question.asked.chains.includes(only));
      await settleAll(own, ({ question, chains }) => takeRows(question, chains, { ...options, only }));
    }
  } catch (error) {
    for (const { sink } of questions) sink.stop();
    if (!options.signal.aborted) throw error;
    return all.map(({ chains }) => ({ ended: "interrupted", chains }));
  }
  return settleAll(all, ({ question, chains }) => finish(question, chains));
}

/** Waits for all results, so that nothing runs any more when the first error is thrown. */
async function settleAll<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const results = await Promise.allSettled(items.map(action));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/**
 * Delivers the rows of a question, or of one of its chains.
 *
 * @returns false if the reader stopped reading.
 */
async function takeRows(
  { asked, sink }: DeliveredQuestion,
  chains: AskedChain[],
  { signal, onRows, only = null }: DeliveryOptions & { readonly only?: string | null },
): Promise<boolean> {
  const before = [...sink.chains];
  const done = before.flatMap(([chain, { isDone }]) => (isDone ? [chain] : []));
  const others = only === null ? [] : asked.chains.filter((chain) => chain !== only);
  const rows = asked.rows({
    ...{ signal, renews: sink.renews ?? false },
    marks: new Map(before.flatMap(([chain, { mark }]) => (mark ? [[chain, mark]] : []))),
    heads: new Map(before.flatMap(([chain, { head }]) => (head === null ? [] : [[chain, head]]))),
    places: new Map(before.flatMap(([chain, { place }]) => (place ? [[chain, place]] : []))),
    done: new Set([...done, ...others]),
    onChain: (chain) => chains.push(chain),
  });
  for await (const part of rows) {
    if (!(await sink.take(part))) return false;
    onRows(part.chain);
  }
  return true;
}

async function finish({ sink }: DeliveredQuestion, chains: readonly AskedChain[]): Promise<Delivery> {
  const failed = chains.filter(({ error }) => error !== null);
  await sink.finish(failed.length === 0);
  if (failed.length === 0) return { ended: "all", chains };
  const isNothing =
    sink.rows() === 0 &&
    failed.length === chains.length &&
    ![...sink.chains.values()].some((one) => one.isDone);
  return { ended: isNothing ? "nothing" : "some", chains };
}
