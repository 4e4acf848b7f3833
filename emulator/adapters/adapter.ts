import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Environment } from "../../src/dialects/surface.ts";
import type { Indexer } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { Quota } from "./create-quota.ts";

/** How one style's platform answers HTTP. */
export type Adapter = {
  /** Where a deployment is found: the path that is shown. */
  readonly pathOf: (deployment: EmulatedDeployment, environment: Environment) => string;
  /** Other paths of the same endpoint. A path that two endpoints would have is nobody's. */
  readonly otherPathsOf: (deployment: EmulatedDeployment, environment: Environment) => readonly string[];
  /** The path of an endpoint inside the path of a request, which may hold a key, or slashes that do not count. */
  readonly addressOf: (path: string) => string;
  /** Whether a path is this platform's to answer, even when nothing is found there. */
  readonly owns: (path: string) => boolean;
  readonly reply: (exchange: Exchange) => Reply | Promise<Reply>;
};

/** One request as an adapter sees it. */
export type Exchange = {
  /** How many requests of any kind the emulator had before. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** What follows the question mark; empty without one. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Null when nothing is deployed at the path. */
  readonly endpoint: EmulatedEndpoint | null;
  /** Gives the indexer of a deployment, which is created by the first call. */
  readonly indexerOf: (deployment: EmulatedDeployment) => Promise<Indexer>;
  readonly quota: Quota;
  readonly keys: ApiKeys;
};

export type Reply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
};
