import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { Protocol } from "../project/vocabulary.ts";
import { messageOf } from "../report/codes/code.ts";
import { STYLES } from "../report/codes/styles.ts";
import type { Finding } from "../report/finding.ts";
import type { Parity } from "../report/parity.ts";
import { judgeParity } from "./judge-parity.ts";

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
      message: messageOf(STYLES[code], [coordinate, multichain ?? "", subgraph ?? ""]),
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
      fix: STYLES[code].fix,
    }),
  );
}
