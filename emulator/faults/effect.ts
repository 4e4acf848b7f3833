import type { StyleName } from "../../src/dialects/surface.ts";
import type { Reply } from "../adapters/adapter.ts";
import type { Indexer, IndexerChange } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import type { Damage } from "./send-damaged.ts";

/** What a fault does to a request. */
export type Effect =
  | { readonly slot: "delay"; readonly milliseconds: number }
  | { readonly slot: "reset" }
  | { readonly slot: "reply"; readonly reply: Reply }
  | {
      readonly slot: "change";
      /** Null where a deployment stays as it is. `number` is the request's. */
      readonly change: (deployment: EmulatedDeployment, number: number) => IndexerChange | null;
    }
  | { readonly slot: "wrap"; readonly wrap: (indexer: Indexer, style: StyleName) => Indexer }
  | { readonly slot: "damage"; readonly damage: Partial<Damage> };

/** The order in which several faults take effect on one request, whatever order they were set in. */
export const SLOTS: readonly Effect["slot"][] = ["delay", "reset", "reply", "change", "wrap", "damage"];
