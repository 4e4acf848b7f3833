import type { ServedStyle } from "../served-style.ts";

/** Serves the multichain style: Hasura's grammar over all chains. */
export const servedMultichain: ServedStyle = {
  settings: ["aggregates", "rowCap", "perChainEntities", "postgresDefault"],
  // The database stores bytes as arbitrary text.
  storeBytes: (text) => text,
  loadExecutor: async () => (await import("./execute.ts")).createMultichainExecutor,
};
