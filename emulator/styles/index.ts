import type { StyleName } from "../../src/dialects/surface.ts";
import { servedMultichain } from "./multichain/index.ts";
import type { ServedStyle } from "./served-style.ts";
import { servedSubgraph } from "./subgraph/index.ts";

export const servedStyles: Readonly<Record<StyleName, ServedStyle>> = {
  multichain: servedMultichain,
  subgraph: servedSubgraph,
};
