import { subgraph } from "../../../src/dialects/subgraph/index.ts";
import { type ServedStyle, storeHex } from "../served-style.ts";

/** Serves the subgraph style: graph-node's grammar over one chain. */
export const servedSubgraph: ServedStyle = {
  settings: ["boolFilters", "childSorting", "strictValidation", "maxComplexity"],
  // Bytes are compared and printed by value, in lower case.
  storeBytes: storeHex,
  loadExecutor: async () => {
    const { createSubgraphExecutor } = await import("./execute.ts");
    return (options) => {
      const breakage = subgraph.deriver.findBreakage(options.model);
      if (breakage === null) return createSubgraphExecutor(options);
      return () => ({ errors: [{ message: `Store error: store error: ${breakage.reason}` }] });
    };
  },
};
