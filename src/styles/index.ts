import type { StyleName } from "../project/vocabulary.ts";
import { multichain } from "./multichain/index.ts";
import type { Style } from "./style.ts";
import { subgraph } from "./subgraph/index.ts";

/** Every style by name. */
export const styles: Readonly<Record<StyleName, Style>> = { multichain, subgraph };
