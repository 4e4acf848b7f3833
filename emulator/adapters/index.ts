import type { StyleName } from "../../src/project/vocabulary.ts";
import type { Front } from "./adapter.ts";
import { multichainFront } from "./multichain.ts";
import { subgraphFront } from "./subgraph.ts";

/** The front of each style. The first that owns a path answers it; the last owns whatever is left. */
export const fronts: Readonly<Record<StyleName, Front>> = {
  subgraph: subgraphFront,
  multichain: multichainFront,
};
