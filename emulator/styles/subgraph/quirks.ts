import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "../../../src/dialects/subgraph/release.ts";

/** The behaviours that depend on the server's release. */
export type Quirks = {
  /** `or` beside column filters has its own message. */
  readonly explainsMixedOr: boolean;
  /** An empty list for `_in` or `_not_in` ends the request with a panic. */
  readonly panicsOnEmptyList: boolean;
  /** Introspection supports the deprecation of input values; before, selecting it failed. */
  readonly fillsInputDeprecation: boolean;
  /** Aggregations accept `current`; before, the incomplete bucket was not available. */
  readonly hasCurrentBucket: boolean;
  /** Without a log store, `_logs` is refused; before, it was empty. */
  readonly refusesLogs: boolean;
};

export function quirksOf(release: string): Quirks {
  const releases: readonly string[] = GRAPH_NODE_RELEASES;
  const since = (first: GraphNodeRelease) => releases.indexOf(release) >= releases.indexOf(first);
  return {
    explainsMixedOr: since("0.40"),
    panicsOnEmptyList: release === "0.39",
    fillsInputDeprecation: since("0.43"),
    hasCurrentBucket: since("0.42"),
    refusesLogs: since("0.45"),
  };
}
