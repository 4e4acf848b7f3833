import { type ServedStyle, storeHex } from "../served-style.ts";

/** Serves the subgraph style: graph-node's grammar over one chain. */
export const servedSubgraph: ServedStyle = {
  settings: ["boolFilters", "childSorting", "strictValidation", "maxComplexity"],
  // Bytes are compared and printed by value, in lower case.
  storeBytes: storeHex,
  loadExecutor: async () => (await import("./execute.ts")).createSubgraphExecutor,
};
