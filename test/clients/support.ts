import { afterAll, beforeAll } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";

/** The URLs on which a client is tested. Only the production URL of the subgraph requires a key. */
export type Urls = {
  readonly multichain: string;
  readonly testing: string;
  readonly production: string;
};

export const KEY = "0123456789abcdef0123456789abcdef";

/** Starts one emulator for a suite and returns its endpoints for Base. */
export function withEmulator(): () => Urls {
  let emulator: Emulator | undefined;
  beforeAll(async () => {
    emulator = await startEmulator({
      streams: 12,
      apiKeys: [KEY],
      deployments: [
        {
          name: "subgraph",
          protocol: "lockup",
          style: "subgraph",
          chainIds: [8453],
          environments: ["production", "testing"],
        },
        {
          name: "multichain",
          protocol: "lockup",
          style: "multichain",
          chainIds: [1, 8453],
          environments: ["production"],
        },
      ],
    });
  });
  afterAll(() => emulator?.close());
  return () => {
    const urlOf = (name: string, environment: string) => {
      const found = emulator?.endpoints.find(
        (one) => one.deployment === name && one.environment === environment,
      );
      if (found === undefined) throw new Error(`The emulator serves no ${environment} ${name}.`);
      return found.url;
    };
    return {
      multichain: urlOf("multichain", "production"),
      testing: urlOf("subgraph", "testing"),
      production: urlOf("subgraph", "production"),
    };
  };
}

/** For each style, a query of a field that does not exist, and its error. */
export const UNKNOWN_FIELD = {
  subgraph: { query: "query Wrong { streams { nope } }", message: "Type `Stream` has no field `nope`" },
  multichain: {
    query: "query Wrong { Stream { nope } }",
    message: "field 'nope' not found in type: 'Stream'",
    extensions: { path: "$.selectionSet.Stream.selectionSet.nope", code: "validation-failed" },
  },
} as const;

export const NO_KEY = "auth error: missing authorization header";
