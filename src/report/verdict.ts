import { displayText } from "../base/display-text.ts";
import { IMPACT_KINDS, type ImpactKind, SEVERITIES, type Severity } from "./finding.ts";
import { summarizeIdentity } from "./identity-mismatch.ts";
import type { ExitCode } from "./outcome.ts";
import type { Report } from "./report.ts";
import { whyUncompared } from "./why-uncompared.ts";

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
  const impact =
    operations.length === 0
      ? ""
      : `; of ${operations.length} ${operations.length === 1 ? "operation" : "operations"} ${hit.join(", ") || "none affected"}`;
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

const QUIET: ReadonlySet<Severity> = new Set(["additive", "cosmetic"]);

const ENDS: Readonly<Record<ExitCode, string>> = {
  0: "Clean",
  1: "Not clean",
  2: "Could not run",
  3: "Inconclusive",
};

/** What an operation is said to be. */
export const IMPACT_STATES: Readonly<Record<ImpactKind, string>> = {
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
