import type { TextOrderProbe } from "../style.ts";

/** Nothing is asked: graph-node wants a database whose collation is `C`, and so orders text by bytes. */
export const subgraphTextOrder: TextOrderProbe | null = null;
