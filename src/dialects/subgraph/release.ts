/** The supported releases of graph-node, oldest first. `0.40` is 0.40.0 and 0.40.1. */
export const GRAPH_NODE_RELEASES = [
  "0.34",
  "0.35",
  "0.36",
  "0.37",
  "0.38",
  "0.39",
  "0.40",
  "0.40.2",
  "0.41",
  "0.42",
  "0.43",
  "0.44",
  "0.45",
] as const;

/** A release of graph-node. */
export type GraphNodeRelease = (typeof GRAPH_NODE_RELEASES)[number];

/** The default release. */
export const DEFAULT_RELEASE: GraphNodeRelease = "0.40.2";

/** The first releases with changes of the API. 0.36, 0.37, 0.39, 0.41, 0.43 and 0.45 did not change it. */
const FIRST_RELEASES = {
  /** Aggregations, with the scalar `Timestamp` and the enum `Aggregation_interval`. */
  aggregations: "0.35",
  parentHash: "0.35",
  /** `stats_collection` if the singular and plural of a type are the same. */
  collectionSuffix: "0.35",
  /** `scalar` and `union` definitions of the authors are hidden. */
  idleTypesDropped: "0.35",
  /** Root fields in the order of interned names instead of document order. */
  internedOrder: "0.35",
  /** No `Subscription`. Before, it had the fields of `Query` except searches. */
  subscriptionsGone: "0.38",
  orderedAggregations: "0.38",
  /** Descriptions from block strings no longer end with a line feed. */
  trimmedDescriptions: "0.40.2",
  /** The argument `current` of aggregations, the enum `Aggregation_current`. */
  currentBucket: "0.42",
  /** Only lists of text have filters that ignore case. Before, every list had them. */
  nocaseForTextOnly: "0.42",
  logs: "0.44",
} satisfies Record<string, GraphNodeRelease>;

/** The changes of the API that a release has. */
export type GraphNodeFeatures = Readonly<Record<keyof typeof FIRST_RELEASES, boolean>>;

/** Returns the features of a release; those of the default release for an unknown name. */
export function graphNodeFeatures(release: string = DEFAULT_RELEASE): GraphNodeFeatures {
  const releases: readonly string[] = GRAPH_NODE_RELEASES;
  const position = releases.indexOf(releases.includes(release) ? release : DEFAULT_RELEASE);
  const has = (first: GraphNodeRelease) => position >= releases.indexOf(first);
  return Object.fromEntries(
    Object.entries(FIRST_RELEASES).map(([feature, first]) => [feature, has(first)]),
  ) as GraphNodeFeatures;
}
