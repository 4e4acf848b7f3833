import { type PlatformOrigin, platformOrigin } from "../origin.ts";
import { LOG_TYPE_NAMES } from "./platform-types.ts";

/** The features that graph-node adds to every API schema or changed between releases, with their names in reports. */
export const FEATURES = {
  boolFilters: platformOrigin("and-or"),
  childSorting: platformOrigin("nested-order"),
  changeBlock: platformOrigin("_change_block"),
  subscriptions: platformOrigin("Subscription"),
  meta: platformOrigin("_meta"),
  blockTimestamp: platformOrigin("_Block_.timestamp"),
  parentHash: platformOrigin("_Block_.parentHash"),
  logs: platformOrigin("_logs"),
  aggregations: platformOrigin("aggregations"),
  orderedAggregations: platformOrigin("order of aggregations"),
  currentBucket: platformOrigin("current"),
  nocaseOnLists: platformOrigin("nocase on lists"),
  block: platformOrigin("block arguments"),
  subgraphError: platformOrigin("subgraphError arguments"),
  listArguments: platformOrigin("list arguments"),
  filters: platformOrigin("filters"),
  childFilters: platformOrigin("child filters"),
  order: platformOrigin("order values"),
  rootFields: platformOrigin("root fields"),
  int8: platformOrigin("Int8"),
  scalars: platformOrigin("scalars"),
  directives: platformOrigin("directives"),
} satisfies Record<string, PlatformOrigin>;

/** The features of the platform's types. */
export const TYPE_FEATURES: ReadonlyMap<string, PlatformOrigin> = new Map([
  ...["BigDecimal", "BigInt", "Boolean", "Bytes", "Float", "ID", "Int", "String"].map(
    (name) => [name, FEATURES.scalars] as const,
  ),
  ["Int8", FEATURES.int8],
  ["OrderDirection", FEATURES.listArguments],
  ["_SubgraphErrorPolicy_", FEATURES.subgraphError],
  ["BlockChangedFilter", FEATURES.changeBlock],
  ["Block_height", FEATURES.block],
  ["_Meta_", FEATURES.meta],
  ["_Block_", FEATURES.meta],
  ["Timestamp", FEATURES.aggregations],
  ["Aggregation_interval", FEATURES.aggregations],
  ["Aggregation_current", FEATURES.currentBucket],
  ...[...LOG_TYPE_NAMES].map((name) => [name, FEATURES.logs] as const),
]);

/** Returns the feature of an argument of a list. */
export function argumentFeature(argument: string, ofAggregation: boolean): PlatformOrigin {
  if (ofAggregation && argument.startsWith("order")) return FEATURES.orderedAggregations;
  return ARGUMENT_FEATURES.get(argument) ?? FEATURES.listArguments;
}

const ARGUMENT_FEATURES: ReadonlyMap<string, PlatformOrigin> = new Map([
  ["block", FEATURES.block],
  ["subgraphError", FEATURES.subgraphError],
  ["current", FEATURES.currentBucket],
  ["interval", FEATURES.aggregations],
]);
