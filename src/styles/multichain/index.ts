import { resolveRelease } from "../../base/resolve-release.ts";
import type { Style } from "../style.ts";
import { attributeMultichain } from "./attribute.ts";
import { deriveMultichain } from "./derive.ts";
import { findMultichainCapabilities } from "./find-capabilities.ts";
import { FEATURES } from "./platform-features.ts";
import { multichainProbe } from "./probe.ts";
import { readMultichain } from "./read.ts";
import { recognizeMultichain } from "./recognize.ts";
import { DEFAULT_RELEASE, RELEASES, type Release } from "./release.ts";
import { renameMultichain } from "./rename-derived.ts";
import { MULTICHAIN_SCALARS } from "./scalars.ts";

/** The dialect of the multichain indexers: Hasura's grammar over one endpoint for all chains. */
export const multichain: Style = {
  name: "multichain",
  platform: "envio",
  releases: Object.keys(RELEASES),
  resolveRelease: (name) => resolveRelease(name, "envio", Object.keys(RELEASES)),
  defaultRelease: DEFAULT_RELEASE,
  settings: ["aggregates", "perChainEntities"],
  readBlockString: null,
  // They are text to the database, whatever is in it.
  storeBytes: (text) => text,
  derive: (model, options) => deriveMultichain(model, { ...options, release: findRelease(options?.release) }),
  read: readMultichain,
  attribute: attributeMultichain,
  renameDerived: renameMultichain,
  recognize: recognizeMultichain,
  ownColumns: new Set([FEATURES.writeTimestamps.feature]),
  capabilities: findMultichainCapabilities,
  probe: multichainProbe,
  scalars: MULTICHAIN_SCALARS,
};

function findRelease(name: string | undefined): Release | undefined {
  return (Object.keys(RELEASES) as Release[]).find((release) => release === name);
}
