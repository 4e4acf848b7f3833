import { categoryOf } from "../base/category-of.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { displayText } from "../base/display-text.ts";
import { surfaceId } from "../project/surface.ts";
import { IMPACT_KINDS, type ImpactKind, SEVERITIES, type Severity } from "./finding.ts";
import { summarizeIdentity } from "./identity-mismatch.ts";
import type { Report } from "./report.ts";

/** The first line of a report for people: how it ended, who is somebody else, what was found, and what that hits. */
export function verdictOf(report: Report): string {
  const { outcome, findings, operations } = report;
  const accepted = findings.filter((finding) => finding.accepted).length;
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => !finding.accepted && finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  if (accepted > 0) counts.push(`${accepted} accepted`);
  const found = counts.length === 0 ? "no findings" : counts.join(", ");
  const hit = IMPACT_KINDS.flatMap((kind) => {
    const count = operations.filter(({ impact }) => impact === kind).length;
    return count === 0 ? [] : [`${count} ${IMPACT_STATES[kind]}`];
  });
  const all = `${operations.length} ${operations.length === 1 ? "operation" : "operations"}`;
  const impact = operations.length === 0 ? "" : `; of ${all} ${hit.join(", ") || "none affected"}`;
  // What breaks somebody else is not clean, however little it is to these operations.
  const isClean = findings.every(({ accepted, severity }) => accepted || QUIET.has(severity));
  const others = summarizeIdentity(findings.filter((finding) => !finding.accepted)).join(", ");
  const identity = others === "" ? "" : `${displayText(others, [])}; `;
  const uncompared = whyUncompared(report);
  const unknown = uncompared === null ? "" : `; no operations were compared: ${uncompared}`;
  const nothing = uncompared === null ? "Nothing to act on" : "Nothing is known to act on";
  const end = outcome.exit === 0 && !isClean ? nothing : ENDS[outcome.exit];
  return `${end}: ${identity}${found}${impact}${unknown}.`;
}

/** Says why nobody knows what breaking or risky findings do to operations; null where that is known of all. */
function whyUncompared({ findings, operations }: Report): string | null {
  const loud = findings.filter(
    (finding) => !finding.accepted && !QUIET.has(finding.severity) && OF_SCHEMAS.has(categoryOf(finding)),
  );
  const compared = new Set(operations.map(surfaceId));
  const places = loud.flatMap((finding) => [finding, ...(finding.elsewhere ?? [])]);
  const served = new Set(places.flatMap(({ where }) => (where === null ? [] : [surfaceId(where)])));
  const without = [...served].filter((id) => !compared.has(id)).sort(compareCodeUnits);
  if (without.length > 0) return `there are none of ${without.join(", ")}`;
  return loud.some(({ where }) => where === null)
    ? "the two schemas are not known to be of one protocol and style"
    : null;
}

const OF_SCHEMAS: ReadonlySet<string> = new Set(["drift", "fleet"]);

const QUIET: ReadonlySet<Severity> = new Set(["additive", "cosmetic"]);

const ENDS = ["Clean", "Not clean", "Could not run", "Inconclusive"] as const;

const IMPACT_STATES: Readonly<Record<ImpactKind, string>> = {
  broken: "broken",
  "at-risk": "at risk",
  "changes-type": "of another type",
  "changes-meaning": "of another meaning",
  deprecated: "using what is deprecated",
};

/** The last line of a report for people. */
export function exitLine({ outcome }: Report): string {
  return `exit ${outcome.exit}: ${displayText(outcome.reason, [])}`;
}
