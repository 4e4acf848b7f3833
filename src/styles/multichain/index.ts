import type { Style } from "../style.ts";
import { deriveMultichain } from "./derive.ts";
import { multichainProbe } from "./probe.ts";
import { readMultichain } from "./read.ts";
import { DEFAULT_RELEASE, RELEASES, type Release } from "./release.ts";
import { MULTICHAIN_SCALARS } from "./scalars.ts";

/** The dialect of the multichain indexers: Hasura's grammar over one endpoint for all chains. */
export const multichain: Style = {
  name: "multichain",
  releases: Object.keys(RELEASES),
  defaultRelease: DEFAULT_RELEASE,
  settings: ["aggregates", "rowCap"],
  // What this platform refuses shows in the model already, so derivation refuses it.
  validate: async () => {},
  derive: (model, options) =>
    deriveMultichain(model, { aggregates: options?.aggregates, release: findRelease(options?.release) }),
  read: readMultichain,
  loadExecutor: async () => (await import("./execute.ts")).createMultichainExecutor,
  probe: multichainProbe,
  scalars: MULTICHAIN_SCALARS,
};

function findRelease(name: string | undefined): Release | undefined {
  return (Object.keys(RELEASES) as Release[]).find((release) => release === name);
}
