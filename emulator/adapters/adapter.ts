import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Environment } from "../../src/dialects/surface.ts";
import type { Indexer } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";

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

/** A key to the production URLs of subgraphs, with what its owner allows. */
export type ApiKey = {
  /** 32 hexadecimal digits, as the real ones are; anything else is accepted too. */
  readonly key: string;
  /** The hosts whose pages may use it: `app.example.org`, `*.example.org`. @default any */
  readonly domains?: readonly string[] | undefined;
  /** The names of the deployments it is for. @default all */
  readonly deployments?: readonly string[] | undefined;
  /** What has run out: its free queries, or what may be spent in a month. @default nothing */
  readonly exhausted?: "queries" | "spend-limit" | undefined;
};

/** Who may ask. */
export type ApiKeys = {
  /** By the key, hexadecimal ones in lower case; null accepts anything that looks like a key. */
  readonly subgraph: ReadonlyMap<string, ApiKey> | null;
  /** What multichain URLs ask for; null when they ask for nothing. */
  readonly multichain: ReadonlySet<string> | null;
};

/** Completes what a user gave: bare keys allow everything. */
export function resolveApiKeys(
  subgraph: readonly (string | ApiKey)[] | undefined,
  multichain: readonly string[] | undefined,
): ApiKeys {
  return {
    subgraph: subgraph
      ? new Map(
          subgraph
            .map((given) => (typeof given === "string" ? { key: given } : given))
            .map((given) => [normalizeKey(given.key), given] as const),
        )
      : null,
    multichain: multichain ? new Set(multichain) : null,
  };
}

/** Keys are compared as the bytes that 32 hexadecimal digits stand for, or else as they are. */
export function normalizeKey(key: string): string {
  return isHexKey(key) ? key.toLowerCase() : key;
}

/** Whether a key has the form of the real ones. */
export function isHexKey(key: string): boolean {
  return /^[0-9a-f]{32}$/i.test(key);
}

/** The daily allowance of the testing URLs. */
export type Quota = {
  readonly daily: number;
  /** Takes one query off a deployment's day: null when there was one left, else the seconds until there are again. */
  readonly take: (deployment: string) => number | null;
};

const DAY_MILLISECONDS = 86_400_000;

/** Creates the count of queries per deployment and UTC day; `now` is in milliseconds since the epoch. */
export function createQuota(daily: number, now: () => number): Quota {
  let today = -1;
  const taken = new Map<string, number>();
  return {
    daily,
    take: (deployment) => {
      const time = now();
      const day = Math.floor(time / DAY_MILLISECONDS);
      if (day !== today) taken.clear();
      today = day;
      const count = taken.get(deployment) ?? 0;
      if (count >= daily) return Math.ceil(((day + 1) * DAY_MILLISECONDS - time) / 1000);
      taken.set(deployment, count + 1);
      return null;
    },
  };
}
