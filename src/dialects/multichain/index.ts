import type { Style } from "../style.ts";
import { deriveMultichain } from "./derive.ts";
import { listMultichainRows } from "./list-rows.ts";
import { renameMultichain, traceMultichain } from "./origins.ts";
import { MULTICHAIN_SCALARS } from "./platform-types.ts";
import { MULTICHAIN_PITFALLS, portableMultichain, readPagedMultichain } from "./portable.ts";
import { multichainProbe, multichainTextOrder } from "./probe.ts";
import { readMultichain } from "./read.ts";
import { FEATURES, findMultichainCapabilities, recognizeMultichain } from "./recognize.ts";
import { DEFAULT_RELEASE, RELEASES } from "./release.ts";

/** Finds nothing: what Envio takes, it serves. */
export function findMultichainBreakage(): null {
  return null;
}

/** The dialect of the multichain indexers: Hasura's grammar over one endpoint for all chains. */
export const multichain: Style = {
  name: "multichain",
  platform: {
    name: "envio",
    releases: Object.keys(RELEASES),
    defaultRelease: DEFAULT_RELEASE,
    settings: ["aggregates", "perChainEntities"],
    ownColumns: new Set([FEATURES.writeTimestamps.feature]),
    readBlockString: null,
  },
  validate: async (text, place, options = {}) => {
    const { validateMultichainEntities } = await import("./validate-entities.ts");
    validateMultichainEntities(text, place, options);
  },
  derive: deriveMultichain,
  findBreakage: findMultichainBreakage,
  read: readMultichain,
  provenance: traceMultichain,
  renameDerived: renameMultichain,
  recognize: recognizeMultichain,
  capabilities: findMultichainCapabilities,
  probe: multichainProbe,
  textOrder: multichainTextOrder,
  listRows: listMultichainRows,
  readPagedList: readPagedMultichain,
  pitfalls: MULTICHAIN_PITFALLS,
  scalars: MULTICHAIN_SCALARS,
  portable: portableMultichain,
};
