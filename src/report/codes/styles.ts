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
    means: "A field is there in both styles and holds two different things.",
    matters: "One type cannot be right for both: code written for one style reads the other wrongly.",
  },
  "parity/nullability": {
    severity: "risky",
    message: inBoth,
    fix: "take the weaker of the two in shared code.",
    means: "A field may be null in one style and not in the other.",
    matters: "A type that is shared has to allow the null.",
  },
  "parity/relation-nullability": {
    means: "A relation may be null in the multichain style although its `_id` column may not.",
    matters: "That is how the platform writes relations; the row referred to is there as in the other style.",
    act: "Nothing has to be done; shared types allow the null.",
  },
  "parity/renamed": {
    severity: "breaking",
    message: (at: string, multichain: string, subgraph: string) =>
      `${at} seems to be called ${subgraph} in subgraph style, not ${multichain}.`,
    fix: "give both one name by an alias in operations, and have the other indexer follow.",
    means:
      "A field of one style and one of the other have the same type and the same neighbours, and two names.",
    matters: "It is most likely one field that only one of the indexers has renamed.",
  },
  "parity/opaque-enum": {
    means: "The multichain style shows an enum as a scalar, so that its members cannot be compared.",
    matters:
      "A member that only one style knows would not be noticed here; that they agree is unknown, not true.",
    act: "Nothing has to be done; the members in generated types are those of the subgraph style.",
  },
  "parity/scalar": {
    means: "The two styles write the same value as different scalars, such as `numeric` and `BigInt`.",
    matters:
      "The value is the same, and so is its type in generated code; only variables are declared differently.",
    act: "Nothing has to be done; declare variables with the scalar of the style that is asked.",
  },
  "fleet/inconsistent": {
    means: "Some deployments of a fleet serve other entities than most do.",
    matters:
      "What is valid on one chain is refused on another. Each operation that is hit is named with the chains.",
    act: "Wait for the named chains to catch up, or ask the chains only that the manifest lists; accept it meanwhile.",
  },
  "fleet/platform-variant": {
    means:
      "Some deployments of a fleet run another release or other settings of the platform, with the same entities.",
    matters: "The indexer is the same everywhere; only what the release adds or lacks differs.",
    act: "Nothing has to be done.",
  },
  "fleet/platform-unknown": {
    means: "Some deployments of a fleet differ in their platform in a way that no known release explains.",
    matters: "The entities are the same, but what else the platform does differently is not known.",
    act: "Report it, so that the release can be told by its name.",
  },
  "fleet/flapping": {
    means: "A deployment answered with two different schemas within one run.",
    matters: "Its gateway asks indexers of different releases. An operation may work and fail by turns.",
    severities: {
      breaking: "Something that is breaking touches operations by turns.",
      risky: "Nothing that is breaking touches an operation.",
    },
    act: "Keep to what both schemas have; ask again later.",
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
