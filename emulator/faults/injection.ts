import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../adapters/adapter.ts";
import type { Indexer, Indexers } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";

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
