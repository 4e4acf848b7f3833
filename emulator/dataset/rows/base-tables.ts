import type { Row } from "../../styles/read-view.ts";
import type { ChainHistory } from "./chain-history.ts";
import { paymentRow, sentRow } from "./create-accounting.ts";
import { batchRow } from "./create-batches.ts";
import type { Tables } from "./create-store-versions.ts";
import type { StreamSimulation } from "./simulation.ts";
import type { Stream } from "./stream.ts";
import { watcherRow } from "./watcher-row.ts";

/** The rows of a history by entity. Each table is made when it is asked for, and anew each time. */
export function baseTables<S extends Stream>(
  history: ChainHistory<S>,
  simulation: StreamSimulation<S>,
): Tables {
  const { streams, actions, transactions, batches } = history;
  const { chainId } = history.clock;
  const makers = new Map<string, () => readonly Row[]>([
    ["Watcher", () => [watcherRow(chainId, actions.length, streams.length)]],
    ["Stream", () => streams.map(simulation.streamRow)],
    ["Action", () => actions],
    ["Batch", () => batches.map(batchRow)],
    ["Batcher", () => history.batcherRows],
    ["Revenue", () => history.accounting().revenueRows],
    ["RevenueTransaction", () => transactions.filter(paid).map((one) => paymentRow(chainId, one))],
    ["User", () => history.accounting().userRows],
    ["UserTransaction", () => transactions.map((one) => sentRow(chainId, one))],
  ]);
  for (const [entity, rowsOf] of simulation.partRows) makers.set(entity, () => streams.flatMap(rowsOf));
  return { get: (entity) => makers.get(entity)?.() };
}

function paid({ fee }: { readonly fee: bigint | null }): boolean {
  return fee !== null;
}
