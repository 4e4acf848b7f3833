import type { ServerResponse } from "node:http";
import type { StyleName } from "../../src/dialects/surface.ts";
import type { Reply } from "../adapters/adapter.ts";
import type { Indexer, IndexerChange, Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import type { Damage } from "./send-damaged.ts";

export type Effect =
  | { readonly slot: "delay"; readonly milliseconds: number }
  | { readonly slot: "reset" }
  | { readonly slot: "reply"; readonly reply: Reply }
  | {
      readonly slot: "change";
      /** Null leaves a deployment unchanged. `number` is the request's. */
      readonly change: (deployment: EmulatedDeployment, number: number) => IndexerChange | null;
    }
  | { readonly slot: "wrap"; readonly wrap: (indexer: Indexer, style: StyleName) => Indexer }
  | { readonly slot: "damage"; readonly damage: Partial<Damage> };

/** The order in which faults take effect on a request. */
export const SLOTS: readonly Effect["slot"][] = ["delay", "reset", "reply", "change", "wrap", "damage"];

export type Injection = {
  /** Milliseconds before anything else happens. */
  readonly delay: number;
  /** The connection is reset without an answer. */
  readonly isReset: boolean;
  /** The answer in place of the indexer's. */
  readonly reply: Reply | null;
  /** The indexer that answers; may differ from the deployment's own. */
  readonly indexerOf: (indexers: Indexers, deployment: EmulatedDeployment) => Indexer;
  /** Sends a reply; null sends it unchanged. */
  readonly send: ((response: ServerResponse, reply: Reply) => Promise<void>) | null;
};

/** Decides the effect on a request, by its number among the requests of its endpoint. */
export type InjectFaults = (endpoint: EmulatedEndpoint, number: number) => Injection | null;
