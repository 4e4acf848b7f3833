import type { Row } from "../../styles/read-view.ts";

/** The row of the entity `Watcher`, which counts. */
export function watcherRow(chainId: number, actions: number, streams: number): Row {
  return {
    id: String(chainId),
    actionCounter: String(actions),
    chainId: String(chainId),
    streamCounter: String(streams),
  };
}
