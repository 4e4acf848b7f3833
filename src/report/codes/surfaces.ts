import type { StyleName } from "../../dialects/surface.ts";
import type { Code } from "../finding.ts";

/** Codes for differences between the two styles of a protocol, or between the deployments of a fleet. */
export const STYLES = {
  "parity/only-multichain": onlyIn("multichain"),
  "parity/only-subgraph": onlyIn("subgraph"),
  "parity/conflict": {
    severity: "breaking",
    message: inBoth,
    fix: "find out which of the two is meant; until the other is corrected, accept it with that reason.",
  },
  "parity/nullability": {
    severity: "risky",
    message: inBoth,
    fix: "take the weaker of the two in shared code.",
  },
  "parity/renamed": {
    severity: "breaking",
    message: (at: string, multichain: string, subgraph: string) =>
      `${at} seems to be called ${subgraph} in subgraph style, not ${multichain}.`,
    fix: "give both one name by an alias in operations, and have the other indexer follow.",
  },
} as const satisfies Readonly<Record<string, Code>>;

function inBoth(at: string, multichain: string, subgraph: string): string {
  return `${at} is ${multichain} in multichain style and ${subgraph} in subgraph style.`;
}

function onlyIn(style: StyleName) {
  return {
    severity: "risky",
    message: (at: string, _multichain: string, _subgraph: string) => `${at} is there in ${style} style only.`,
    fix: "leave it out of portable operations, or accept it if only this style is meant to have it.",
  } as const satisfies Code;
}

/** Codes for the identity and health of endpoints. */
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
