import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Environment } from "../../src/dialects/surface.ts";
import type { Indexer } from "../indexers/create-indexers.ts";
import type { EmulatedDeployment, EmulatedEndpoint } from "../indexers/emulated-deployment.ts";

/** How one style's platform answers HTTP. */
export type Adapter = {
  /** The path of a deployment's endpoint, as it is printed. */
  readonly pathOf: (deployment: EmulatedDeployment, environment: Environment) => string;
  /** Other paths of the same endpoint. A path that two endpoints share leads to neither. */
  readonly otherPathsOf: (deployment: EmulatedDeployment, environment: Environment) => readonly string[];
  /** Reads the endpoint's path off the path of a request, which may hold a key or extra slashes. */
  readonly addressOf: (path: string) => string;
  /** Whether this platform answers the path, even if nothing is deployed there. */
  readonly owns: (path: string) => boolean;
  readonly reply: (exchange: Exchange) => Reply | Promise<Reply>;
};

export type Exchange = {
  readonly method: string;
  readonly path: string;
  /** The part after the question mark; empty without one. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Null if no deployment has the path. */
  readonly endpoint: EmulatedEndpoint | null;
  /** Returns the indexer of a deployment; created by the first call. */
  readonly indexerOf: (deployment: EmulatedDeployment) => Promise<Indexer>;
  readonly quota: Quota;
  readonly keys: ApiKeys;
};

export type Reply = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array;
};

/** A key of the production URLs of subgraphs, with the limits of its owner. */
export type ApiKey = {
  /** 32 hexadecimal digits, as the real ones are; anything else is accepted too. */
  readonly key: string;
  /** The hosts whose pages may use it: `app.example.org`, `*.example.org`. @default any */
  readonly domains?: readonly string[] | undefined;
  /** The names of the deployments it is for. @default all */
  readonly deployments?: readonly string[] | undefined;
  /** The exhausted limit: free queries, or the monthly budget. @default none */
  readonly exhausted?: "queries" | "spend-limit" | undefined;
};

/** The keys that endpoints accept. */
export type ApiKeys = {
  /** By key, hexadecimal ones in lower case; null accepts any well-formed key. */
  readonly subgraph: ReadonlyMap<string, ApiKey> | null;
  /** The keys of multichain URLs; null needs none. */
  readonly multichain: ReadonlySet<string> | null;
};

/** Resolves the keys that a user gave: bare keys allow everything. */
export function resolveApiKeys(
  subgraph: readonly (string | ApiKey)[] | undefined,
  multichain: readonly string[] | undefined,
): ApiKeys {
  return {
    subgraph: subgraph
      ? new Map(
          subgraph
            .map((apiKey) => (typeof apiKey === "string" ? { key: apiKey } : apiKey))
            .map((apiKey) => [normalizeKey(apiKey.key), apiKey] as const),
        )
      : null,
    multichain: multichain ? new Set(multichain) : null,
  };
}

/** Keys are compared as the bytes of their 32 hexadecimal digits; others as text. */
export function normalizeKey(key: string): string {
  return isHexKey(key) ? key.toLowerCase() : key;
}

/** Whether a key has the form of the real ones. */
export function isHexKey(key: string): boolean {
  return /^[0-9a-f]{32}$/i.test(key);
}

export type Quota = {
  readonly daily: number;
  /** Takes one query off a deployment's day. Returns null, or the seconds to wait if none is left. */
  readonly take: (deployment: string) => number | null;
};

const DAY_MILLISECONDS = 86_400_000;

/** Creates the count of queries per deployment and UTC day; `now` returns milliseconds since the epoch. */
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
