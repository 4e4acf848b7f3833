import type { GraphNodeFeatures } from "../release.ts";
import type { EntityTypes } from "./entity-types.ts";

/** What every step of a derivation needs: the graph-node derived for, and the model derived from. */
export type Derivation = {
  readonly features: GraphNodeFeatures;
  /** False where the operator set `GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS`: no `and` and `or`. */
  readonly boolFilters: boolean;
  /** False where the operator set `GRAPH_GRAPHQL_DISABLE_CHILD_SORTING`: no `asset__symbol`. */
  readonly childSorting: boolean;
  readonly types: EntityTypes;
};
