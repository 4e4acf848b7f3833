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
