import type { IncomingMessage, ServerResponse } from "node:http";
import type { StyleName } from "../../src/dialects/surface.ts";
import type { Reply } from "../adapters/adapter.ts";
import type { Indexer, IndexerChange, Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
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

/** What faults do to one request. */
export type Injection = {
  /** Milliseconds that pass before anything else happens. */
  readonly delay: number;
  /** The connection is reset, and nothing is answered. */
  readonly isReset: boolean;
  /** What is answered without asking the indexer. */
  readonly reply: Reply | null;
  /** The indexer that answers, which may be another one than the deployment's own. */
  readonly indexerOf: (indexers: Indexers, deployment: EmulatedDeployment) => Indexer;
  /** How a reply is sent; null sends it as it is. */
  readonly send: ((request: IncomingMessage, response: ServerResponse, reply: Reply) => void) | null;
};

/** Decides what happens to a request, by the number it has among the requests of its endpoint. */
export type InjectFaults = (endpoint: EmulatedEndpoint, number: number) => Injection | null;
