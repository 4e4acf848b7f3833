import { GRAPH_NODE_RELEASES } from "../../../../src/dialects/subgraph/release.ts";

/** What of executing a query depends on the release of the server. */
export type Quirks = {
  /** `or` beside column filters has a message of its own (B.4). */
  readonly explainsMixedOr: boolean;
  /** An empty list for `_in` or `_not_in` ends the request with a panic (B.4). */
  readonly panicsOnEmptyList: boolean;
  /** Introspection knows that input values are not deprecated; before, asking for it failed (A.10). */
  readonly fillsInputDeprecation: boolean;
  /** Aggregations take `current`; before, the unfinished bucket could not be had (B.10). */
  readonly hasCurrentBucket: boolean;
};

/** The quirks of a release; a name that is not one of ours counts as the newest. */
export function quirksOf(release: string): Quirks {
  const position = positionOf(release);
  return {
    explainsMixedOr: position >= positionOf("0.40"),
    panicsOnEmptyList: position === positionOf("0.39"),
    fillsInputDeprecation: position >= positionOf("0.43"),
    hasCurrentBucket: position >= positionOf("0.42"),
  };
}

const RELEASES: readonly string[] = GRAPH_NODE_RELEASES;

function positionOf(release: string): number {
  const position = RELEASES.indexOf(release);
  return position < 0 ? GRAPH_NODE_RELEASES.length : position;
}
