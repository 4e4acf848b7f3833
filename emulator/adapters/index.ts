import type { StyleName } from "../../src/dialects/surface.ts";
import type { Adapter } from "./adapter.ts";
import { multichainAdapter } from "./multichain.ts";
import { subgraphAdapter } from "./subgraph.ts";

/** The adapter of each style. The first that owns a path answers it; the last answers all other paths. */
export const adapters: Readonly<Record<StyleName, Adapter>> = {
  subgraph: subgraphAdapter,
  multichain: multichainAdapter,
};
