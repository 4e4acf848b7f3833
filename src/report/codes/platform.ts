import type { ChangeKind } from "../../schema/change.ts";
import type { Code } from "./code.ts";

/** A change of the platform is as severe as the worst that follows from it. */
const OF_WHAT_FOLLOWS = {
  breaking:
    "Something that follows from it is refused, or typed code gets a value that it does not expect, such as a counter that became a Float. The finding names it.",
  risky:
    "Something that follows from it is still accepted, and its answer, type or meaning may have changed.",
  additive: "New requests become possible on these deployments.",
  cosmetic: "Requests and answers stay the same.",
} as const;

const FOLLOW =
  "Where an operation is hit, correct it or ask the operator of the deployment. Otherwise do nothing, and do not rely on what is new before every deployment has it.";

/** What can happen to the platform behind a schema. */
export const PLATFORM = {
  "drift/platform-feature-added": {
    means: "The platform offers a new feature: it is a newer release, or its operator changed a setting.",
    matters:
      "The authors of the indexer changed nothing. Its severity is the worst of all that follows from it.",
    severities: OF_WHAT_FOLLOWS,
    act: FOLLOW,
  },
  "drift/platform-feature-removed": {
    means:
      "The platform no longer offers a feature, such as `and` and `or`, or orders by fields of a referenced entity.",
    matters:
      "The authors of the indexer changed nothing, and still hundreds of coordinates may be removed. They are counted here, and named with --verbose and in the JSON report.",
    severities: OF_WHAT_FOLLOWS,
    act: "If operations use it, ask the operator of the deployment, or do without it. Otherwise accept the finding.",
  },
  "drift/platform-feature-changed": {
    means: "The platform derives something else from the same entities, and no known feature explains why.",
    matters:
      "Most likely it is a release that Lockflow does not know. The entities are the same. Its severity is the worst of all that follows from it.",
    severities: OF_WHAT_FOLLOWS,
    act: "Look at what is derived, and report the release, so that Lockflow can recognize it.",
  },
  "drift/platform-release-changed": {
    means: "The deployment runs another release of its platform, as far as its schema tells.",
    matters:
      "The authors of the indexer changed nothing. The known changes of the release are counted here, and its severity is the worst of them.",
    severities: OF_WHAT_FOLLOWS,
    act: FOLLOW,
  },
} as const satisfies Readonly<Partial<Record<`drift/${ChangeKind}`, Code>>>;
