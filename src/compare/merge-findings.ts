import { compareCodeUnits } from "../base/compare-code-units.ts";
import { isMended } from "../report/build-file-finding.ts";
import { type Finding, SEVERITIES } from "../report/finding.ts";
import { fingerprint } from "./fingerprint.ts";

/** Merges findings of the same facts into one; findings about files stay, each with its own place. */
export function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  const ownPlace: Finding[] = [];
  for (const finding of findings) {
    if (isMended(finding)) {
      ownPlace.push(finding);
      continue;
    }
    const key = fingerprint(finding);
    const known = merged.get(key);
    merged.set(key, known === undefined ? finding : mergeTwo(known, finding));
  }
  return [...merged.values(), ...ownPlace];
}

function mergeTwo(a: Finding, b: Finding): Finding {
  const operations = new Map([...a.operations, ...b.operations].map((one) => [JSON.stringify(one), one]));
  const names = new Set([...(a.where?.deployments ?? []), ...(b.where?.deployments ?? [])]);
  return {
    ...a,
    ...mergeDerived(a, b),
    where: a.where && { ...a.where, deployments: [...names].sort(compareCodeUnits) },
    operations: [...operations.values()],
    ...(a.layer === "identity" || a.layer === "health"
      ? { message: joinTexts(a, b, "message", " "), fix: joinTexts(a, b, "fix", "\n") }
      : { fix: a.operations.length > 0 ? a.fix : b.fix }),
  };
}

/** How severe two findings of one event are together, and what is derived of either. */
export function mergeDerived(
  a: Finding,
  b: Finding,
): Pick<Finding, "severity" | "derived" | "derivedCoordinates" | "worstDerived"> {
  const severity = SEVERITIES.find((level) => a.severity === level || b.severity === level) ?? a.severity;
  const derivedCoordinates = union(a.derivedCoordinates, b.derivedCoordinates);
  const decisive = [a, b].flatMap((one) => (one.severity === severity ? (one.worstDerived ?? []) : []));
  const worstDerived = [...new Map(decisive.map((one) => [JSON.stringify(one), one])).values()].sort(
    (one, other) => compareCodeUnits(one.coordinate, other.coordinate),
  );
  return {
    severity,
    // Each counts all that it names; what is the same in both is counted once.
    derived: Math.max(a.derived, b.derived, derivedCoordinates.length),
    ...(derivedCoordinates.length > 0 ? { derivedCoordinates } : {}),
    ...(worstDerived.length > 0 ? { worstDerived } : {}),
  };
}

function union(a: readonly string[] = [], b: readonly string[] = []): readonly string[] {
  // Most variants of a fleet derive the same.
  if (a.length === b.length && a.every((name, index) => name === b[index])) return a;
  return [...new Set([...a, ...b])].sort(compareCodeUnits);
}

/** Findings about deployments name each; findings about what they serve all say the same. */
function joinTexts(a: Finding, b: Finding, key: "message" | "fix", between: string): string {
  const [one, other] = [a[key] ?? "", b[key] ?? ""];
  return one.includes(other) ? one : `${one}${between}${other}`;
}
