import { type Finding, SEVERITIES } from "../model/finding.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";
import { fingerprint } from "./fingerprint.ts";

/** Merges findings of the same facts: what several schemas have in common is one, for all who serve any of them. */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const key = fingerprint(finding);
    const known = merged.get(key);
    merged.set(key, known === undefined ? finding : mergeTwo(known, finding));
  }
  return [...merged.values()];
}

function mergeTwo(a: Finding, b: Finding): Finding {
  const operations = new Map([...a.operations, ...b.operations].map((one) => [JSON.stringify(one), one]));
  const names = new Set([...(a.where?.deployments ?? []), ...(b.where?.deployments ?? [])]);
  const worst = Math.min(SEVERITIES.indexOf(a.severity), SEVERITIES.indexOf(b.severity));
  return {
    ...a,
    severity: SEVERITIES[worst] ?? a.severity,
    derived: Math.max(a.derived, b.derived),
    where: a.where && { ...a.where, deployments: [...names].sort(compareCodeUnits) },
    operations: [...operations.values()],
    fix: a.operations.length > 0 ? a.fix : b.fix,
  };
}
