import type { Code } from "./code.ts";

/** A change of the platform is as severe as the worst that follows from it. */
const OF_WHAT_FOLLOWS = {
  breaking:
    "Something that follows from it is refused, or typed code gets what it does not expect, such as a counter that became a Float. The finding names by what.",
  risky: "Something that follows from it is still accepted, and its answer, type or meaning may be another.",
  additive: "Only new requests become possible, on these deployments.",
  cosmetic: "Nothing that is asked or answered changes.",
} as const;

/** What can happen to the platform behind a schema. */
export const PLATFORM = {
  "drift/platform-feature-added": {
    means: "The platform offers something it did not: a newer release, or a setting of whoever runs it.",
    matters:
      "The authors of the indexer changed nothing. What it means to who asks is what follows from it, and its severity is the worst of that.",
    severities: OF_WHAT_FOLLOWS,
    act: "Where an operation is hit, correct it or ask whoever runs the deployment. Else nothing has to be done; do not rely on what is new before every deployment has it.",
  },
  "drift/platform-feature-removed": {
    means:
      "The platform does not offer something any more, such as `and` and `or`, or orders by what a field refers to.",
    matters:
      "The authors of the indexer changed nothing, and hundreds of coordinates may be gone all the same; they are counted here, and named with --verbose and in the JSON report.",
    severities: OF_WHAT_FOLLOWS,
    act: "If operations use it, ask whoever runs the deployment, or do without; else accept it.",
  },
  "drift/platform-feature-changed": {
    means:
      "What the platform derives of the same entities is another thing, without a feature that tells why.",
    matters:
      "Most likely a release that Lockflow does not know. The entities are the same, and its severity is the worst of what follows from it.",
    severities: OF_WHAT_FOLLOWS,
    act: "Look at what is derived, and report the release so that it can be told by its name.",
  },
  "drift/platform-release-changed": {
    means: "The deployment runs another release of its platform, as far as its schema tells.",
    matters:
      "The authors of the indexer changed nothing; what the release is known to change is counted here, and its severity is the worst of that.",
    severities: OF_WHAT_FOLLOWS,
    act: "Where an operation is hit, correct it or ask whoever runs the deployment. Else nothing has to be done; do not rely on what is new before every deployment has it.",
  },
} as const satisfies Readonly<Record<string, Code>>;
