import type { StyleName } from "../../src/dialects/surface.ts";
import type { Adapter } from "./adapter.ts";
import { multichainAdapter } from "./multichain.ts";
import { subgraphAdapter } from "./subgraph.ts";

/** The adapter of each style. The first that owns a path answers it; the last owns whatever is left. */
export const adapters: Readonly<Record<StyleName, Adapter>> = {
  subgraph: subgraphAdapter,
  multichain: multichainAdapter,
};
