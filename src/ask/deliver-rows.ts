import type { AskedChain } from "./ask-chains.ts";
import type { Asked } from "./asked.ts";
import type { RowSink } from "./row-sink.ts";

/** What came of a question whose rows went somewhere. */
export type Delivery = {
  /** Whether all rows were delivered, only some because chains failed, none for that reason, or somebody ended it. */
  readonly ended: "all" | "some" | "nothing" | "interrupted" | "unread";
  /** What came of the chains that were asked. */
  readonly chains: readonly AskedChain[];
};

/**
 * Asks, and delivers the rows as they come, from where an earlier run has come to.
 *
 * @param onRows is told of each part that was delivered, by the chain that it is of.
 */
export async function deliverRows(
  asked: Pick<Asked, "rows">,
  sink: RowSink,
  { signal, onRows }: { readonly signal: AbortSignal; readonly onRows: (chain: string | null) => void },
): Promise<Delivery> {
  const before = [...sink.chains];
  const chains: AskedChain[] = [];
  const rows = asked.rows({
    signal,
    places: new Map(before.flatMap(([chain, { place }]) => (place ? [[chain, place]] : []))),
    done: new Set(before.flatMap(([chain, { isDone }]) => (isDone ? [chain] : []))),
    onChain: (chain) => chains.push(chain),
  });
  try {
    for await (const part of rows) {
      if (!(await sink.take(part))) return { ended: "unread", chains };
      onRows(part.chain);
    }
  } catch (error) {
    sink.stop();
    if (!signal.aborted) throw error;
    return { ended: "interrupted", chains };
  }
  const failed = chains.filter(({ error }) => error !== null);
  await sink.finish(failed.length === 0);
  if (failed.length === 0) return { ended: "all", chains };
  const isNothing =
    sink.rows() === 0 && failed.length === chains.length && !before.some(([, one]) => one.isDone);
  return { ended: isNothing ? "nothing" : "some", chains };
}
