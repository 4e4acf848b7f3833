import type { StyleName } from "../../project/vocabulary.ts";
import type { Code } from "./code.ts";

/** What the two styles of a protocol, or the deployments of one fleet, do not agree in. */
export const STYLES = {
  "parity/only-multichain": onlyIn("multichain"),
  "parity/only-subgraph": onlyIn("subgraph"),
  "parity/conflict": {
    severity: "breaking",
    message: inBoth,
    fix: "find out which of the two is meant; until the other is corrected, accept it with that reason.",
    means: "A field of one name holds different things in the two styles.",
    matters: "One type cannot be right for both: code written for one style reads the other wrongly.",
  },
  "parity/nullability": {
    severity: "risky",
    message: inBoth,
    fix: "take the weaker of the two in shared code.",
    means: "A field may be null in one style and not in the other.",
    matters: "A shared type has to allow null.",
  },
  "parity/relation-nullability": {
    means: "A relation may be null in the multichain style although its `_id` column may not.",
    matters: "The platform declares every relation so. The referenced row is there, as in the other style.",
    act: "Nothing has to be done; shared types allow null.",
  },
  "parity/renamed": {
    severity: "breaking",
    message: (at: string, multichain: string, subgraph: string) =>
      `${at} seems to be called ${subgraph} in subgraph style, not ${multichain}.`,
    fix: "give both one name by an alias in operations, and have the other indexer follow.",
    means: "Two fields, one in each style, have the same type and the same neighbours, and different names.",
    matters: "Most likely it is one field that only one of the indexers renamed.",
  },
  "parity/opaque-enum": {
    means: "The multichain style shows an enum as a scalar, so that its members cannot be compared.",
    matters:
      "A member that only one style has would not be noticed here: whether the members agree is unknown.",
    act: "Nothing has to be done; the members in generated types are those of the subgraph style.",
  },
  "parity/scalar": {
    means: "The two styles write the same value as different scalars, such as `numeric` and `BigInt`.",
    matters:
      "The value is the same, and so is its type in generated code; only variables are declared differently.",
    act: "Nothing has to be done; declare variables with the scalar of the style that you query.",
  },
  "fleet/inconsistent": {
    means: "Some deployments of a fleet serve other entities than most.",
    matters:
      "An operation that is valid on one chain is refused on another. Each affected operation is named with its chains.",
    act: "Wait for the named chains to catch up, or query only the chains that the manifest lists; accept the finding meanwhile.",
  },
  "fleet/platform-variant": {
    means:
      "Some deployments of a fleet run another release or other settings of the platform, with the same entities.",
    matters: "The indexer is the same everywhere; only the features of the release differ.",
    act: "Nothing has to be done.",
  },
  "fleet/platform-unknown": {
    means: "Some deployments of a fleet differ in their platform in a way that no known release explains.",
    matters: "The entities are the same, but what else the platform does differently is unknown.",
    act: "Report it, so that Lockflow can recognize the release.",
  },
  "fleet/flapping": {
    means: "A deployment answered with two different schemas within one run.",
    matters: "Its gateway queries indexers of different releases. An operation may work and fail by turns.",
    severities: {
      breaking: "A breaking change hits operations by turns.",
      risky: "No breaking change hits an operation.",
    },
    act: "Use only what both schemas have, and ask again later.",
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
    means: `An entity or a field is there in the ${style} style only, and no rule of the platforms explains why.`,
    matters: "A portable operation cannot ask for it.",
    severities: {
      risky: "It is a field: what one style answers of an entity, the other cannot.",
      additive: "It is an entity with all of its fields: one more question that one style answers.",
    },
  } as const satisfies Code;
}
