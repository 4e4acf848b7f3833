import { multichain } from "./multichain/index.ts";
import type { Style } from "./style.ts";
import { subgraph } from "./subgraph/index.ts";
import type { StyleName } from "./surface.ts";

/** Every style by name. */
export const styles: Readonly<Record<StyleName, Style>> = { multichain, subgraph };
