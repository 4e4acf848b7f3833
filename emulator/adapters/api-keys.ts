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
