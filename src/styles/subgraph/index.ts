import { resolveRelease } from "../../base/resolve-release.ts";
import type { Style } from "../style.ts";
import { attributeSubgraph } from "./attribute.ts";
import { deriveSubgraph } from "./derive.ts";
import { findSubgraphCapabilities } from "./find-capabilities.ts";
import { subgraphProbe } from "./probe.ts";
import { readSubgraph } from "./read.ts";
import { readBlockString } from "./read-block-string.ts";
import { recognizeSubgraph } from "./recognize.ts";
import { DEFAULT_RELEASE, GRAPH_NODE_RELEASES, type GraphNodeRelease } from "./release.ts";
import { renameSubgraph } from "./rename-derived.ts";
import { SUBGRAPH_SCALARS } from "./scalars.ts";

/** The dialect of the per-chain indexers: graph-node's grammar over one endpoint per chain. */
export const subgraph: Style = {
  name: "subgraph",
  platform: "graph-node",
  releases: GRAPH_NODE_RELEASES,
  resolveRelease: (name) => resolveRelease(name, "graph-node", GRAPH_NODE_RELEASES),
  defaultRelease: DEFAULT_RELEASE,
  settings: ["boolFilters", "childSorting"],
  readBlockString,
  // They are compared and printed by their bytes, which have no case.
  storeBytes: (text) => (/^0x(?:[0-9a-f]{2})*$/i.test(text) ? text.toLowerCase() : null),
  derive: (model, options) => deriveSubgraph(model, { ...options, release: findRelease(options?.release) }),
  read: readSubgraph,
  attribute: attributeSubgraph,
  renameDerived: renameSubgraph,
  recognize: recognizeSubgraph,
  ownColumns: new Set(),
  capabilities: findSubgraphCapabilities,
  probe: subgraphProbe,
  scalars: SUBGRAPH_SCALARS,
};

function findRelease(name: string | undefined): GraphNodeRelease | undefined {
  return GRAPH_NODE_RELEASES.find((release) => release === name);
}
