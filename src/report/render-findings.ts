import { compareCodeUnits } from "../base/compare-code-units.ts";
import { placeText } from "./describe-finding.ts";
import type { Finding } from "./finding.ts";

/** Renders findings as text, one a paragraph, in order of place. */
export function renderFindings(findings: readonly Finding[]): string {
  return [...findings].sort(byPlace).map(renderFinding).join("\n");
}

function renderFinding(finding: Finding): string {
  const { severity, place, subject, message, before, after, fix, code } = finding;
  const lines = [`${severity} ${place ? placeText(place) : subject}  ${message}  [${code}]`];
  if (before !== null && after !== null) lines.push(`  is:        ${after}`, `  should be: ${before}`);
  if (fix !== null) lines.push(`  ${fix}`);
  return lines.join("\n");
}

function byPlace(a: Finding, b: Finding): number {
  return (
    compareCodeUnits(a.place?.file ?? a.subject, b.place?.file ?? b.subject) ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
    compareCodeUnits(a.code, b.code)
  );
}
