import type { AskedChain } from "./asked-rows.ts";
import type { RowSink } from "./sink.ts";

/** A question, and where its rows go. */
export type DeliveredQuestion<T extends Batch> = {
  readonly chains: readonly string[];
  readonly rows: (options: {
    readonly signal: AbortSignal;
    /** The only chain to ask; null for all. */
    readonly only: string | null;
    readonly onChain: (chain: AskedChain) => void;
  }) => AsyncGenerator<T, void, undefined>;
  readonly sink: RowSink<T>;
};

type Batch = { readonly chain: string | null };

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

/**
 * Asks questions and delivers the rows as they arrive. Several are asked chain by chain, so that they share the head of each
 * chain.
 *
 * @returns a delivery for each question.
 */
export async function deliverRows<T extends Batch>(
  questions: readonly DeliveredQuestion<T>[],
  { signal, onRows }: DeliveryOptions,
): Promise<readonly Delivery[]> {
  const all = questions.map((question) => ({ question, chains: [] as AskedChain[] }));
  const rounds = questions.length === 1 ? [null] : new Set(questions.flatMap(({ chains }) => chains));
  try {
    for (const only of rounds) {
      const asked = all.filter(({ question }) => only === null || question.chains.includes(only));
      const areRead = await settleAll(asked, async ({ question: { rows, sink }, chains }) => {
        for await (const batch of rows({ signal, only, onChain: (chain) => chains.push(chain) })) {
          if (!(await sink.take(batch))) return false;
          onRows(batch.chain);
        }
        return true;
      });
      if (areRead.includes(false)) return all.map(({ chains }) => ({ ended: "unread", chains }));
    }
  } catch (error) {
    for (const { sink } of questions) sink.stop();
    if (!signal.aborted) throw error;
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

async function finish<T extends Batch>(
  { sink }: DeliveredQuestion<T>,
  chains: readonly AskedChain[],
): Promise<Delivery> {
  const failed = chains.filter(({ error }) => error !== null);
  if (failed.length > 0 && failed.length === chains.length && !sink.hasRows()) {
    sink.stop();
    return { ended: "nothing", chains };
  }
  await sink.finish();
  return { ended: failed.length === 0 ? "all" : "some", chains };
}
