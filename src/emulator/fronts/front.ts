import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Environment } from "../../model/vocabulary.ts";
import type { Indexer } from "../create-indexers.ts";
import type { Quota } from "../create-quota.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../emulated-deployment.ts";

/** How one style's platform answers HTTP. */
export type Front = {
  /** Where a deployment is found. */
  readonly pathOf: (deployment: EmulatedDeployment, environment: Environment) => string;
  /** Whether a path is this platform's to answer, even when nothing is found there. */
  readonly owns: (path: string) => boolean;
  readonly reply: (exchange: Exchange) => Reply | Promise<Reply>;
};

/** One request as a front sees it. */
export type Exchange = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Null when nothing is deployed at the path. */
  readonly endpoint: EmulatedEndpoint | null;
  /** Brings the indexer of a deployment to life. */
  readonly indexerOf: (deployment: EmulatedDeployment) => Promise<Indexer>;
  readonly quota: Quota;
  /** The keys that are accepted; null accepts any. */
  readonly apiKeys: readonly string[] | null;
};

export type Reply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer;
};
