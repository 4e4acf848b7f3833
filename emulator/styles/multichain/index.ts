import { multichain } from "../../../src/dialects/multichain/index.ts";
import { releaseFeatures } from "../../../src/dialects/multichain/release.ts";
import type { ServedStyle } from "../served-style.ts";

/** What serves the multichain style: Hasura's grammar over all chains. */
export const servedMultichain: ServedStyle = {
  settings: ["aggregates", "rowCap", "perChainEntities"],
  validate: async (
    text,
    place,
    { release = multichain.platform.defaultRelease, perChainEntities = false } = {},
  ) => {
    const { validateText } = await import("./validate-entities.ts");
    validateText(text, place, releaseFeatures(release), perChainEntities);
  },
  // Bytes are text to the database, whatever is in them.
  storeBytes: (text) => text,
  loadExecutor: async () => (await import("./execute.ts")).createMultichainExecutor,
};
