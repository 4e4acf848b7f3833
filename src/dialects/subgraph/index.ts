import type { Style } from "../style.ts";
import { deriveSubgraph } from "./derive.ts";
import { renameSubgraph } from "./names.ts";
import { traceSubgraph } from "./origins.ts";
import { SUBGRAPH_PITFALLS } from "./pitfalls.ts";
import { SUBGRAPH_SCALARS } from "./platform-types.ts";
import { portableSubgraph, readFilterName } from "./portable.ts";
import { subgraphProber } from "./probe.ts";
import { readSubgraph } from "./read.ts";
import { findSubgraphCapabilities, recognizeSubgraph } from "./recognize.ts";
import { DEFAULT_RELEASE, GRAPH_NODE_RELEASES } from "./release.ts";

/** The dialect of the per-chain indexers: graph-node's grammar over one endpoint per chain. */
export const subgraph: Style = {
  name: "subgraph",
  platform: {
    name: "graph-node",
    releases: GRAPH_NODE_RELEASES,
    defaultRelease: DEFAULT_RELEASE,
    settings: ["boolFilters", "childSorting"],
    ownColumns: new Set(),
    hiddenArguments: new Map([
      ["aggregate", ["fn", "arg", "cumulative"]],
      ["aggregation", ["source"]],
      ["derivedFrom", ["field"]],
      ["entity", ["immutable", "timeseries"]],
      ["fulltext", ["language", "algorithm", "include"]],
    ]),
  },
  scalars: SUBGRAPH_SCALARS,
  schemas: {
    read: readSubgraph,
    recognize: recognizeSubgraph,
    findCapabilities: findSubgraphCapabilities,
    findRetyped: () => [],
  },
  deriver: {
    validate: async (text, place, options = {}) => {
      const { validateSubgraphEntities } = await import("./validate-entities.ts");
      validateSubgraphEntities(text, place, options);
    },
    derive: deriveSubgraph,
    traceOrigins: traceSubgraph,
    renameDerived: renameSubgraph,
  },
  prober: subgraphProber,
  pitfalls: SUBGRAPH_PITFALLS,
  portable: portableSubgraph,
  filters: {
    entityOf: (type) => /^(.+)_filter$/.exec(type)?.[1] ?? null,
    fieldsOf: (member) =>
      readFilterName(member)
        .filter(({ operator }) => !TAKES_OTHERS.has(operator.name))
        .map(({ field }) => field),
  },
};

/** The operators that compare with a part of a value, or with another row. */
const TAKES_OTHERS: ReadonlySet<string> = new Set(["contains", "starts-with", "ends-with", "related"]);
