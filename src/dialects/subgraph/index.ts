import type { EntityModel } from "../entity-model.ts";
import type { Style } from "../style.ts";
import { deriveSubgraph } from "./derive.ts";
import { listSubgraphRows } from "./list-rows.ts";
import { renameSubgraph, traceSubgraph } from "./origins.ts";
import { SUBGRAPH_SCALARS } from "./platform-types.ts";
import { portableSubgraph, readPagedSubgraph, SUBGRAPH_PITFALLS } from "./portable.ts";
import { subgraphProbe, subgraphTextOrder } from "./probe.ts";
import { readBlockString, readSubgraph } from "./read.ts";
import { findSubgraphCapabilities, recognizeSubgraph } from "./recognize.ts";
import { DEFAULT_RELEASE, GRAPH_NODE_RELEASES } from "./release.ts";

/**
 * Finds why a deployment that graph-node takes answers every query with an error: two of its entities, interfaces and
 * aggregations have one name, and with it the types that are derived from them.
 */
export function findSubgraphBreakage({ definitions }: EntityModel): { name: string; reason: string } | null {
  const seen = new Set<string>();
  for (const kind of ["entity", "interface", "aggregation"] as const) {
    for (const { name } of definitions.filter((definition) => definition.kind === kind)) {
      if (seen.has(name)) return { name, reason: `type ${name}_orderBy already exists in the input schema` };
      seen.add(name);
    }
  }
  return null;
}

/** The dialect of the per-chain indexers: graph-node's grammar over one endpoint per chain. */
export const subgraph: Style = {
  name: "subgraph",
  platform: {
    name: "graph-node",
    releases: GRAPH_NODE_RELEASES,
    defaultRelease: DEFAULT_RELEASE,
    settings: ["boolFilters", "childSorting"],
    ownColumns: new Set(),
    readBlockString,
  },
  validate: async (text, place, options = {}) => {
    const { validateSubgraphEntities } = await import("./validate-entities.ts");
    validateSubgraphEntities(text, place, options);
  },
  derive: deriveSubgraph,
  findBreakage: findSubgraphBreakage,
  read: readSubgraph,
  provenance: traceSubgraph,
  renameDerived: renameSubgraph,
  recognize: recognizeSubgraph,
  capabilities: findSubgraphCapabilities,
  probe: subgraphProbe,
  textOrder: subgraphTextOrder,
  listRows: listSubgraphRows,
  readPagedList: readPagedSubgraph,
  pitfalls: SUBGRAPH_PITFALLS,
  scalars: SUBGRAPH_SCALARS,
  portable: portableSubgraph,
};
