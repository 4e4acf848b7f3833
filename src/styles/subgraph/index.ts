import type { Style } from "../style.ts";
import { findSubgraphCapabilities } from "./capabilities.ts";
import { deriveSubgraph } from "./derive.ts";
import { findSubgraphBreakage } from "./find-breakage.ts";
import { listSubgraphRows } from "./list-rows.ts";
import { SUBGRAPH_PITFALLS } from "./pitfalls.ts";
import { portableSubgraph } from "./portable.ts";
import { subgraphProbe } from "./probe.ts";
import { traceSubgraph } from "./provenance.ts";
import { readBlockString } from "./read/read-block-string.ts";
import { readSubgraph } from "./read.ts";
import { readPagedSubgraph } from "./read-paged-list.ts";
import { recognizeSubgraph } from "./recognize.ts";
import { DEFAULT_RELEASE, GRAPH_NODE_RELEASES } from "./release.ts";
import { renameSubgraph } from "./rename-derived.ts";
import { SUBGRAPH_SCALARS } from "./scalars.ts";
import { subgraphTextOrder } from "./text-order.ts";

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
