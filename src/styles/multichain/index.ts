import type { Style } from "../style.ts";
import { findMultichainCapabilities } from "./capabilities.ts";
import { deriveMultichain } from "./derive.ts";
import { findMultichainBreakage } from "./find-breakage.ts";
import { listMultichainRows } from "./list-rows.ts";
import { MULTICHAIN_PITFALLS } from "./pitfalls.ts";
import { FEATURES } from "./platform-features.ts";
import { portableMultichain } from "./portable.ts";
import { multichainProbe } from "./probe.ts";
import { traceMultichain } from "./provenance.ts";
import { readMultichain } from "./read.ts";
import { readPagedMultichain } from "./read-paged-list.ts";
import { recognizeMultichain } from "./recognize.ts";
import { DEFAULT_RELEASE, RELEASES } from "./release.ts";
import { renameMultichain } from "./rename-derived.ts";
import { MULTICHAIN_SCALARS } from "./scalars.ts";
import { multichainTextOrder } from "./text-order.ts";

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
