import type { Row } from "../../styles/read-view.ts";
import type { Past } from "./chain-history.ts";
import { paymentRow, sentRow } from "./create-accounting.ts";
import { batchRow } from "./create-batches.ts";
import type { Tables } from "./create-store-versions.ts";
import type { Life } from "./simulation.ts";
import type { Stream } from "./stream.ts";
import { watcherRow } from "./watcher-row.ts";

/** The rows of a past by entity. Each table is made when it is asked for, and every time: keep what you get. */
export function baseTables<S extends Stream>(past: Past<S>, life: Life<S>): Tables {
  const { streams, actions, transactions, batches } = past;
  const { chainId } = past.clock;
  const makers = new Map<string, () => readonly Row[]>([
    ["Watcher", () => [watcherRow(chainId, actions.length, streams.length)]],
    ["Stream", () => streams.map(life.streamRow)],
    ["Action", () => actions],
    ["Batch", () => batches.map(batchRow)],
    ["Batcher", () => past.batcherRows],
    ["Revenue", () => past.books().revenueRows],
    ["RevenueTransaction", () => transactions.filter(paid).map((one) => paymentRow(chainId, one))],
    ["User", () => past.books().userRows],
    ["UserTransaction", () => transactions.map((one) => sentRow(chainId, one))],
  ]);
  for (const [entity, rowsOf] of life.partRows) makers.set(entity, () => streams.flatMap(rowsOf));
  return { get: (entity) => makers.get(entity)?.() };
}

function paid({ fee }: { readonly fee: bigint | null }): boolean {
  return fee !== null;
}
