import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { Parity } from "../report/parity.ts";
import { judgeParity, type ParityIssue } from "./judge-parity.ts";

/**
 * What the styles of a protocol do not agree on and are not bound to differ in, as findings: `before` is what the
 * multichain style has, `after` what the subgraph style has.
 *
 * @param protocol null for two schemas of which nobody knows whose they are.
 */
export function parityFindings(parity: Parity, protocol: Protocol | null): Finding[] {
  return judgeParity(parity).map(
    ({ code, severity, coordinate, multichain, subgraph, derived, derivedCoordinates }) => ({
      code,
      severity,
      layer: "entity",
      subject: coordinate,
      message: MESSAGES[code](coordinate, multichain ?? "", subgraph ?? ""),
      coordinate,
      before: multichain,
      after: subgraph,
      derived,
      ...(derived > 0 ? { derivedCoordinates: [...derivedCoordinates].sort(compareCodeUnits) } : {}),
      where: protocol && {
        protocol,
        // The style that has it; the first of them where both have.
        style: multichain === null ? "subgraph" : "multichain",
        deployments: [],
      },
      operations: [],
      place: null,
      fix: FIXES[code],
    }),
  );
}

type Code = ParityIssue["code"];

const MESSAGES: Readonly<Record<Code, (coordinate: string, multichain: string, subgraph: string) => string>> =
  {
    "parity/conflict": (at, a, b) => `${at} is ${a} in multichain style and ${b} in subgraph style.`,
    "parity/nullability": (at, a, b) => `${at} is ${a} in multichain style and ${b} in subgraph style.`,
    "parity/only-multichain": (at) => `${at} is there in multichain style only.`,
    "parity/only-subgraph": (at) => `${at} is there in subgraph style only.`,
    "parity/renamed": (at, a, b) => `${at} seems to be called ${b} in subgraph style, not ${a}.`,
  };

const ONE_STYLE = "leave it out of portable operations, or accept it if only this style is meant to have it.";

const FIXES: Readonly<Record<Code, string>> = {
  "parity/conflict":
    "find out which of the two is meant; until the other is corrected, accept it with that reason.",
  "parity/nullability": "take the weaker of the two in shared code.",
  "parity/only-multichain": ONE_STYLE,
  "parity/only-subgraph": ONE_STYLE,
  "parity/renamed": "give both one name by an alias in operations, and have the other indexer follow.",
};
