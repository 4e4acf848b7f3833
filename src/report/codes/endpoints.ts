import type { Code } from "./code.ts";

/** Who an endpoint is, and how it is. */
export const ENDPOINTS = {
  "identity/wrong-chain": {
    severity: "breaking",
    message: (said: string) => said,
    means: "A deployment serves another chain than the manifest says.",
    matters: "Its readers get another chain's rows, which look valid.",
    act: "Correct its URL in the configuration.",
  },
  "identity/wrong-protocol": {
    severity: "breaking",
    message: (said: string) => said,
    means: "A deployment serves another protocol than the manifest says, or another project's indexer.",
    matters: "Operations are refused, or answered with rows of another project.",
    act: "Correct its URL in the configuration. If the protocol really changed this much, delete its snapshot and introspect again.",
  },
  "identity/same-chain": {
    severity: "breaking",
    message: (names: string, chain: string) => `${names} answer as one: ${chain}.`,
    means: "Two deployments of one fleet answer as the same chain.",
    matters: "One chain is read twice, and another not at all.",
    act: "Compare their URLs in the configuration: they are equal, or one belongs to another chain.",
  },
  "identity/missing-chain": {
    severity: "breaking",
    message: (chain: string) => `It has nothing of ${chain}.`,
    means: "A deployment has no rows of a chain that the manifest says it serves.",
    matters: "Queries for that chain return nothing, as if the chain were empty.",
    act: "Remove the chain from the deployment in the configuration, or ask its operator.",
  },
  "identity/unknown": {
    severity: "cosmetic",
    message: "It does not say which chain it serves.",
    fix: "look at its rows once.",
    means: "A deployment does not say which chain it serves.",
    matters: "Whether it is the right one is unknown.",
  },
  "health/retired": {
    message: (isGone: boolean) =>
      isGone ? "It is gone for good (HTTP 410)." : "It is called retired and answers.",
    means:
      "An endpoint that the configuration calls retired still answers, or an endpoint that it calls active is gone for good.",
    matters: "Readers miss data that they could have, or wait for answers that never come.",
    severities: {
      risky: "It is gone for good, and the configuration does not say so.",
      cosmetic: "It is called retired, and still answers.",
    },
    act: "Correct its status in the configuration.",
  },
  "health/dormant": {
    severity: "risky",
    message: "Nobody serves it at the moment, as happens to what nobody asks for long.",
    fix: "ask it again in a few minutes, and now and then from then on.",
    means: "No indexer serves a deployment at the moment, because nobody has queried it for long.",
    matters: "Its first answers are late or missing.",
  },
  "health/stuck": {
    severity: "risky",
    message: (said: string) => said,
    means:
      "The newest block of a deployment is the same as in an earlier run, though its chain went on; or no deployment of a chain, or no deployment at all, has moved for more than a day.",
    matters: "Answers are out of date, and get older.",
    act: "Ask its operator, and read the other style meanwhile. If no deployment moves, look at what they have in common, such as a provider or a cache.",
  },
  "health/behind": {
    severity: "risky",
    message: (lags: string) => `Its newest block is behind that of its peers for the same chain: ${lags}.`,
    fix: "wait if it is catching up; else ask whoever runs it.",
    means: "The newest block of a deployment is far behind that of its peer for the same chain.",
    matters: "Answers lack the latest events.",
  },
  "health/indexing-error": {
    severity: "risky",
    message: "Indexing has failed, and it answers with what it had until then.",
    fix: "ask whoever runs it, and read the other style meanwhile.",
    means: "A deployment says that indexing has failed.",
    matters: "It answers with the data that it had until then, or refuses to answer.",
  },
  "health/endpoint-dead": {
    severity: "risky",
    message: (days: string) => `It has not answered since ${days}.`,
    fix: 'correct its URL, or set its status to "retired" in the configuration.',
    means: "An endpoint has not answered for many days.",
    matters: "Nothing of its chain can be checked, and programs that read it fail.",
  },
} as const satisfies Readonly<Record<string, Code>>;
