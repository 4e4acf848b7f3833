import type { ServedStyle } from "../served-style.ts";

/** What serves the multichain style: Hasura's grammar over all chains. */
export const servedMultichain: ServedStyle = {
  settings: ["aggregates", "rowCap", "perChainEntities"],
  // Bytes are text to the database, whatever is in them.
  storeBytes: (text) => text,
  loadExecutor: async () => (await import("./execute.ts")).createMultichainExecutor,
};
