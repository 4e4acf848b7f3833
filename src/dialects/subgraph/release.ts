/** The releases of graph-node Lockflow can derive for, oldest first. `0.40` stands for 0.40.0 and 0.40.1. */
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

/** The release that is derived for when none is named. */
export const DEFAULT_RELEASE: GraphNodeRelease = "0.40.2";

/** What shows in an API schema and since when; 0.36, 0.37, 0.39, 0.41, 0.43 and 0.45 changed nothing here. */
const FIRST_RELEASES = {
  /** Aggregations and what they need: the scalar `Timestamp`, the enum `Aggregation_interval`. */
  aggregations: "0.35",
  parentHash: "0.35",
  /** `stats_collection` where singular and plural of a type are the same. */
  collectionSuffix: "0.35",
  /** `scalar` and `union` definitions of the authors are dropped; before, they were shown like any other type. */
  idleTypesDropped: "0.35",
  /** Root fields in the order of interned names instead of document order. */
  internedOrder: "0.35",
  /** No `Subscription`; before, it had the fields of `Query` but the searches. */
  subscriptionsGone: "0.38",
  orderedAggregations: "0.38",
  /** Descriptions written as block strings have no final line feed any more. */
  trimmedDescriptions: "0.40.2",
  /** The argument `current` of aggregations, the enum `Aggregation_current`. */
  currentBucket: "0.42",
  /** Filters of lists ignore case only where items are text; before, every list had such filters. */
  nocaseForTextOnly: "0.42",
  logs: "0.44",
} satisfies Record<string, GraphNodeRelease>;

/** Which of the changes between releases a release has. */
export type GraphNodeFeatures = Readonly<Record<keyof typeof FIRST_RELEASES, boolean>>;

/** The features of a release; of the default one where none of the known ones is named. */
export function graphNodeFeatures(release: string = DEFAULT_RELEASE): GraphNodeFeatures {
  const known = GRAPH_NODE_RELEASES.find((one) => one === release) ?? DEFAULT_RELEASE;
  const position = GRAPH_NODE_RELEASES.indexOf(known);
  const has = (first: GraphNodeRelease) => position >= GRAPH_NODE_RELEASES.indexOf(first);
  return Object.fromEntries(
    Object.entries(FIRST_RELEASES).map(([feature, first]) => [feature, has(first)]),
  ) as GraphNodeFeatures;
}
