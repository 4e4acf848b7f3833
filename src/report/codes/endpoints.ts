import type { Code } from "./code.ts";

/** Who an endpoint is, and how it is. */
export const ENDPOINTS = {
  "identity/wrong-chain": { severity: "breaking", message: (said: string) => said },
  "identity/wrong-protocol": { severity: "breaking", message: (said: string) => said },
  "identity/same-chain": {
    severity: "breaking",
    message: (names: string, chain: string) => `${names} answer as one: ${chain}.`,
  },
  "identity/missing-chain": {
    severity: "breaking",
    message: (chain: string) => `It has nothing of ${chain}.`,
  },
  "identity/unknown": { severity: "cosmetic", message: (said: string) => said },
  "health/retired": {
    message: (isGone: boolean) =>
      isGone ? "It is gone for good (HTTP 410)." : "It is called retired and answers.",
  },
  "health/dormant": {
    severity: "risky",
    message: "Nobody serves it at the moment, as happens to what nobody asks for long.",
    fix: 'ask it again in a few minutes, and now and then from then on; or set its status to "dormant".',
  },
  "health/stuck": { severity: "risky", message: (said: string) => said },
  "health/behind": {
    severity: "risky",
    message: (lags: string) => `Its newest block is behind that of its peers for the same chain: ${lags}.`,
    fix: "wait if it is catching up; else ask whoever runs it.",
  },
  "health/indexing-error": {
    severity: "risky",
    message: "Indexing has failed, and it answers with what it had until then.",
    fix: "ask whoever runs it, and read the other style meanwhile.",
  },
  "health/endpoint-dead": {
    severity: "risky",
    message: (days: string) => `It has not answered since ${days}.`,
    fix: 'correct its URL, or set its status to "dormant" or "retired" in the configuration.',
  },
} as const satisfies Readonly<Record<string, Code>>;
