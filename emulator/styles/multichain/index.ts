import { type ServedStyle, storeHex } from "../served-style.ts";
import { widenChainIds } from "./widen-chain-ids.ts";

/** Serves the multichain style: Hasura's grammar over all chains. */
export const servedMultichain: ServedStyle = {
  settings: ["aggregates", "rowCap", "perChainEntities", "postgresDefault", "bytesType"],
  // A column of text accepts any text.
  storeBytes: (text, bytesType) => (bytesType === "uint8array" ? storeHex(text) : text),
  schemaOf: widenChainIds,
  loadExecutor: async () => (await import("./execute.ts")).createMultichainExecutor,
};
