import { subgraph } from "../../../src/styles/subgraph/index.ts";
import type { GraphNodeRelease } from "../../../src/styles/subgraph/release.ts";
import type { ServedStyle } from "../served-style.ts";

/** What serves the subgraph style: graph-node's grammar over one chain. */
export const servedSubgraph: ServedStyle = {
  settings: ["boolFilters", "childSorting", "strictValidation", "maxComplexity"],
  validate: async (text, place, { release = subgraph.defaultRelease } = {}) => {
    const { validateEntities } = await import("./validate-entities.ts");
    validateEntities(text, place, release as GraphNodeRelease);
  },
  loadExecutor: async () => (await import("./execute.ts")).createSubgraphExecutor,
};
