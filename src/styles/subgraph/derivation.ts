import type { Platform } from "./derive-options.ts";
import type { EntityTypes } from "./entity-types.ts";

/** What every step of a derivation needs: the graph-node derived for, and the model derived from. */
export type Derivation = Platform & { readonly types: EntityTypes };
