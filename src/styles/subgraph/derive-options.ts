import type { DeriveOptions } from "../style.ts";
import {
  DEFAULT_RELEASE,
  type GraphNodeFeatures,
  type GraphNodeRelease,
  graphNodeFeatures,
} from "./release.ts";

/** Whose graph-node to derive for. */
export type SubgraphDeriveOptions = DeriveOptions & {
  readonly release?: GraphNodeRelease | undefined;
  /** False where the operator set `GRAPH_GRAPHQL_DISABLE_BOOL_FILTERS`: no `and` and `or`. */
  readonly boolFilters?: boolean | undefined;
  /** False where the operator set `GRAPH_GRAPHQL_DISABLE_CHILD_SORTING`: no `asset__symbol`. */
  readonly childSorting?: boolean | undefined;
};

/** What derivation knows about the graph-node it derives for. */
export type Platform = {
  readonly features: GraphNodeFeatures;
  readonly boolFilters: boolean;
  readonly childSorting: boolean;
};

/** Completes the options of a derivation. */
export function resolveDeriveOptions(options: SubgraphDeriveOptions): Platform {
  return {
    features: graphNodeFeatures(options.release ?? DEFAULT_RELEASE),
    boolFilters: options.boolFilters ?? true,
    childSorting: options.childSorting ?? true,
  };
}
