import { multichain } from "../../../src/styles/multichain/index.ts";
import { RELEASES, type Release } from "../../../src/styles/multichain/release.ts";
import type { ServedStyle } from "../served-style.ts";

/** What serves the multichain style: Hasura's grammar over all chains. */
export const servedMultichain: ServedStyle = {
  settings: ["aggregates", "rowCap", "perChainEntities"],
  validate: async (text, place, { release = multichain.defaultRelease, perChainEntities = false } = {}) => {
    const { validateText } = await import("./validate-text.ts");
    validateText(text, place, RELEASES[release as Release], perChainEntities);
  },
  loadExecutor: async () => (await import("./execute.ts")).createMultichainExecutor,
};
