import type { StyleName } from "../../dialects/surface.ts";
import type { Code } from "../finding.ts";

/** Codes for differences between the two styles of a protocol, or between the deployments of a fleet. */
export const STYLES = {
  "parity/only-multichain": onlyIn("multichain"),
  "parity/only-subgraph": onlyIn("subgraph"),
  "parity/conflict": {
    severity: "breaking",
    message: inBoth,
    fix: "decide which of the two is right. Until the other is corrected, accept the finding with that reason.",
  },
  "parity/nullability": {
    severity: "risky",
    message: inBoth,
    fix: "treat the field as nullable in shared code.",
  },
  "parity/renamed": {
    severity: "breaking",
    message: (at: string, multichain: string, subgraph: string) =>
      `${at} seems to be named ${multichain} in multichain style and ${subgraph} in subgraph style.`,
    fix: "use an alias in operations to give both one name, or have one indexer rename its field.",
  },
} as const satisfies Readonly<Record<string, Code>>;

function inBoth(at: string, multichain: string, subgraph: string): string {
  return `${at} is ${multichain} in multichain style and ${subgraph} in subgraph style.`;
}

function onlyIn(style: StyleName) {
  return {
    severity: "risky",
    message: (at: string, _multichain: string, _subgraph: string) => `${at} exists only in ${style} style.`,
    fix: "leave it out of portable operations, or accept the finding if only this style should have it.",
  } as const satisfies Code;
}

/** Codes for the identity and health of endpoints. */
export const ENDPOINTS = {
  "identity/wrong-chain": { severity: "breaking", message: (said: string) => said },
  "identity/wrong-protocol": { severity: "breaking", message: (said: string) => said },
  "identity/same-chain": {
    severity: "breaking",
    message: (names: string, chain: string) => `${names} serve the same chain: ${chain}.`,
  },
  "identity/missing-chain": {
    severity: "breaking",
    message: (chain: string) => `The deployment has no rows of ${chain}.`,
  },
  "identity/unknown": { severity: "cosmetic", message: (said: string) => said },
  "health/retired": {
    message: (isGone: boolean) =>
      isGone
        ? "The endpoint is permanently gone (HTTP 410)."
        : "The endpoint answers, but the configuration says that it is retired.",
  },
  "health/moved": {
    severity: "risky",
    message: (urls: string) => `The endpoint has moved permanently to ${urls}.`,
    fix: "configure the new URL, if you trust its host.",
  },
  "health/dormant": {
    severity: "risky",
    message: "No indexer serves it now; gateways pause subgraphs that get no queries.",
    fix: 'try again in a few minutes, and query it regularly; or set its status to "dormant" in the configuration.',
  },
  "health/stuck": { severity: "risky", message: (said: string) => said },
  "health/behind": {
    severity: "risky",
    message: (lags: string) => `Its head block is behind that of its peers on the same chain: ${lags}.`,
    fix: "wait if it is catching up; otherwise ask its operator.",
  },
  "health/indexing-error": {
    severity: "risky",
    message: "Indexing has failed; the deployment returns the data indexed until then.",
    fix: "ask its operator, and use the other style meanwhile.",
  },
  "health/endpoint-dead": {
    severity: "risky",
    message: (days: string) => `The endpoint has not answered since ${days}.`,
    fix: 'correct its URL, or set its status to "dormant" or "retired" in the configuration.',
  },
} as const satisfies Readonly<Record<string, Code>>;
