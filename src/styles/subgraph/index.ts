import type { Style } from "../style.ts";
import { derive } from "./derive.ts";
import { createSubgraphExecutor } from "./execute.ts";
import { subgraphProbe } from "./probe.ts";
import { read } from "./read.ts";
import { GRAPH_NODE_RELEASES, type GraphNodeRelease } from "./release.ts";
import { scalars } from "./scalars.ts";
import { validateEntities } from "./validate-entities.ts";

/** The dialect of the per-chain indexers: graph-node's grammar over one endpoint per chain. */
export const subgraph: Style = {
  name: "subgraph",
  releases: GRAPH_NODE_RELEASES,
  hasAggregates: false,
  validate: validateEntities,
  derive: (model, options) => derive(model, { release: findRelease(options?.release) }),
  read,
  createExecutor: createSubgraphExecutor,
  probe: subgraphProbe,
  scalars,
};

function findRelease(name: string | undefined): GraphNodeRelease | undefined {
  return GRAPH_NODE_RELEASES.find((release) => release === name);
}
